"""The models that can be asked, one backend a file, found by the name that --model begins with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from importlib.util import find_spec
from typing import cast

from fathom.inference.backend import AnyBackend, Backend, BatchBackend, Context, is_given_answers
from fathom.inference.models.function import Answering, FunctionBackend, is_plain
from fathom.named import attribute_of
from fathom.records import FathomError, InputError

Opener = Callable[[str, Mapping[str, str], Context], AnyBackend]
"""What a registry entry names: (target, options, context) to a backend."""

MODELS: dict[str, str] = {
    "random": "fathom.inference.models.random:open_random",
    "prior": "fathom.inference.models.prior:open_prior",
    "oracle": "fathom.inference.models.oracle:open_oracle",
    "scripted": "fathom.inference.models.scripted:open_scripted",
    "openai": "fathom.inference.models.openai:open_openai",
    "hf": "fathom.inference.models.hf:open_hf",
    "inspect": "fathom.inference.models.inspect:open_inspect",
}

FORMS = (
    "random",
    "prior:DATASET",
    "oracle[:position_sigma_m=0.2,heading_sigma_deg=10,time_sigma_s=0.1,angle_sigma_deg=2,sees=all …]",
    "scripted:perfect|always-a|random|mute|broken|FILE.jsonl",
    "openai:MODEL[@URL][,option=value …]",
    "hf:FOLDER-OR-NAME[,option=value …]",
    "inspect:PROVIDER/MODEL[,option=value …]",
    "package.module:attribute",
)

# These take options only, so that their first word after the colon is never a target.
_NO_TARGET = ("random", "oracle")
_SECRETS = ("key", "api_key", "apikey", "token", "authorization", "password", "secret")


@dataclass(frozen=True)
class ModelSpec:
    """`--model`, taken apart: which opener, what it is pointed at, and its options."""

    text: str
    opener: str
    target: str
    options: Mapping[str, str] = field(default_factory=dict)


def parse_model(
    text: str, more_options: Mapping[str, str] | None = None, own: Mapping[str, str] | None = None
) -> ModelSpec:
    """Return the parts of a model specification: NAME[:TARGET][,option=value …].

    `own` are the baselines of a benchmark, which take options only, by name.

    Raises InputError for a name that is not known, an option without a value, and a key in plain sight.
    """
    name, _, rest = text.partition(":")
    own = own or {}
    if name in MODELS or name in own:
        opener = MODELS.get(name) or own[name]
    elif rest and ("." in name or (name and find_spec(name))):
        attribute, comma, rest = rest.partition(",")
        opener, rest = f"{name}:{attribute}", comma + rest
    else:
        near = get_close_matches(name, (*MODELS, *own), n=1)
        there = f"did you mean {near[0]}? What there is" if near else "what there is"
        raise InputError(f"--model {text}: there is no model {name!r}; {there}: {'; '.join((*FORMS, *own))}")
    parts = rest.split(",") if rest else []
    target = parts.pop(0) if parts and name not in (*_NO_TARGET, *own) else ""
    options: dict[str, str] = {}
    for part in parts:
        option, equals, value = part.partition("=")
        if not equals:
            raise InputError(f"--model {text}: expected option=value after the comma, found {part!r}")
        options[option.strip()] = value.strip()
    options.update(more_options or {})
    for option in options:
        if option.lower() in _SECRETS:
            raise InputError(
                f"--model {name}: a key is never given on the command line, where others can read it; put it "
                "into an environment variable and name that with key_env=NAME"
            )
    return ModelSpec(text=text, opener=opener, target=target, options=options)


def open_model(spec: ModelSpec, context: Context) -> AnyBackend:
    """Return the backend that a specification names.

    Raises InputError where it cannot be imported, is no backend, or cannot do with its target and options.
    """
    module = spec.opener.partition(":")[0]
    try:
        opener = cast("Opener", attribute_of(spec.opener))
    except (ImportError, AttributeError) as e:
        if module.startswith("fathom."):
            raise
        raise InputError(
            f"--model {spec.text}: {spec.opener} cannot be imported ({e}); install the package, or correct "
            "the name"
        ) from e
    if not callable(opener):
        raise InputError(
            f"--model {spec.text}: expected {spec.opener} to be a function, found {type(opener).__name__}; "
            "see docs/runner.md"
        )
    if is_plain(opener):
        return FunctionBackend(cast("Answering", opener), spec.opener)
    if not is_given_answers(opener):
        context = replace(context, known=None)
    backend = _opened(opener, spec, context)
    if not isinstance(backend, Backend | BatchBackend):
        raise InputError(
            f"--model {spec.text}: expected {spec.opener} to be a function of a text and its pictures, or "
            "to return a backend with answer and close, or with answer_all, found "
            f"{type(backend).__name__}; see docs/runner.md"
        )
    return backend


def _opened(opener: Opener, spec: ModelSpec, context: Context) -> AnyBackend:
    """Return what an opener gives; what one from outside raises becomes a sentence that names it."""
    try:
        return opener(spec.target, spec.options, context)
    except FathomError:
        raise
    except Exception as e:
        if spec.opener.startswith("fathom."):
            raise
        raise InputError(
            f"--model {spec.text}: {spec.opener} raised {type(e).__name__}: {e}; fix it there"
        ) from e

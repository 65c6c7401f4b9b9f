"""What can be set of an OpenAI-compatible endpoint, and what of it goes into a request.

Values of headers are read from the environment where they begin with $, and are written nowhere, whatever
they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from fathom.inference.backend import Scalar, read_options
from fathom.inference.budget import OPTIONS as BUDGET_OPTIONS
from fathom.inference.endpoint import shown_url
from fathom.records import InputError

DEFAULT_URL = "https://api.openai.com/v1"
NONE = "none"
"""The value of a parameter that is to be left out of what is sent."""

_KINDS: Mapping[str, type[str] | type[int] | type[float]] = {
    "url": str,
    "key_env": str,
    "headers": str,
    "extra_body": str,
    "temperature": float,
    "top_p": float,
    "seed": int,
    "max_tokens": int,
    "max_completion_tokens": int,
    "reasoning_effort": str,
    "detail": str,
    "max_side_px": int,
    "video": str,
    "ranking": str,
    "logprobs": int,
    "revision": str,
    "attempts": int,
    "timeout_s": float,
    **BUDGET_OPTIONS,
}
_WORDS: Mapping[str, tuple[str, ...]] = {
    "video": ("pictures", "url"),
    "ranking": ("prompt", "echo", "letter"),
    "detail": ("auto", "low", "high"),
}
_LEAVABLE = ("temperature", "top_p", "seed", "max_tokens", "reasoning_effort")
NOT_IDENTITY = frozenset(
    {"url", "key_env", "headers", "revision", "attempts", "timeout_s", "thinks", "thinking_tokens"}
)
NOT_SENT = NOT_IDENTITY | {
    "max_side_px", "detail", "video", "ranking", "logprobs", "extra_body", "think_tag",
}  # fmt: skip
_OURS = frozenset({"messages", "prompt"})
"""What no extra body may replace."""


def read_endpoint_options(options: Mapping[str, str], model: str) -> tuple[dict[str, Scalar], frozenset[str]]:
    """Return the options as values of their kinds, and the names of the parameters that are left out.

    Raises InputError for an option that there is not, and for a value that it cannot have.
    """
    left_out = frozenset(name for name in _LEAVABLE if options.get(name, "").lower() == NONE)
    values = read_options({n: v for n, v in options.items() if n not in left_out}, _KINDS, model)
    for name, words in _WORDS.items():
        if values.get(name, words[0]) not in words:
            raise InputError(f"--model {model}: {name}: expected {', '.join(words)}, found {values[name]!r}")
    if "extra_body" in values:
        body = read_object(str(values["extra_body"]), "extra_body", model)
        if taken := _OURS & body.keys():
            raise InputError(
                f"--model {model}: extra_body: {min(taken)!r} is put together from the question; leave it out"
            )
        values["extra_body"] = msgspec.json.encode(body, order="deterministic").decode()
    return values, left_out


def read_object(text: str, option: str, model: str) -> dict[str, Any]:
    """Return a JSON object given as an option. Raises InputError for what is none."""
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except msgspec.DecodeError as e:
        raise InputError(
            f"--model {model}: {option}: expected a JSON object, such as "
            f'--option \'{option}={{"name": "value"}}\', found something else ({e}); correct it'
        ) from e


def read_headers(text: str, model: str, environ: Mapping[str, str], needed: bool = True) -> dict[str, str]:
    """Return HTTP headers; a value $NAME is what the environment holds under NAME.

    Raises InputError where that is nothing, and for what is no header.
    """
    headers: dict[str, str] = {}
    for name, value in read_object(text, "headers", model).items() if text else ():
        if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", name) or not isinstance(value, str):
            raise InputError(
                f"--model {model}: headers: expected names of headers with texts as values, found {name!r}; "
                "correct it"
            )
        variable = value[1:].strip("{}") if value.startswith("$") else ""
        if variable and needed and not environ.get(variable):
            raise InputError(
                f"--model {model}: headers: the environment variable {variable} is not set, and the header "
                f"{name} is to hold it; set it"
            )
        said = environ.get(variable, "").strip() if variable else value
        if not said.isprintable():
            raise InputError(f"--model {model}: headers: the value of {name} holds a line break; correct it")
        headers[name] = said
    return headers


def read_key(url: str, variable: str, environ: Mapping[str, str], needed: bool = True) -> str:
    """Return the key, or "" where none is needed: an endpoint of one's own may do without."""
    name = variable or "OPENAI_API_KEY"
    key = environ.get(name, "").strip()
    wanted = variable or urlsplit(url).hostname == urlsplit(DEFAULT_URL).hostname
    if not key and wanted and needed:
        raise InputError(
            f"--model openai: the environment variable {name} is not set, and {shown_url(url)} needs a key; "
            "set it, or name another variable with key_env=NAME"
        )
    if not all(" " < character <= "~" for character in key):
        raise InputError(
            f"--model openai: the environment variable {name} holds characters that no key has (a blank, a "
            "line break, a letter beyond ASCII); set it again"
        )
    return key

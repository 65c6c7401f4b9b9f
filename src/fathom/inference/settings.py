"""What can be set about a protocol: frozen dataclasses whose fields are the settings.

A field `early_stop` is the setting `early-stop`. Its type says what it takes: a Literal one of its words, a
bool yes or no, an int a whole number (at least what its metadata say under "least"), a float a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from fathom.records import Asked, InputError, MediaOf, Prompt, Protocol, Question, Setting, Variant

Grouping = Literal["plain", "circular", "flip", "both"]

_JOINED: Mapping[Grouping, tuple[Literal["circular", "flip"], ...]] = {
    "plain": (),
    "circular": ("circular",),
    "flip": ("flip",),
    "both": ("circular", "flip"),
}
_TRUTH = {"yes": True, "true": True, "no": False, "false": False}


@dataclass(frozen=True)
class ChoiceSettings:
    """How a question with options is put, whatever the benchmark.

    `answer`: the model writes (generation), or the likelihood of each option is asked (likelihood), where
    `continuation` is the option's text or its letter and `normalisation` says how options of different
    length are compared. `options` are shown or hidden; `media` stands before or after the text. `grouping`
    says which passes count as one: each (plain), all rotations of the options (circular), an image and its
    mirror image (flip), or both. With `early_stop` no further pass of a group is asked once one was wrong
    under the reading policy `early_stop_policy`. `reasoning` asks for steps before the answer. `blind`
    withholds pictures and videos. `detail` and `max_side_px` (0: as they are) tell a hosted model's backend
    how large pictures are sent.
    """

    answer: Literal["generation", "likelihood"] = "generation"
    options: Literal["shown", "hidden"] = "shown"
    continuation: Literal["text", "letter"] = "text"
    normalisation: Literal["sum", "token", "char"] = "sum"
    media: Literal["before", "after"] = "before"
    reasoning: bool = False
    blind: bool = False
    grouping: Grouping = "plain"
    early_stop: bool = False
    early_stop_policy: str = "fathom"
    max_tokens: int = field(default=1024, metadata={"least": 1})
    detail: Literal["auto", "low", "high"] = "auto"
    max_side_px: int = 0

    def __post_init__(self) -> None:
        """Raise InputError where two settings contradict each other."""
        if self.answer == "likelihood" and self.options == "hidden" and self.continuation == "letter":
            raise InputError(
                "continuation=letter with options=hidden: a letter means nothing where no options are shown; "
                "set options=shown, or continuation=text"
            )
        if self.grouping in ("circular", "both") and self.options == "hidden":
            raise InputError(
                f"grouping={self.grouping} with options=hidden: what is not shown cannot be rotated; set "
                "options=shown"
            )
        if self.early_stop and self.grouping == "plain":
            raise InputError(
                "early-stop=yes with grouping=plain: each pass counts by itself, so that none can be spared; "
                "set grouping to circular, flip or both"
            )


S = TypeVar("S", bound=ChoiceSettings)
MakePrompt = Callable[[S, Asked, Variant, MediaOf], Prompt]
Prepared = Callable[[Iterable[Question], MediaOf], tuple[MakePrompt[S], Mapping[str, Setting]]]
"""From all questions to how their prompts are made, and what of it stands in the run's manifest."""


def make_protocol(
    name: str,
    version: str,
    settings: S,
    prompt: MakePrompt[S],
    variants: Callable[[S, Asked], tuple[Variant, ...]],
    prepare: Callable[[S], Prepared[S] | None] = lambda settings: None,
) -> Protocol:
    """Return the protocol that puts questions as `settings` say, and can be changed setting by setting.

    `prepare` returns for settings under which all questions have to be gone through first what does that: it
    takes them, and returns how prompts are made and what there is to record.
    """
    parameters: dict[str, float | int | str] = {"temperature": 0, "max_tokens": settings.max_tokens}
    if settings.detail != "auto":
        parameters["detail"] = settings.detail
    if settings.max_side_px:
        parameters["max_side_px"] = settings.max_side_px
    found = Protocol(
        name=name,
        version=version,
        prompt=lambda asked, variant, media_of: prompt(settings, asked, variant, media_of),
        variants=lambda asked: variants(settings, asked),
        parameters=parameters,
        settings=as_recorded(settings),
        joined=_JOINED[settings.grouping],
        changed=lambda texts: make_protocol(
            name, version, with_changes(settings, texts, name), prompt, variants, prepare
        ),
    )
    goes_through = prepare(settings)
    if goes_through is None:
        return found

    def prepared(questions: Iterable[Question], media_of: MediaOf) -> Protocol:
        informed, record = goes_through(questions, media_of)
        return replace(
            found,
            prompt=lambda asked, variant, media_of: informed(settings, asked, variant, media_of),
            settings={**found.settings, **record},
            changed=None,
            prepared=None,
        )

    return replace(found, prepared=prepared)


def as_recorded(settings: ChoiceSettings) -> dict[str, Setting]:
    """Return every setting by its name, as it stands in a run's manifest."""
    return {_name(f.name): getattr(settings, f.name) for f in fields(settings)}


def with_changes(settings: S, texts: Mapping[str, str], protocol: str) -> S:
    """Return the settings with some of them set otherwise, from NAME=VALUE as texts.

    Raises InputError for a setting that the protocol does not have, a value that it does not take, and two
    that contradict each other.
    """
    kinds = get_type_hints(type(settings))
    known = {_name(f.name): f for f in fields(settings)}
    values: dict[str, Any] = {}
    for name, text in texts.items():
        if name not in known:
            raise InputError(
                f"--set {name}={text}: the protocol {protocol} has no setting {name!r}; it has "
                + ", ".join(known)
            )
        f = known[name]
        values[f.name] = _value(name, text, kinds[f.name], int(f.metadata.get("least", 0)))
    return replace(settings, **values)


def _value(name: str, text: str, kind: Any, least: int) -> str | int | float | bool:
    if get_origin(kind) is Literal:
        words: tuple[str, ...] = get_args(kind)
        if text not in words:
            raise InputError(f"--set {name}={text}: expected {' or '.join(words)}")
        return text
    if kind is bool:
        if text.lower() not in _TRUTH:
            raise InputError(f"--set {name}={text}: expected yes or no")
        return _TRUTH[text.lower()]
    if kind is str:
        return text
    try:
        value: int | float = int(text) if kind is int else float(text)
    except ValueError as e:
        what = "a whole number" if kind is int else "a number"
        raise InputError(f"--set {name}={text}: expected {what} of at least {least}") from e
    if not least <= value < float("inf"):
        raise InputError(f"--set {name}={text}: expected a number of at least {least}")
    return value


def _name(field_name: str) -> str:
    return field_name.replace("_", "-")

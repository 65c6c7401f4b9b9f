"""What can be set about a protocol: frozen dataclasses whose fields are the settings (fathom/settings.py).

A field `early_stop` is the setting `early-stop`. An int or float is at least what its metadata say under
"least", else 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Literal, TypeVar

from fathom.records import (
    InputError,
    MediaOf,
    Prompt,
    Protocol,
    Question,
    Setting,
    UnansweredQuestion,
    Variant,
)
from fathom.settings import with_settings

Grouping = Literal["plain", "circular", "flip", "both"]

_JOINED: Mapping[Grouping, tuple[Literal["circular", "flip"], ...]] = {
    "plain": (),
    "circular": ("circular",),
    "flip": ("flip",),
    "both": ("circular", "flip"),
}


@dataclass(frozen=True)
class ChoiceSettings:
    """How a question with options is put, whatever the benchmark.

    answer : the model writes an answer (generation), or the likelihood of each option is asked (likelihood)
    options : whether the options are in the prompt
    continuation : of likelihood, what is ranked: the option's text or its letter
    normalisation : of likelihood, how options of different length are compared: the sum of the log
        probabilities, or their mean per token or per character
    media : images and videos stand before or after the text
    reasoning : asks for steps of reasoning before the answer
    blind : withholds images and videos
    grouping : which passes count as one question: each by itself (plain), all rotations of the options
        (circular), an image and its mirror image (flip), or both
    early_stop : no further pass of a group is asked once one of them was wrong
    early_stop_extractor : the extractor that decides whether a pass was wrong
    max_tokens : tokens that an answer may have at most
    detail : the detail of images that a hosted model is asked for
    max_side_px : images are scaled down to this many pixels at their longer side; 0: as they are
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
    early_stop_extractor: str = "fathom"
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
MakePrompt = Callable[[S, UnansweredQuestion, Variant, MediaOf], Prompt]
Prepared = Callable[[Iterable[Question], MediaOf], tuple[MakePrompt[S], Mapping[str, Setting]]]
"""From all questions to how their prompts are made, and what of it stands in the run's manifest."""


def make_protocol(
    name: str,
    version: str,
    settings: S,
    prompt: MakePrompt[S],
    variants: Callable[[S, UnansweredQuestion], tuple[Variant, ...]],
    prepare: Callable[[S], Prepared[S] | None] = lambda settings: None,
) -> Protocol:
    """Return the protocol that puts questions as `settings` say, and can be changed setting by setting.

    `prepare` returns for settings under which all questions have to be gone through first what does that: it
    takes them, and returns how prompts are made and what there is to record.
    """
    found = Protocol(
        name=name,
        version=version,
        prompt=lambda asked, variant, media_of: prompt(settings, asked, variant, media_of),
        variants=lambda asked: variants(settings, asked),
        parameters=_parameters(settings),
        settings=as_recorded(settings),
        own=settings,
        joined=_JOINED[settings.grouping],
        changed=lambda given: make_protocol(
            name, version, with_changes(settings, given, name), prompt, variants, prepare
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


def _parameters(settings: ChoiceSettings) -> dict[str, float | int | str]:
    """Return what a backend is told besides the prompt; what is left as it is goes unsaid."""
    parameters: dict[str, float | int | str] = {"temperature": 0, "max_tokens": settings.max_tokens}
    if settings.detail != "auto":
        parameters["detail"] = settings.detail
    if settings.max_side_px:
        parameters["max_side_px"] = settings.max_side_px
    return parameters


def as_recorded(settings: ChoiceSettings) -> dict[str, Setting]:
    """Return every setting by its name, as it stands in a run's manifest."""
    return {_name(f.name): getattr(settings, f.name) for f in fields(settings)}


def with_changes(settings: S, given: Mapping[str, object] | object, protocol: str) -> S:
    """Return the settings with some of them set otherwise: NAME → text or value, or a settings object.

    Raises InputError for a setting that the protocol does not have, a value that it does not take, and two
    that contradict each other.
    """
    return with_settings(settings, given, f" of the protocol {protocol}", hyphens=True)


def _name(field_name: str) -> str:
    return field_name.replace("_", "-")

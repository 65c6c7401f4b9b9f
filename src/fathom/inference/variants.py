"""In which ways one question is put: once, or with its options rotated."""

from __future__ import annotations

import msgspec

from fathom.inference.settings import ChoiceSettings
from fathom.records import UnansweredQuestion, Variant


def variants_of(settings: ChoiceSettings, asked: UnansweredQuestion) -> tuple[Variant, ...]:
    """Return the passes of one question: one, or as many as it has options, the official order first.

    Ref: 3DSRBench §3.4 (CircularEval).
    """
    rotated = settings.grouping in ("circular", "both") and len(asked.choices) > 1
    passes = rotations(len(asked.choices)) if rotated else (Variant(),)
    shown = settings.options == "shown"
    if settings.blind:
        passes = tuple(
            msgspec.structs.replace(v, media_withheld=True, name="blind" if v.name == "plain" else v.name)
            for v in passes
        )
    return passes if shown else tuple(msgspec.structs.replace(v, options_shown=False) for v in passes)


def rotations(options: int) -> tuple[Variant, ...]:
    """Return the circular variants: number r begins with option r of the official order."""
    return tuple(
        Variant(name="circular", option_order=tuple((i + r) % options for i in range(options)))
        for r in range(options)
    )

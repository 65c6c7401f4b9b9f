"""The numbers in SEED-Bench's text, where they come from, and what the text says of the models.

Table 3 has two parts and no dimensions, so that what the text says of a dimension follows from nothing. Of
instance location it gives three numbers, which are whole numbers of 978 questions (391, 113 and 35), and not
of the 4,649 that it gives that dimension. By them LLaVA has 28.43 % there, and the best model 43.56 %.

Ref: SEED-Bench §3.3, §4.1 to §4.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from fathom.benchmarks.seedbench.paper_models import (
    IMAGE,
    LLM,
    MODELS,
    TASKS,
    VIDEO,
    of_type,
    title_of,
)
from fathom.records import Derivation, PublishedCell, PublishedTable
from fathom.stats.derivations import Formula, above, above_first, count, one, same, share_of

PUBLISHED_BLIND = 5.52
"""The per cent of its questions that the paper's three readers all got right. Ref: SEED-Bench §3.3."""

_NOTHING = "nothing: Table 3 has no dimensions"
_ROWS = "Table 3: its rows"
_COUNTS = "Figure 1 (left)"
_WHOLE = "Figure 1 (left): a whole number of 978 questions"

_LOCATION = "questions of instance location (§3.3)"
_FEWEST = "fewest questions of a dimension, text understanding (§3.3)"
_MOST = "most questions of a dimension (§3.3)"
_AT = "VideoChat, instance location (§4.3)"
_BEYOND = "VideoChat above LLaVA, instance location (§4.3)"
_BELOW = "the best model above VideoChat, instance location (§4.3)"
_KINDS = MappingProxyType(
    {
        "models (§4.1)": (LLM, IMAGE, VIDEO),
        "language models (§4.1)": (LLM,),
        "models of images (§4.1)": (IMAGE,),
        "models of videos (§4.1)": (VIDEO,),
    }
)

_SAID: MappingProxyType[str, tuple[float, str]] = MappingProxyType(
    {
        "questions that three language models all answer without the picture, % (§3.3)": (
            PUBLISHED_BLIND,
            "nothing: the replies are not published",
        ),
        _FEWEST: (85, _COUNTS),
        _MOST: (4649, _COUNTS),
        _LOCATION: (4649, _COUNTS),
        **{row: (n, _ROWS) for row, n in zip(_KINDS, (18, 3, 12, 3), strict=True)},
        "accuracy that most models outside the BLIP series stay below (§4.3)": (50, "see the next table"),
        "accuracy that most models pass in scene understanding and visual reasoning (§4.3)": (40, _NOTHING),
        "dimensions in which InstructBLIP is the best (§4.3)": (8, _NOTHING),
        "InstructBLIP above language models by less than this, action recognition (§4.3)": (2, _NOTHING),
        "InstructBLIP, the best model, spatial relation (§4.3)": (40, _NOTHING),
        "all but InstructBLIP are below this, text understanding (§4.3)": (40, _NOTHING),
        _AT: (39.98, _WHOLE),
        "place of VideoChat, instance location (§4.3)": (4, _NOTHING),
        _BEYOND: (11.55, _WHOLE),
        _BELOW: (3.58, _WHOLE),
        "VPGTrans, the best model, above LLaMA, procedure understanding (§4.3)": (5, _NOTHING),
        "the next four above LLaMA by less than this, procedure understanding (§4.3)": (1.2, _NOTHING),
    }
)


def _said(row: str, inputs: Sequence[PublishedCell], formula: Formula, how: str) -> tuple[Derivation, ...]:
    return one(PublishedCell("text", row, "said"), inputs, formula, how)


def _questions(dimension: str) -> PublishedCell:
    return PublishedCell("figure1-left", dimension, "questions")


_EVERY = tuple(_questions(title_of(task)) for task in TASKS)

TEXT = PublishedTable(
    name="text",
    title="Numbers in the text",
    columns=("said",),
    rows=MappingProxyType({row: (number,) for row, (number, _) in _SAID.items()}),
    decimals=(0,),
    row="of what",
    labels=MappingProxyType({row: {"follows from": source} for row, (_, source) in _SAID.items()}),
    note="by these LLaVA has 28.43 in instance location, and the best model 43.56",
    derivations=(
        *_said(_FEWEST, _EVERY, min, "the smallest number of Figure 1 (left)"),
        *_said(_MOST, _EVERY, max, "the largest number of Figure 1 (left)"),
        *_said(_LOCATION, [_questions("instance location")], same, "the same number of Figure 1 (left)"),
        *(
            d
            for row, kinds in _KINDS.items()
            for d in _said(
                row,
                [PublishedCell("table3", name, "Overall") for name in of_type(*kinds)],
                count,
                "the number of rows of Table 3",
            )
        ),
        *(
            d
            for row in (_AT, _BEYOND, _BELOW)
            for d in _said(
                row,
                [PublishedCell("text", row, "said"), _questions("instance location")],
                share_of,
                "a whole number of the 978 questions of instance location",
            )
        ),
    ),
)

_BLIP = ("BLIP-2", "InstructBLIP", "InstructBLIP Vicuna")
_OTHERS = tuple(name for name in of_type(IMAGE, VIDEO) if name not in _BLIP)
_BEST = "InstructBLIP Vicuna"
_NOT_IT = tuple(name for name in MODELS if not name.startswith("InstructBLIP"))

_CLAIMS: MappingProxyType[str, tuple[str, int, str, str, tuple[str, ...], Formula]] = MappingProxyType(
    {
        "models outside the BLIP series that reach 50 % on average, of 12 (§4.3)": (
            *("few", 0, "yes", "Overall", _OTHERS, above(50)),
        ),
        "models of the BLIP series that reach 50 % on average, of 3 (§4.3)": (
            *("all", 2, "no: BLIP-2 has 46.35", "Overall", _BLIP, above(50)),
        ),
        "other models above InstructBLIP on images, of 16 (§4.2)": (
            *("none", 0, "yes", "Spatial", ("InstructBLIP", *_NOT_IT), above_first),
        ),
        "models of videos above InstructBLIP on videos, of 3 (§4.2)": (
            *("none", 0, "yes", "Temporal", (_BEST, *of_type(VIDEO)), above_first),
        ),
        "models of images above Video-ChatGPT on videos, of 12 (§4.3)": (
            *("most", 11, "yes", "Temporal", ("Video-ChatGPT", *of_type(IMAGE)), above_first),
        ),
        "models of images above Valley on videos, of 12 (§4.3)": (
            *("most", 10, "yes", "Temporal", ("Valley", *of_type(IMAGE)), above_first),
        ),
    }
)
"""Claim → how many the text says, how many it is by Table 3, whether that fits, and how it is counted."""

CLAIMS = PublishedTable(
    name="claims",
    title="What the text says of the models, and what Table 3 says",
    columns=("in Table 3",),
    rows=MappingProxyType({claim: (number,) for claim, (_, number, *_) in _CLAIMS.items()}),
    decimals=(0,),
    row="how many",
    labels=MappingProxyType(
        {claim: {"in the text": said, "fits": fits} for claim, (said, _, fits, *_) in _CLAIMS.items()}
    ),
    note="the text speaks of each dimension of videos, and Table 3 has their average",
    derivations=tuple(
        d
        for claim, (*_, column, names, formula) in _CLAIMS.items()
        for d in one(
            PublishedCell("claims", claim, "in Table 3"),
            [PublishedCell("table3", name, column) for name in names],
            formula,
            "counted in Table 3",
        )
    ),
)

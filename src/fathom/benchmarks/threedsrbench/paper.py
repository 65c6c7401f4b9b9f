"""The published tables of 3DSRBench as data.

How many questions each type has is not printed. Among multiples of 175 (the 2,100 questions are 175 of each
of twelve types) only one set adds up to the 2,625 of the real split and gives every overall: height, and two
of the three types of location, are asked both ways round. Those of the synthetic splits, 424 each, were found
in the same way; the paper says 846 in all. LLaVA-v1.5-7B on uncommon viewpoints fits 421 of them better.

The rows Random and Random++ have the mean of the twelve types under Overall, where every other row has a
share of all questions; weighted as those, they would be 21.7 and 46.7. They are what circular groups give, an
image and its mirror image counted apart.

The text at hand breaks off ten cells after the decimal point; they are left empty.

Ref: 3DSRBench §4, Tables 2 to 4.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from fathom.records import Derivation, PublishedCell, PublishedTable
from fathom.stats.chance import Guesser, over_types
from fathom.stats.derivations import along_rows, constant, loss, one, same, weighted

OPTIONS = MappingProxyType(
    {
        "height_higher": 2,
        "location_above": 2,
        "location_closer_to_camera": 2,
        "location_next_to": 2,
        "orientation_in_front_of": 2,
        "orientation_on_the_left": 2,
        "orientation_viewpoint": 4,
        "multi_object_closer_to": 2,
        "multi_object_facing": 2,
        "multi_object_viewpoint_towards_object": 4,
        "multi_object_parallel": 2,
        "multi_object_same_direction": 2,
    }
)
"""How many options each of the twelve types has."""

CATEGORIES = MappingProxyType(
    {
        "Height": "height",
        "Loc.": "location",
        "Orient.": "orientation",
        "Multi.": "multi_object",
    }
)
"""The four columns of Table 2, and how the names of their types begin."""

REAL = MappingProxyType({"Height": 350, "Loc.": 875, "Orient.": 525, "Multi.": 875})
SYNTHETIC = MappingProxyType({"Height": 40, "Loc.": 164, "Orient.": 96, "Multi.": 124})
"""How many questions each column has, in the real split and in each synthetic one: recovered, see above."""

_OPEN, _CLOSED, _CHANCE = "open-source", "proprietary", "baseline"
_COLUMNS = ("Overall", *CATEGORIES)
_GUESSERS: MappingProxyType[str, Guesser] = MappingProxyType({"Random": "random", "Random++": "random++"})

_TYPES = MappingProxyType(
    {
        "Random": _CHANCE,
        "Random++": _CHANCE,
        "Human": "human",
        "LLaVA-v1.5-7B": _OPEN,
        "Cambrian-1-8B": _OPEN,
        "LLaVA-NeXT-8B": _OPEN,
        "Qwen-VL-Plus": _CLOSED,
        "Qwen-VL-Max": _CLOSED,
        "Claude-Sonnet": _CLOSED,
        "Gemini-1.5-Flash": _CLOSED,
        "Gemini-1.5-Pro": _CLOSED,
        "GPT-4o-mini": _CLOSED,
        "GPT-4o": _CLOSED,
    }
)
_LABELS = MappingProxyType({name: {"type": kind} for name, kind in _TYPES.items()})


def types_of(column: str) -> dict[str, int]:
    """Return the types of question under a column of the tables (all under Overall), with their options."""
    start = CATEGORIES.get(column, "")
    return {name: k for name, k in OPTIONS.items() if name.startswith(start)}


def _chance(table: str, prefix: str = "") -> tuple[Derivation, ...]:
    """Return what the rows of guessers follow from: each type of question counts alike."""
    found: list[Derivation] = []
    for row, guesser in _GUESSERS.items():
        for column in _COLUMNS:
            types = types_of(column)
            share = over_types(types, dict.fromkeys(types, 1.0), "circular", guesser)
            found += one(
                PublishedCell(table, row, prefix + column),
                (),
                constant(100 * share),
                "guessing in circular groups, the mean over types of question",
            )
    return tuple(found)


def _overall(
    table: str, rows: Iterable[str], sizes: MappingProxyType[str, int], prefix: str = "", to: str = "Overall"
) -> tuple[Derivation, ...]:
    counted = ", ".join(map(str, sizes.values()))
    return along_rows(
        table,
        [r for r in rows if r not in _GUESSERS],
        prefix + to,
        [prefix + c for c in sizes],
        weighted(tuple(sizes.values())),
        f"the four columns, weighted by {counted} questions",
        recovered=True,
    )


_REAL_ROWS = MappingProxyType(
    {
        "Random": (20.9, 25.0, 25.0, 16.8, 20.1),
        "Random++": (45.8, 50.0, 50.0, 41.7, 45.0),
        "Human": (95.7, 92.9, 96.4, 97.7, 94.9),
        "LLaVA-v1.5-7B": (36.8, 38.5, 46.4, 27.7, 31.8),
        "Cambrian-1-8B": (44.1, 25.6, 57.0, 36.5, 43.1),
        "LLaVA-NeXT-8B": (49.6, 50.6, 62.7, 36.8, 43.6),
        "Claude-Sonnet": (46.9, 49.6, 60.0, 32.8, 41.2),
        "Gemini-1.5-Flash": (39.2, 39.8, 59.9, 13.2, 33.6),
        "Gemini-1.5-Pro": (49.1, 50.8, 62.9, 37.5, 41.3),
        "GPT-4o-mini": (39.1, 42.1, 51.8, 23.4, 34.6),
        "GPT-4o": (45.3, None, 62.3, None, 40.1),
    }
)

ACCURACY = PublishedTable(
    name="table2",
    title="Table 2: the real split, accuracy (%) in circular groups",
    columns=_COLUMNS,
    rows=_REAL_ROWS,
    note="Overall of Random and Random++ is the mean of twelve types, of the others a share of questions",
    ours=(
        ("accuracy_circular", {}),
        *(("accuracy_circular", {"category": name}) for name in CATEGORIES.values()),
    ),
    decimals=(1,) * 5,
    labels=_LABELS,
    sizes=MappingProxyType({"Overall": sum(REAL.values()), **REAL}),
    cut_short=MappingProxyType({("GPT-4o", "Height"): "49.", ("GPT-4o", "Orient."): "23."}),
    derivations=(*_chance("table2"), *_overall("table2", _REAL_ROWS, REAL)),
)

_ENCODERS = MappingProxyType(
    {
        "LLaVA-v1.5-7B": ("CLIP", "MLP"),
        "with DINOv2": ("CLIP + DINOv2", "MLP"),
        "with MAE": ("CLIP + MAE", "MLP"),
        "with SAM": ("CLIP + SAM", "MLP"),
        "with DINOv2, SVA": ("CLIP + DINOv2", "SVA"),
        "with MAE, SVA": ("CLIP + MAE", "SVA"),
    }
)

ENCODERS = PublishedTable(
    name="table3",
    title="Table 3: LLaVA-v1.5-7B with other vision encoders, accuracy (%)",
    columns=("Mean", *CATEGORIES),
    rows=MappingProxyType(
        {
            "LLaVA-v1.5-7B": (36.8, 38.5, 46.4, 27.7, None),
            "with DINOv2": (37.2, 45.9, 42.2, 28.7, 33.6),
            "with MAE": (33.1, 42.7, 39.2, 26.1, 27.5),
            "with SAM": (27.9, 44.6, 34.4, 16.5, 21.5),
            "with DINOv2, SVA": (37.8, 46.0, 43.1, 26.5, 35.9),
            "with MAE, SVA": (None, 45.3, 38.6, None, 30.2),
        }
    ),
    note="Mean is a share of all questions, as Overall in Table 2",
    decimals=(1,) * 5,
    labels=MappingProxyType(
        {name: {"vision": vision, "connector": joint} for name, (vision, joint) in _ENCODERS.items()}
    ),
    cut_short=MappingProxyType(
        {
            ("LLaVA-v1.5-7B", "Multi."): "31.",
            ("with MAE, SVA", "Mean"): "34.",
            ("with MAE, SVA", "Orient."): "25.",
        }
    ),
    derivations=(
        *_overall("table3", _ENCODERS, REAL, to="Mean"),
        *along_rows(
            "table3", ("LLaVA-v1.5-7B",), "Mean", ("Overall",), same, "Overall of Table 2", source="table2"
        ),
        *(
            d
            for column in CATEGORIES
            for d in along_rows(
                "table3",
                ("LLaVA-v1.5-7B",),
                column,
                (column,),
                same,
                "the same cell of Table 2",
                source="table2",
            )
        ),
    ),
)

COMMON, UNCOMMON = "common ", "uncommon "

_VIEWPOINT_ROWS = MappingProxyType(
    {
        "Random": (20.9, 25.0, 25.0, 16.8, 20.1, 20.9, 25.0, 25.0, 16.8, 20.1),
        "Random++": (45.8, 50.0, 50.0, 41.7, 45.0, 45.8, 50.0, 50.0, 41.7, 45.0),
        "LLaVA-v1.5-7B": (42.0, 40.0, 50.6, 20.8, 47.6, 38.0, 41.0, 43.6, 17.9, 45.2),
        "Cambrian-1-8B": (48.1, 37.5, 56.1, 39.6, 47.6, 39.9, 35.0, 45.7, 29.2, 41.9),
        "LLaVA-NeXT-8B": (45.5, None, 57.9, None, 50.0, None, 47.5, None, 7.3, None),
        "Qwen-VL-Plus": (30.7, 35.0, 37.8, 30.2, 20.2, 21.0, 15.0, 25.0, 22.9, 16.1),
        "Qwen-VL-Max": (55.2, 62.5, 69.5, 31.2, 52.4, 48.6, 52.5, 59.8, 24.0, 51.6),
        "Claude-Sonnet": (47.4, 47.5, 58.5, 26.0, 49.2, 39.4, 60.0, 48.2, 16.7, 38.7),
        "Gemini-1.5-Flash": (44.6, 57.5, 59.8, 13.5, 44.4, 37.7, 42.5, 45.7, 11.5, 46.0),
        "Gemini-1.5-Pro": (59.9, 65.0, 69.5, 50.0, 53.2, 49.5, 42.5, 52.4, 40.6, 54.8),
        "GPT-4o-mini": (46.5, 47.5, 53.7, 36.5, 44.4, 40.3, 42.5, 43.9, 33.3, 40.3),
        "GPT-4o": (51.2, 70.0, 70.1, 17.7, 46.0, 44.3, 60.0, 58.5, 15.6, 42.7),
    }
)

VIEWPOINTS = PublishedTable(
    name="table4",
    title="Table 4: synthetic images from common and uncommon viewpoints, accuracy (%)",
    columns=(*(COMMON + c for c in _COLUMNS), *(UNCOMMON + c for c in _COLUMNS)),
    rows=_VIEWPOINT_ROWS,
    ours=tuple(
        ("accuracy_circular", {"split and category": f"{split} {c}"} if c else {"split": split})
        for split in ("synthetic-common", "synthetic-uncommon")
        for c in ("", *CATEGORIES.values())
    ),
    decimals=(1,) * 10,
    labels=_LABELS,
    sizes=MappingProxyType(
        {
            split + column: n
            for split in (COMMON, UNCOMMON)
            for column, n in {"Overall": sum(SYNTHETIC.values()), **SYNTHETIC}.items()
        }
    ),
    cut_short=MappingProxyType(
        {
            ("LLaVA-NeXT-8B", COMMON + "Height"): "65.",
            ("LLaVA-NeXT-8B", COMMON + "Orient."): "10.",
            ("LLaVA-NeXT-8B", UNCOMMON + "Overall"): "36.",
            ("LLaVA-NeXT-8B", UNCOMMON + "Loc."): "44.",
            ("LLaVA-NeXT-8B", UNCOMMON + "Multi."): "46.",
        }
    ),
    derivations=(
        *_chance("table4", COMMON),
        *_chance("table4", UNCOMMON),
        *_overall("table4", _VIEWPOINT_ROWS, SYNTHETIC, COMMON),
        *_overall("table4", _VIEWPOINT_ROWS, SYNTHETIC, UNCOMMON),
    ),
)

_DROPS = MappingProxyType({"GPT-4o": 6.9, "Gemini-1.5-Pro": 10.4, "LLaVA-NeXT-8B": 8.7})
DROPS = PublishedTable(
    name="drops",
    title="§4.4: lost from common to uncommon viewpoints, points",
    columns=("lost",),
    rows=MappingProxyType({model: (value,) for model, value in _DROPS.items()}),
    note="published: Overall of one split less that of the other; ours over the same questions on both",
    ours=(("viewpoint_drop", {}),),
    decimals=(1,),
    derivations=tuple(
        d
        for model in _DROPS
        for d in one(
            PublishedCell("drops", model, "lost"),
            [PublishedCell("table4", model, split + "Overall") for split in (COMMON, UNCOMMON)],
            loss,
            "Overall of common minus uncommon viewpoints in Table 4",
        )
    ),
)

TABLES = (ACCURACY, ENCODERS, VIEWPOINTS, DROPS)

"""What reports show of 3DSRBench as its paper does: accuracy by category, and pairs of viewpoints.

Ref: 3DSRBench Figures 1 and 4.
"""

from __future__ import annotations

from fathom.benchmarks.threedsrbench.metrics import room_of
from fathom.benchmarks.threedsrbench.paper import CATEGORIES
from fathom.benchmarks.threedsrbench.tasks import SPLITS, split_of
from fathom.records import Contrast, FacetFigure, Question

_TITLES = {
    "height": "Height",
    "location": "Location",
    "orientation": "Orientation",
    "multi_object": "Multi-object",
}

FIGURES = (
    FacetFigure(
        facet="category",
        title="Accuracy by category, as in Figure 1",
        table="table2",
        parts=_TITLES,
        columns={category: column for column, category in CATEGORIES.items()},
        rows=("Cambrian-1-8B", "LLaVA-NeXT-8B", "Gemini-1.5-Pro", "GPT-4o"),
        line="Human",
    ),
)


def _same_question(question: Question) -> str:
    """Return what the same question on two viewpoints has in common: its words, the room, and its image."""
    pair = question.groups.pair
    return "\n".join((pair, room_of(question), question.tags.get("mirrored", ""))) if pair else ""


CONTRASTS = (
    Contrast(
        name="viewpoints",
        title="Right from a common viewpoint, wrong from an uncommon one",
        lead="The same question about the same room in two pictures, as in Figure 4. Who is right only from "
        "where a person would look goes by the picture.",
        key=_same_question,
        part=split_of,
        parts=SPLITS[1:],
        names=("common viewpoint", "uncommon viewpoint"),
    ),
)

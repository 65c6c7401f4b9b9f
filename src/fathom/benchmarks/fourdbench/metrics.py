"""The scores that are 4D-Bench's own: what is made of counterfactual objects; and what questions take.

Ref: 4D-Bench §4.3, Figure 6 (counterfactual), §3.3.2 (several views, time).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from fathom.records import Question, SampleScore, Score
from fathom.scoring.answers import gather
from fathom.scoring.metrics.priors import prior_choice

_TAKES: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("views", "one"): "one view is enough",
        ("views", "several"): "several views needed",
        ("time", "one"): "one frame is enough",
        ("time", "several"): "several frames needed",
    }
)
"""Tag and its value → what is said of such questions."""

FACETS: Mapping[str, Callable[[Question], str]] = MappingProxyType(
    {
        "views": lambda q: _TAKES.get(("views", q.tags.get("views", "")), ""),
        "time": lambda q: _TAKES.get(("time", q.tags.get("time", "")), ""),
    }
)
"""How many views and frames it takes to answer, where a question says so."""


def scores(questions: Sequence[Question], sample_scores: Sequence[SampleScore], seed: int) -> list[Score]:
    """Return how often the option of world knowledge was picked about counterfactual objects."""
    return prior_choice(gather(questions, sample_scores))

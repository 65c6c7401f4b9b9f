"""A still, observed under a rule set: who says what relation words mean there."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.ground_truth.views import Truth
from fathom.records import Scene
from fathom.verify.judges.fathom import FathomJudge
from fathom.verify.judges.published import PublishedJudge
from fathom.verify.observed.observations import Observation, observations
from fathom.verify.observed.still import Judge, ObservedStill

JUDGES: dict[str, Judge] = {
    "fathom": FathomJudge(),
    "fathom, version 1": FathomJudge(heading_long_px=0.0, along_view=False),
    "paper": PublishedJudge(),
}
"""Rule set → who says what its words mean."""


def observed_still(scene: Scene, truth: Truth, rules: str) -> ObservedStill:
    """Return what the truth of a still shows, its words judged by a rule set."""
    return still_of(scene, observations(truth), rules)


def still_of(scene: Scene, seen: Sequence[Observation], rules: str) -> ObservedStill:
    """Return a still of which this is seen, its words judged by a rule set."""
    return ObservedStill(scene, tuple(seen), JUDGES[rules])

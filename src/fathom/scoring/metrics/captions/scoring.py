"""From captions to scores with bootstrap intervals, and to the values of each caption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fathom.pages.published import NOT_AVAILABLE
from fathom.records import FathomError, Score
from fathom.scoring.metrics.captions.captions import Captioned, CaptionTools
from fathom.scoring.metrics.captions.protocols import TokenizedTexts, Values, metrics_of
from fathom.stats.bootstrap import drawn_sums, percentile_interval

Floats = NDArray[np.float64]

DRAWS = 2_000


@dataclass(frozen=True)
class CaptionScores:
    """Scores of captions, and the values of each caption in the order in which they were given."""

    scores: tuple[Score, ...]
    by_caption: tuple[Mapping[str, float], ...]


def score_captions(
    captions: Sequence[Captioned],
    protocol: str,
    tools: CaptionTools | None = None,
    seed: str | int = 0,
    metrics: Sequence[str] = (),
    group: Mapping[str, str] | None = None,
    called: str = "",
) -> CaptionScores:
    """Return the scores of captions under a protocol, each with its 95 % interval over objects.

    `called` is what the protocol is called in the scores' groups, where a benchmark has a name of its own.

    A metric whose tool is missing has no value, and its note says what is missing; where it is asked for by
    name, that is raised instead. A caption without a word gets 0 everywhere.
    """
    texts = TokenizedTexts(captions, tools or CaptionTools())
    label = {"protocol": called or protocol, **(group or {})}
    found: list[Values] = []
    absent: list[Score] = []
    for name, metric in metrics_of(protocol, metrics).items():
        try:
            found += metric(texts) if captions else []
        except FathomError as e:
            if metrics:
                raise
            absent.append(Score(name=name, value=None, n=0, method=NOT_AVAILABLE, group=label, note=str(e)))
    return CaptionScores(
        scores=(*_scores(found, captions, seed, label), *absent),
        by_caption=tuple({v.name: float(v.by_caption[i]) for v in found} for i in range(len(captions))),
    )


def _scores(
    found: Sequence[Values], captions: Sequence[Captioned], seed: str | int, label: Mapping[str, str]
) -> list[Score]:
    """Return a score for each metric; all share the same draws of objects."""
    if not found:
        return []
    names = [c.cluster or c.object for c in captions]
    order = {name: i for i, name in enumerate(sorted(set(names)))}
    rows = np.hstack([v.rows() for v in found])
    # Summed in the order of names, so that the order of captions cannot change the last digit.
    ranked = sorted(range(len(names)), key=lambda i: (names[i], captions[i].object, captions[i].repeat))
    by_object = np.zeros((len(order), rows.shape[1]))
    np.add.at(by_object, [order[names[i]] for i in ranked], rows[ranked])
    drawn = drawn_sums(by_object, DRAWS, f"{seed}/captions") if len(order) > 1 else None
    scores, start = [], 0
    for values in found:
        columns = slice(start, start + values.rows().shape[1])
        start = columns.stop
        whole = float(values.of_sums(by_object[:, columns].sum(axis=0, keepdims=True))[0])
        draws = None if drawn is None else values.of_sums(drawn[:, columns])
        scores.append(_score(values, whole, draws, len(order), label))
    return scores


def _score(
    values: Values, whole: float, draws: Floats | None, objects: int, label: Mapping[str, str]
) -> Score:
    bounds = percentile_interval(draws, objects) if draws is not None else None
    return Score(
        name=values.name,
        value=whole,
        n=len(values.by_caption),
        method=values.method + (f"; bootstrap over {objects} objects, 95 %" if bounds else ""),
        group=dict(label),
        low=bounds[0] if bounds else None,
        high=bounds[1] if bounds else None,
        note=values.note,
    )

"""Judge scores: means with intervals and bounds, outcomes, agreement with people, families."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fathom.records import InputError, SampleScore, Score
from fathom.scoring.judge import ASPECTS, BEST, WORST
from fathom.stats.bootstrap import drawn_sums, percentile_interval
from fathom.store.seeds import rng

Floats = NDArray[np.float64]

MOST_MISSING = 0.02
"""Beyond this share without a score a mean says more about the judge than about the captions."""

OUTCOMES = ("no caption", "unreadable", "out of bounds", "refused", "failed", "missing")

FAMILIES: Mapping[str, str] = {
    "openai": r"gpt|chatgpt|davinci|o[134](?:-mini|-preview|-pro)?",
    "claude": r"claude",
    "gemini": r"gemini|gemma|palm|paligemma",
    "llama": r"llama|vicuna",
    "qwen": r"qwen|qwq|qvq",
    "internlm": r"internlm|internvl",
    "llava": r"llava",
    "mistral": r"mistral|mixtral|pixtral|ministral",
    "deepseek": r"deepseek",
    "grok": r"grok",
    "phi": r"phi",
    "glm": r"glm|chatglm|cogvlm",
    "minicpm": r"minicpm",
    "molmo": r"molmo|olmo",
}
"""Names that a family's models go by: a whole word of a model's name, with a version behind it or not."""


def judge_scores(
    sample_scores: Sequence[SampleScore], model: str, judge: str, seed: str | int
) -> list[Score]:
    """Return the mean of each aspect and of both, 0 to 5, with 95 % intervals, bounds and outcomes.

    A mean is over captions with a score, and has no value where more than 2 % have none; its bounds are what
    it would be if each of these had got 0, or 5. The mean of both is over captions that have both.
    """
    note = _family_note(model, judge)
    places = _by_caption(sample_scores)
    columns = {aspect: np.array([row.get(aspect, np.nan) for row in places.values()]) for aspect in ASPECTS}
    columns["mean"] = (columns["appearance"] + columns["action"]) / 2
    cluster_of = {_place(m): m.cluster or m.question for m in sample_scores}
    clusters = [cluster_of[place] for place in places]
    scores = []
    for name, values in columns.items():
        scores += _mean_and_bounds(f"judge_{name}", values, clusters, judge, seed, note)
    for aspect in ASPECTS:
        hows = [m.how for m in sample_scores if m.variant.name == aspect]
        scores += [
            Score(name="judge_outcome", value=hows.count(how) / len(hows), n=len(hows),
                  method="share of judgements due", group={"aspect": aspect, "outcome": how})
            for how in OUTCOMES if hows
        ]  # fmt: skip
    return scores


def _place(sample_score: SampleScore) -> tuple[str, int]:
    return sample_score.question, sample_score.variant.repeat


def _by_caption(sample_scores: Sequence[SampleScore]) -> dict[tuple[str, int], dict[str, float]]:
    """Return the scores of each caption by aspect, captions in the order of their names."""
    found: dict[tuple[str, int], dict[str, float]] = {
        place: {} for place in sorted(map(_place, sample_scores))
    }
    for sample_score in sample_scores:
        if "score" in sample_score.details:
            found[_place(sample_score)][sample_score.variant.name] = sample_score.details["score"]
    return found


def _mean_and_bounds(
    name: str, values: Floats, clusters: Sequence[str], judge: str, seed: str | int, note: str
) -> list[Score]:
    known = np.isfinite(values)
    n, lost = len(values), int((~known).sum())
    if not n:
        return []
    bounds = Score(
        name=f"{name}_bounds",
        value=None,
        n=n,
        method=f"the mean if each of the {lost} captions without a score had got {WORST}, or {BEST}",
        low=float(np.where(known, values, WORST).mean()),
        high=float(np.where(known, values, BEST).mean()),
    )
    method = f"mean of 0 to 5, judged by {judge}"
    if lost > MOST_MISSING * n:
        why = f"{lost} of {n} captions have no score, more than {MOST_MISSING:.0%}: see the bounds"
        return [Score(name=name, value=None, n=n - lost, method=method, note=why), bounds]
    interval = _interval(values[known], [c for c, k in zip(clusters, known, strict=True) if k], seed)
    return [
        Score(
            name=name,
            value=float(values[known].mean()),
            n=n - lost,
            method=method + ("; bootstrap over objects, 95 %" if interval else ""),
            low=interval[0] if interval else None,
            high=interval[1] if interval else None,
            note=note,
        ),
        bounds,
    ]


def _interval(values: Floats, clusters: Sequence[str], seed: str | int) -> tuple[float, float] | None:
    names = sorted(set(clusters))
    place = {name: i for i, name in enumerate(names)}
    codes = np.array([place[c] for c in clusters], dtype=np.intp)
    if len(names) < 2:
        return None
    rows = np.stack([np.bincount(codes, weights=values), np.bincount(codes)], axis=1).astype(np.float64)
    sums = drawn_sums(rows, 2_000, f"{seed}/judge")
    return percentile_interval(sums[:, 0] / sums[:, 1], len(names))


def agreement(judged: ArrayLike, human: ArrayLike, seed: str | int, draws: int = 1_000) -> list[Score]:
    """Return Spearman's ρ, Kendall's τ-b and the share of exactly equal scores, with 95 % intervals.

    `judged` and `human` (n,) are scores of the same captions. A coefficient has no value where either side
    is all alike.
    """
    a, b = np.asarray(judged, dtype=float), np.asarray(human, dtype=float)
    if a.shape != b.shape or not len(a) or not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise InputError(
            "agreement needs as many scores of people as of the judge, and at least one; found "
            f"{len(b)} and {len(a)}"
        )
    levels_a, row = np.unique(a, return_inverse=True)
    levels_b, column = np.unique(b, return_inverse=True)
    exact = (levels_a[:, None] == levels_b[None, :]).astype(float)
    measures: Mapping[str, Callable[[Floats], Floats]] = {
        "spearman": spearman,
        "kendall_tau_b": kendall,
        "exact": lambda t: (t * exact).sum(axis=(1, 2)) / t.sum(axis=(1, 2)),
    }
    cell, shape = row * len(levels_b) + column, exact.shape
    one = np.bincount(cell, minlength=exact.size).reshape(1, *shape).astype(float)
    drawn: dict[str, list[Floats]] = {name: [] for name in measures}
    if len(a) > 1:
        for tables in _drawn_tables(cell, shape, seed, draws):
            for name, measure in measures.items():
                drawn[name].append(measure(tables))
    return [_agreement(name, float(m(one)[0]), drawn[name], len(a)) for name, m in measures.items()]


def _agreement(name: str, value: float, drawn: Sequence[Floats], n: int) -> Score:
    known = bool(np.isfinite(value))
    bounds = percentile_interval(np.concatenate(drawn), n) if drawn and known else None
    return Score(
        name=f"judge_agreement_{name}",
        value=value if known else None,
        n=n,
        method="judge against people" + ("; bootstrap over captions, 95 %" if bounds else ""),
        low=bounds[0] if bounds else None,
        high=bounds[1] if bounds else None,
        note="" if known else "one side's scores are all alike",
    )


def _drawn_tables(
    cell: NDArray[np.intp], shape: tuple[int, ...], seed: str | int, draws: int
) -> Iterator[Floats]:
    """Yield tables (some, levels, levels) of resampled pairs of scores, as many as memory holds."""
    known, of = np.unique(cell, return_inverse=True)
    counts = rng(seed, "judge agreement").multinomial(len(cell), np.bincount(of) / len(cell), size=draws)
    at_once = max(1, 4_000_000 // (shape[0] * shape[1]))
    for start in range(0, draws, at_once):
        some = counts[start : start + at_once]
        table = np.zeros((len(some), shape[0] * shape[1]))
        table[:, known] = some
        yield table.reshape(len(some), *shape)


def spearman(tables: Floats) -> Floats:
    """Return Spearman's ρ, ties at their mean rank, of tables (draws, a, b) of two scores, (draws,)."""
    total = tables.sum(axis=(1, 2))
    ranks = []
    for axis in (2, 1):
        margin = tables.sum(axis=axis)
        ranks.append(np.cumsum(margin, axis=1) - margin / 2 - total[:, None] / 2)
    first, second = ranks
    both = np.einsum("dab,da,db->d", tables, first, second)
    alone = np.einsum("dab,da->d", tables, first**2) * np.einsum("dab,db->d", tables, second**2)
    found: Floats = np.divide(both, np.sqrt(alone), out=np.full(len(both), np.nan), where=alone > 0)
    return found


def kendall(tables: Floats) -> Floats:
    """Return Kendall's τ-b of tables (draws, a, b) of two scores, (draws,)."""
    total = tables.sum(axis=(1, 2))
    below = np.cumsum(np.cumsum(tables, axis=1), axis=2)
    left = np.zeros_like(tables)
    left[:, 1:, 1:] = below[:, :-1, :-1]
    concordant = (tables * left).sum(axis=(1, 2))
    backwards = np.cumsum(np.cumsum(tables[:, :, ::-1], axis=1), axis=2)
    right = np.zeros_like(tables)
    right[:, 1:, 1:] = backwards[:, :-1, :-1]
    discordant = (tables[:, :, ::-1] * right).sum(axis=(1, 2))
    pairs = total * (total - 1) / 2
    untied = [pairs - (m * (m - 1) / 2).sum(axis=1) for m in (tables.sum(axis=2), tables.sum(axis=1))]
    scale = np.sqrt(np.maximum(untied[0] * untied[1], 0))
    found: Floats = np.divide(
        concordant - discordant, scale, out=np.full(len(total), np.nan), where=scale > 0
    )
    return found


def families(model: str) -> frozenset[str]:
    """Return the families that a model's name names; one built on another names both."""
    words = re.split(r"[^a-z0-9.]+", model.lower())
    return frozenset(
        family
        for family, names in FAMILIES.items()
        if any(re.fullmatch(rf"(?:{names})(?:v|vl|next)?[\d.]*[a-z]?", word) for word in words)
    )


def same_family(model: str, judge: str) -> bool:
    """Return whether a model is judged by one of its own kind, as far as names tell."""
    return bool(families(model) & families(judge))


def _family_note(model: str, judge: str) -> str:
    if not same_family(model, judge):
        return ""
    shared = ", ".join(sorted(families(model) & families(judge)))
    return f"judge and model are of one family ({shared}): it may favor its own"

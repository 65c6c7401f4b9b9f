"""What a build found about its own dataset of videos, and whether each promise is kept."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from statistics import NormalDist

from fathom.datasets.findings import CheckResult
from fathom.pages.tables import Table, per_cent
from fathom.questions.candidate import AnySelection
from fathom.questions.numeric.guessers import guessers, single_values
from fathom.records import Question, Scene
from fathom.scenes.videos.audit import KINDS, VideoAudit, together
from fathom.stats.blind_verdicts import NOTICED

LEAST_ASKED = 0.9
"""Which share of the questions that are wanted has to be asked."""

PLACES = range(5)

PLACES_TOGETHER = NormalDist().inv_cdf(1 - 0.05 / 2 / len(PLACES))
"""By so many standard deviations one of the places is off by chance in one set of twenty."""

MOST_LISTED = 20
"""So many faults of worlds are listed."""


def placement_table(worlds: Sequence[tuple[Scene, VideoAudit]]) -> Table:
    """Return what the audit of worlds found at each scale."""
    scales: dict[str, list[VideoAudit]] = defaultdict(list)
    for scene, audit in worlds:
        scales[scene.source["setting"]].append(audit)
    rows, notes = [], []
    for name, audits in scales.items():
        found = together(audits)
        counts = found.counts()
        looked_at = (found.scenes, found.objects, found.moving, found.frames)
        rows.append((name, *(f"{n:,}" for n in looked_at), *(str(counts[k]) for k in KINDS)))
        notes += [f.words for f in found.faults]
    return Table(
        title="Placement audit: what floats, sinks, collides, is out of reach or too fast",
        columns=("scale", "videos", "objects", "moving", "frames", *KINDS),
        rows=tuple(rows),
        notes=tuple(notes[:MOST_LISTED]),
    )


def errors_table(asked: Sequence[Question]) -> Table:
    """Return the sampled errors of each quantity at each scale: the least, the median and the greatest."""
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    for q in asked:
        if q.sampled_error is not None:
            found[q.tags["setting"], q.tags["quantity"], q.tags.get("unit", "")].append(q.sampled_error)
    rows = []
    for (setting, quantity, unit), errors in sorted(found.items()):
        ordered = sorted(errors)
        ends = (ordered[0], ordered[len(ordered) // 2], ordered[-1])
        rows.append((setting, quantity, unit, str(len(errors)), *(f"{e:.3g}" for e in ends)))
    return Table(
        title="Sampled errors, SI units and degrees",
        columns=("scale", "quantity", "shown in", "questions", "least", "median", "greatest"),
        rows=tuple(rows),
    )


def _enough(asked: Sequence[Question], selection: AnySelection) -> CheckResult:
    wanted = sum(selection.wanted.values()) or len(asked)
    share = len(asked) / max(wanted, 1)
    short = sorted(((n, f"{t} {s}") for (t, s), n in selection.short.items() if n), reverse=True)
    words = f"{len(asked)} of {wanted}"
    words += f"; missing: {', '.join(f'{name} ({n})' for n, name in short)}" if short else ""
    if share < LEAST_ASKED:
        words += "; build more videos"
    name = f"at least {per_cent(LEAST_ASKED, 0)} % of the questions wanted are asked"
    return CheckResult(name=name, passed=share >= LEAST_ASKED, found=words)


def _even(asked: Sequence[Question]) -> CheckResult:
    """Return whether any place by size is the answer's oftener, or more seldom, than chance would have it."""
    counts: Counter[int] = Counter()
    for q in asked:
        values = single_values(q.choices)
        if values:
            own = values[q.choices.index(q.answer)]
            counts[sum(v < own for v in values)] += 1
    total, share = counts.total(), 1 / len(PLACES)
    off = max(abs(counts[r] - share * total) for r in PLACES)
    words = ", ".join(per_cent(counts[r] / max(total, 1)) for r in PLACES)
    return CheckResult(
        name="each rank by size among five numbers is as likely to be right",
        passed=off <= PLACES_TOGETHER * math.sqrt(total * share * (1 - share)),
        found=f"from the smallest to the largest, right in {words} % of {total}",
    )


def video_promises(
    asked: Sequence[Question], selection: AnySelection, audits: Sequence[VideoAudit]
) -> Iterator[CheckResult]:
    """Yield the promises about videos and their questions with options."""
    audited, guessed = together(audits), guessers(asked)
    above = [g.guesser for g in guessed if not g.fair and g.accuracy > 0.2]
    yield CheckResult(
        name="worlds are physically possible",
        passed=not audited.faults,
        found=f"{len(audited.faults)} faults in {audited.scenes} videos",
    )
    yield _enough(asked, selection)
    yield _even(asked)
    yield CheckResult(
        name="simple guessers that never look are at chance",
        passed=not above,
        found=", ".join(f"{g.guesser} {per_cent(g.accuracy)} %" for g in guessed),
        told=all(g.noticeable <= NOTICED for g in guessed),
    )

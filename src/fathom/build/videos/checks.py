"""What a build found about its own dataset of videos, and whether each promise is kept."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import NormalDist

from fathom.build.checks import (
    Checks,
    Disagreement,
    Kept,
    blind_promise,
    blind_table,
    text_promises,
    verdict_table,
)
from fathom.build.options.fine.guessers import Guessed, guessers, single_values
from fathom.build.questions.tracks.choosing import Selection
from fathom.build.questions.tracks.summary import tables_of
from fathom.build.texts import Texts
from fathom.build.videos.stages import VideoProof
from fathom.build.worlds.videos.audit import KINDS, Audit, together
from fathom.pages.tables import Table, per_cent
from fathom.records import Question, Scene
from fathom.stats.blind_verdicts import NOTICED, BlindResult

VERDICTS = ("agree", "disagree", "cannot decide")

LEAST_ASKED = 0.9
"""Which share of the questions that are wanted has to be asked."""

PLACES = range(5)

PLACES_TOGETHER = NormalDist().inv_cdf(1 - 0.05 / 2 / len(PLACES))
"""By so many standard deviations one of the places is off by chance in one set of twenty."""

MOST_LISTED = 20
"""So many faults of worlds are listed."""


@dataclass
class VideoFindings:
    """What is counted while the questions of videos are made."""

    selection: Selection
    questions: list[Question] = field(default_factory=list)
    second: Counter[tuple[str, str]] = field(default_factory=Counter)
    disagreements: list[Disagreement] = field(default_factory=list)
    texts: Texts = field(default_factory=Texts)

    def proved(self, proof: VideoProof) -> None:
        """Count a video's questions and their second derivations."""
        self.questions += proof.questions
        self.texts.add(proof.questions, proof.texts)
        for q in proof.questions:
            verdict = proof.verdicts[q.id]
            self.second[q.task, verdict] += 1
            if verdict == "disagree":
                self.disagreements.append(
                    Disagreement(question=q.id, first=q.answer, second=proof.second[q.id])
                )

    def total(self, verdict: str) -> int:
        """Return how many second derivations came to a verdict."""
        return sum(n for (_, v), n in self.second.items() if v == verdict)


def video_checks_of(
    asked: Sequence[Question],
    findings: VideoFindings,
    blind: BlindResult,
    worlds: Sequence[tuple[Scene, Audit]],
) -> Checks:
    """Return what was found about a dataset of videos; `asked` are its questions with options."""
    guessed = guessers(asked)
    verdicts = _verdicts(asked, findings, blind, guessed, together(a for _, a in worlds))
    return Checks(
        verdicts=verdicts,
        tables=(
            _placement(worlds),
            *tables_of(findings.questions, findings.selection),
            _second(findings),
            *findings.texts.tables(),
            _errors(asked),
            blind_table(blind),
            verdict_table(verdicts),
        ),
    )


def _placement(worlds: Sequence[tuple[Scene, Audit]]) -> Table:
    scales: dict[str, list[Audit]] = defaultdict(list)
    for scene, audit in worlds:
        scales[scene.source["setting"]].append(audit)
    rows, notes = [], []
    for name, audits in scales.items():
        found = together(audits)
        counts = found.counts()
        looked_at = (found.scenes, found.things, found.moving, found.frames)
        rows.append((name, *(f"{n:,}" for n in looked_at), *(str(counts[k]) for k in KINDS)))
        notes += [f.words for f in found.faults]
    return Table(
        title="Placement audit: what floats, sinks, collides, is out of reach or too fast",
        columns=("scale", "videos", "things", "moving", "frames", *KINDS),
        rows=tuple(rows),
        notes=tuple(notes[:MOST_LISTED]),
    )


def _second(findings: VideoFindings) -> Table:
    tasks = dict.fromkeys(q.task for q in findings.questions)
    return Table(
        title="Second derivation, from ids, depth and the camera at the shown frames",
        columns=("task", *VERDICTS),
        rows=tuple((t, *(str(findings.second[t, v]) for v in VERDICTS)) for t in tasks),
    )


def _errors(asked: Sequence[Question]) -> Table:
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


def _enough(asked: Sequence[Question], selection: Selection) -> Kept:
    wanted = sum(selection.wanted.values()) or len(asked)
    share = len(asked) / max(wanted, 1)
    short = sorted(((n, f"{t} {s}") for (t, s), n in selection.short.items() if n), reverse=True)
    words = f"{len(asked)} of {wanted}"
    words += f"; missing: {', '.join(f'{name} {n}' for n, name in short)}" if short else ""
    if share < LEAST_ASKED:
        words += "; build more videos"
    name = f"at least {per_cent(LEAST_ASKED, 0)} % of what is wanted is asked"
    return Kept(name=name, passed=share >= LEAST_ASKED, found=words)


def _even(asked: Sequence[Question]) -> Kept:
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
    return Kept(
        name="of five numbers each place by size is as likely",
        passed=off <= PLACES_TOGETHER * math.sqrt(total * share * (1 - share)),
        found=f"the least to the greatest is the answer in {words} % of {total}",
    )


def _verdicts(
    asked: Sequence[Question],
    findings: VideoFindings,
    blind: BlindResult,
    guessed: Sequence[Guessed],
    audited: Audit,
) -> tuple[Kept, ...]:
    n = len(findings.questions)
    margins = [q.margin.ratio for q in asked if q.margin is not None]
    above = [g.guesser for g in guessed if not g.fair and g.accuracy > 0.2]
    words = ", ".join(f"{g.guesser} {per_cent(g.accuracy)} %" for g in guessed)
    return (
        Kept(
            name="worlds are possible",
            passed=not audited.faults,
            found=f"{len(audited.faults)} faults in {audited.scenes} videos",
        ),
        Kept(
            name="both derivations agree",
            passed=not findings.disagreements,
            found=f"{len(findings.disagreements)} disagree, {findings.total('cannot decide')} cannot decide, "
            f"of {n}",
        ),
        *text_promises(findings.texts),
        Kept(
            name="every margin clears its tolerance",
            passed=all(m >= 1 for m in margins),
            found=f"{sum(m < 1 for m in margins)} of {len(margins)}, smallest {min(margins, default=0):.2f}",
        ),
        _enough(asked, findings.selection),
        _even(asked),
        blind_promise(blind),
        Kept(
            name="named guessers are at chance",
            passed=not above,
            found=words,
            told=all(g.noticeable <= NOTICED for g in guessed),
        ),
    )

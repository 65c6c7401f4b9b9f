"""What a build found about its own dataset of films, and whether each promise is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fathom.build.checks import (
    Checks,
    Disagreement,
    Kept,
    blind_promise,
    blind_table,
    text_promises,
    verdict_table,
)
from fathom.build.curation.agreement import agreement_rows
from fathom.build.curation.curate import Curation, curation_rows
from fathom.build.film_stages import StoryProof
from fathom.build.questions.stories.asking import Mix
from fathom.build.questions.stories.summary import StoryTally, both_share, tables_of
from fathom.build.texts import Texts
from fathom.pages.tables import Table, per_cent
from fathom.records import Question
from fathom.stats.blind_verdicts import BlindResult


@dataclass
class FilmFindings:
    """What is counted while the questions of films are made."""

    tally: StoryTally = field(default_factory=StoryTally)
    second: Counter[tuple[str, str]] = field(default_factory=Counter)
    disagreements: list[Disagreement] = field(default_factory=list)
    texts: Texts = field(default_factory=Texts)
    captions: int = 0
    untrue: dict[str, str] = field(default_factory=dict)

    def proved(self, proof: StoryProof) -> None:
        """Count a film's questions, the last check of each, and its second derivations."""
        self.tally.checked.update(proof.found)
        self.texts.add(proof.questions, proof.texts)
        self.captions += len(proof.captions)
        self.untrue.update(proof.untrue)
        for q in proof.questions:
            first, second = proof.first[q.id], proof.second[q.id]
            verdict = "cannot decide" if second is None else "agree" if second == first else "disagree"
            self.second[q.task, verdict] += 1
            if second is not None and second != first:
                self.disagreements.append(Disagreement(question=q.id, first=first, second=second))

    def total(self, verdict: str) -> int:
        """Return how many second derivations came to a verdict."""
        return sum(n for (_, v), n in self.second.items() if v == verdict)


def film_checks_of(
    questions: Sequence[Question],
    findings: FilmFindings,
    blind: BlindResult,
    mix: Mix,
    curation: Curation,
) -> Checks:
    """Return what was found about a dataset of films."""
    verdicts = _verdicts(questions, findings, blind, mix)
    return Checks(
        verdicts=verdicts,
        tables=(
            *curation_tables(curation),
            *tables_of(questions, findings.tally),
            _second_table(findings),
            *findings.texts.tables(),
            blind_table(blind),
            verdict_table(verdicts),
        ),
    )


MOST_LISTED = 30
"""So many of the objects that left are listed; all of them stand in curation.json."""


def curation_tables(curation: Curation) -> Iterator[Table]:
    """Yield what curation did: what each stage left, motion found and true, and what went and why."""
    heading, *rows = curation_rows(curation)
    yield Table(
        title="Objects",
        columns=heading,
        rows=tuple(rows),
        notes=(
            f"evenness of categories {curation.after.categories_even:.2f}, of kinds of motion "
            f"{curation.after.motions_even:.2f} (1: all as often)",
            *_recolored(curation),
            *(f"{name}: a verdict on it, but there is no such object" for name in curation.unknown_verdicts),
        ),
    )
    if curation.agreement:
        heading, *rows = agreement_rows(curation.agreement)
        yield Table(title="Motion found in pixels, against the animation", columns=heading, rows=tuple(rows))
    gone = (*curation.assets, *curation.dropped)
    if gone:
        counts = Counter(d.stage for d in gone)
        more = len(gone) - MOST_LISTED
        yield Table(
            title="Left out",
            columns=("because of", "assets, clips and objects"),
            rows=tuple((stage, str(n)) for stage, n in counts.items()),
            notes=(
                *(f"{d.name}: {d.reason}" for d in gone[:MOST_LISTED]),
                *((f"{more:,} more stand in curation.json",) if more > 0 else ()),
            ),
        )


def _recolored(curation: Curation) -> Iterator[str]:
    for one, other in curation.duplicates.recolored[:5]:
        yield f"{other} has the shape of {one} in other colours"


def _second_table(findings: FilmFindings) -> Table:
    tasks = sorted({task for task, _ in findings.second})
    columns = ("agree", "disagree", "cannot decide")
    return Table(
        title="Second derivation",
        columns=("task", *columns),
        rows=(
            *((t, *(str(findings.second[t, v]) for v in columns)) for t in tasks),
            ("captions", str(findings.captions - len(findings.untrue)), str(len(findings.untrue)), "0"),
        ),
    )


def _verdicts(
    questions: Sequence[Question], findings: FilmFindings, blind: BlindResult, mix: Mix
) -> tuple[Kept, ...]:
    n = len(questions)
    margins = [q.margin.ratio for q in questions if q.margin is not None]
    undecided = findings.total("cannot decide")
    both = both_share(questions)
    sigmas, places = _favoured(questions)
    return (
        Kept(
            name="both derivations agree",
            passed=not findings.disagreements,
            found=f"{len(findings.disagreements)} disagree, {undecided} cannot decide, of {n}",
        ),
        *text_promises(findings.texts),
        Kept(
            name="every caption is true",
            passed=not findings.untrue,
            found=f"the second check disagrees with {len(findings.untrue)} of {findings.captions}",
        ),
        Kept(
            name="every margin clears its tolerance",
            passed=all(m >= 1 for m in margins),
            found=f"{sum(m < 1 for m in margins)} of {n}, smallest {min(margins, default=0):.2f}",
        ),
        Kept(
            name="enough needs several views and several times",
            passed=both >= mix.both,
            found=f"{per_cent(both)} %, {per_cent(mix.both)} % wanted",
            enforced=False,
        ),
        blind_promise(blind),
        Kept(name="the right choice stands anywhere", passed=sigmas <= 3.5, found=places),
    )


def _favoured(questions: Sequence[Question]) -> tuple[float, str]:
    """Return how far the places of the right choices are from even, in standard deviations of the worst."""
    firsts = Counter(q.choices.index(q.answer) for q in questions)
    n, k = len(questions), max((len(q.choices) for q in questions), default=1)
    spread = (n * (1 / k) * (1 - 1 / k)) ** 0.5
    worst = max((abs(firsts[place] - n / k) for place in range(k)), default=0.0)
    return worst / max(spread, 1e-9), ", ".join(f"{'ABCDEFGH'[place]} {firsts[place]}" for place in range(k))

"""What a build found about its own dataset of animated objects, and whether each promise is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fathom.curation.agreement import agreement_rows
from fathom.curation.curate import Curation, curation_rows
from fathom.datasets.findings import CheckResult
from fathom.pages.tables import Table, per_cent
from fathom.questions.mix import AnimatedMix
from fathom.questions.summary.animated import both_share, several_share
from fathom.records import Question

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
            f"{curation.after.motions_even:.2f} (1: all equally often)",
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
        yield f"{other} has the shape of {one} in other colors"


def object_promises(questions: Sequence[Question], mix: AnimatedMix) -> Iterator[CheckResult]:
    """Yield the promises about questions on animated objects."""
    both = both_share(questions)
    sigmas, places = _favoured(questions)
    yield CheckResult(
        name="enough questions need several views and several times",
        passed=both >= mix.both,
        found=f"{per_cent(both)} %, {per_cent(mix.both)} % wanted",
        enforced=False,
    )
    for tag, wanted in (("views", mix.views), ("time", mix.times)):
        if wanted:
            share = several_share(questions, tag)
            yield CheckResult(
                name=f"enough questions need several {'views' if tag == 'views' else 'times'}",
                passed=share >= wanted,
                found=f"{per_cent(share)} %, {per_cent(wanted)} % wanted",
                enforced=False,
            )
    yield CheckResult(name="the right option is as likely in each place", passed=sigmas <= 3.5, found=places)


def _favoured(questions: Sequence[Question]) -> tuple[float, str]:
    """Return how far the places of the right choices are from even, in standard deviations of the worst."""
    firsts = Counter(q.choices.index(q.answer) for q in questions)
    n, k = len(questions), max((len(q.choices) for q in questions), default=1)
    spread = (n * (1 / k) * (1 - 1 / k)) ** 0.5
    worst = max((abs(firsts[place] - n / k) for place in range(k)), default=0.0)
    return worst / max(spread, 1e-9), ", ".join(
        f"{'ABCDEFGH'[place]} ({firsts[place]})" for place in range(k)
    )

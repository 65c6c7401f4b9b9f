"""What is said of every dataset that is built: whether each promise is kept, and what is in it.

Ref: docs/architecture.md; every row is also in checks.json.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fathom.datasets.findings import CheckResult, Checks, Findings, Made
from fathom.datasets.generator import made_by
from fathom.datasets.proofs import UNDECIDED, VERDICTS
from fathom.english import rounded
from fathom.pages.tables import Table, per_cent
from fathom.stats.blind_verdicts import TOO_FEW, BlindResult, seen_words

SMALL_SETS = (
    'NO and "too few to tell" are usual in small sets: shares come near their targets only with many scenes, '
    "and the blind stress test needs about 2,000 questions to rule out a leak of 5 points"
)


def checks_of(made: Made) -> Checks:
    """Return what was found about a dataset."""
    generator = made_by(made.plan)
    verdicts = tuple(_promises(made))
    return Checks(
        verdicts=verdicts,
        tables=(
            *generator.tables(made),
            second_table(made.findings),
            *made.findings.texts.tables(),
            blind_table(made.blind),
            verdict_table(verdicts),
        ),
    )


def _promises(made: Made) -> Iterator[CheckResult]:
    """Yield the promises about a dataset: those of every one, and its generator's."""
    findings, n = made.findings, len(made.questions)
    enforced = made_by(made.plan).enforced(made.plan)
    yield CheckResult(
        name="both derivations agree",
        passed=not findings.disagreements,
        found=f"{len(findings.disagreements)} disagree, {findings.total(UNDECIDED)} cannot decide, of {n}",
        enforced=enforced,
    )
    if findings.texts.counts:
        yield CheckResult(
            name="each question's text means what its program computes",
            passed=not findings.texts.faults,
            found=findings.texts.words,
        )
    if findings.captions:
        yield CheckResult(
            name="every caption is true",
            passed=not findings.untrue,
            found=f"the second check disagrees with {len(findings.untrue)} of {len(findings.captions)}",
        )
    margins = [q.margin.ratio for q in made.questions if q.margin is not None]
    below, smallest = sum(m < 1 for m in margins), min(margins, default=0)
    yield CheckResult(
        name="every margin clears its tolerance",
        passed=not below,
        found=f"{below} of {n}, smallest {smallest:.2f}",
        enforced=enforced,
    )
    yield from made_by(made.plan).promises(made)
    yield blind_promise(made.blind, enforced)


def second_table(findings: Findings) -> Table:
    """Return how the second derivation of answers, and the second check of captions, compares."""
    tasks = sorted({task for task, _ in findings.second})
    rows = [(t, *(str(findings.second[t, v]) for v in VERDICTS)) for t in tasks]
    if findings.captions:
        untrue = len(findings.untrue)
        rows.append(("captions", str(len(findings.captions) - untrue), str(untrue), "0"))
    return Table(title="Second derivation", columns=("task", *VERDICTS), rows=tuple(rows))


def blind_table(blind: BlindResult) -> Table:
    """Return what the blind stress test found."""
    told = [(f, f.verdict.replace("above chance", "ABOVE CHANCE")) for f in blind.folds]
    told += [(f, f.verdict.replace("above chance", "ABOVE CHANCE")) for f in blind.tasks]
    if blind.same_picture is not None:
        told.append((blind.same_picture, "reported"))
    rows = tuple(
        (
            f.folds,
            str(f.n),
            per_cent(f.chance, 2),
            per_cent(f.accuracy, 2),
            f"[{per_cent(f.low, 2)}, {per_cent(f.high, 2)}]",
            rounded(100 * f.noticeable) if f.noticeable < 1 else "–",
            verdict,
        )
        for f, verdict in told
    )
    leaned = [name for f in blind.folds if f.verdict == "above chance" for name, _ in f.cues[:3]]
    notes = [seen_words(blind)] if seen_words(blind) else []
    if leaned:
        notes.append(f"what it leans on: {', '.join(dict.fromkeys(leaned))}")
    if blind.same_picture is not None:
        notes.append(
            "same picture: this row is also told the answers to other questions on a picture, which no model "
            "is; it shows how far answers on one picture are correlated, and nothing is required of it"
        )
    return Table(
        title="Blind stress test: a random forest classifier that never sees a picture",
        columns=(
            "cross-validation",
            "n",
            "chance, %",
            "guessed, %",
            "joint 95 % bounds",
            "smallest detectable leak, points",
            "",
        ),
        rows=rows,
        notes=tuple(notes),
    )


def verdict_table(verdicts: Sequence[CheckResult]) -> Table:
    """Return the promises, and whether each is kept."""
    return Table(
        title="Checks",
        columns=("check", "passed", "found"),
        rows=tuple((v.name, v.verdict, v.found) for v in verdicts),
        notes=() if all(v.verdict == "yes" for v in verdicts) else (SMALL_SETS,),
    )


def blind_promise(blind: BlindResult, enforced: bool = True) -> CheckResult:
    """Return the promise that nothing can be guessed blind: kept only where one would have been noticed."""
    return CheckResult(
        name="nothing can be guessed blind",
        passed=blind.passed,
        found=blind_words(blind),
        enforced=enforced,
        told=blind.verdict != TOO_FEW,
    )


def blind_words(blind: BlindResult) -> str:
    """Return what was guessed blind in each way to hold out, for which chance, and what would be noticed."""
    told = "; ".join(f"{per_cent(f.accuracy)} % for {per_cent(f.chance)} %" for f in blind.folds)
    leaks = ", ".join(f.folds for f in blind.leaks)
    return "; ".join(s for s in (told, leaks and f"above chance: {leaks}", seen_words(blind)) if s)

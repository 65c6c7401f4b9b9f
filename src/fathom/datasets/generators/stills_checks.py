"""What a build found about its own dataset of scenes that stand still, and whether each promise is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fathom.assets.libraries import Library
from fathom.datasets.findings import CheckResult
from fathom.datasets.shares import shares_table, shares_words
from fathom.pages.tables import Table, listed, per_cent
from fathom.questions.asking import Asking
from fathom.questions.tally import Tally
from fathom.records import Question, Scene
from fathom.scenes.census import Census, census
from fathom.scenes.scatter_settings import Scatter

UNIFORM_FROM_P = 0.001
"""Below this chance of being uniform, a census is called uneven."""


def still_tables(
    questions: Sequence[Question], tally: Tally, asking: Asking, drawn: Sequence[Census], scenes: int
) -> Iterator[Table]:
    """Yield what was asked, of what was wanted and drawn; so many `scenes` were asked for."""
    yield _questions_table(tally)
    yield shares_table(questions, asking, scenes)
    yield _asked_table(questions)
    yield _census_table(drawn)


def drawn_of(
    first: Sequence[Scene], scenes: Sequence[Scene], library: Library, world: Scatter
) -> Sequence[Census]:
    """Return the census of what was drawn: how many objects there are in the `first` scenes, and all else in
    all `scenes`.
    """
    kinds = [s for _, s in library.subtypes()]
    of = (kinds, list(world.sizes), world.colors, world.fewest, world.most)
    return (census(first, *of)[0], *census(scenes, *of)[1:])


def _questions_table(tally: Tally) -> Table:
    rows = []
    for task, answers in sorted(tally.answers.items()):
        n = answers.total()
        bits, most = tally.entropy_bits(task)
        rows.append(
            (
                task,
                str(n),
                str(tally.short[task]),
                str(len(answers)),
                f"{bits:.2f} of {most:.2f}",
                per_cent(tally.chance[task] / n),
            )
        )
    return Table(
        title="Questions",
        columns=(
            "task", "asked", "missing", "answers", "entropy, bits", "chance, %"
        ),
        rows=tuple(rows),
        notes=(
            "missing: wanted, but no scene had one",
            "entropy: of the answers, and of an even spread over all possible ones",
            f"{tally.acceptance:.1%} of drafted questions passed every check "
            f"({tally.tried['accepted']:,} of {tally.tried['proposed']:,})",
        ),
    )  # fmt: skip


def _asked_table(questions: Sequence[Question]) -> Table:
    kinds = sorted({q.tags.get("asks", "") for q in questions})
    rows = []
    for task in sorted({q.task for q in questions}):
        for asks in kinds:
            answers = Counter(q.answer for q in questions if q.task == task and q.tags.get("asks") == asks)
            if answers:
                shown = listed([f"{a} ({c})" for a, c in answers.most_common()])
                rows.append((f"{task} {asks}", str(answers.total()), shown))
    return Table(title="Answers", columns=("task and what is asked", "n", "answers"), rows=tuple(rows))


def _census_table(drawn: Sequence[Census]) -> Table:
    rows = tuple(
        (
            c.name,
            str(sum(c.counts.values())),
            str(len(c.counts)),
            f"{min(c.counts.values())} – {max(c.counts.values())}",
            f"{c.chi_square:.1f} / {c.degrees}",
            f"{c.p_value:.3f}",
        )
        for c in drawn
    )
    return Table(
        title="What was drawn",
        columns=("attribute", "n", "values", "least – most", "chi-square / df", "p if uniform"),
        rows=rows,
    )


FAULTS = (
    ("no answer changes when objects are moved by 1 % and turned by 1.8°", "jitter flips"),
    ("no relation can be dropped", "droppable relation"),
    ("no filter can be dropped", "droppable filter"),
    ("no question says the word that it asks for", "answer in its own words"),
)
"""What is promised of every question, and what is counted where it does not hold."""


def still_promises(
    questions: Sequence[Question],
    tally: Tally,
    asking: Asking,
    drawn: Sequence[Census],
    scenes: int,
    enforced: bool,
) -> Iterator[CheckResult]:
    """Yield the promises about questions on still scenes, of which so many were asked for."""
    n = len(questions)
    worst = min(drawn, key=lambda c: c.p_value)
    place, chance, sigma = position_bias(questions)
    shared, kinds = shares_words(questions, asking, scenes)
    for name, fault in FAULTS:
        found = f"{tally.checked[fault]} of {n} ({tally.share(fault):.1%})"
        yield CheckResult(name=name, passed=not tally.checked[fault], found=found, enforced=enforced)
    yield CheckResult(
        name="an answer that was rare so far is no likelier to come next",
        passed=abs(tally.order.z) < 3,
        enforced=enforced,
        found=f"{tally.order.z:+.1f} standard deviations from chance",
    )
    yield CheckResult(
        name="the first possible answer is no likelier than the others",
        passed=abs(place - chance) <= 3 * sigma,
        enforced=enforced,
        found=f"the first possible answer is right {place:.1%} of the time, {chance:.1%} if fair",
    )
    yield CheckResult(
        name="every kind of question has its target share", passed=shared, enforced=False, found=kinds
    )
    yield CheckResult(
        name="attributes and headings are uniform",
        passed=worst.p_value >= UNIFORM_FROM_P,
        enforced=enforced,
        found=f"least likely: {worst.name}, p = {worst.p_value:.3f}",
    )


def position_bias(questions: Sequence[Question]) -> tuple[float, float, float]:
    """Return how often the first possible answer is right, how often it should be, and one standard error."""
    told = [q for q in questions if len(q.possible) > 1]
    if not told:
        return 0.0, 0.0, 1.0
    chances = [1 / len(q.possible) for q in told]
    right = sum(q.answer == q.possible[0] for q in told) / len(told)
    spread = sum(p * (1 - p) for p in chances) ** 0.5 / len(told)
    return right, sum(chances) / len(told), spread

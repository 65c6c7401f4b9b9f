"""What a build found about its own dataset: what is in it, and whether each promise is kept.

Ref: docs/architecture.md; every row is also in checks.json.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from fathom.build.assets.libraries import Library
from fathom.build.questions.asking import Asking, Lot
from fathom.build.questions.tally import Tally
from fathom.build.shares import shares_table, shares_words
from fathom.build.stages import Proof
from fathom.build.texts import Texts
from fathom.build.worlds.census import Census, census
from fathom.build.worlds.scatter import Scatter
from fathom.pages.tables import Table, as_text, listed, per_cent
from fathom.records import Question, Record, Scene
from fathom.stats.blind_verdicts import TOO_FEW, BlindResult, seen_words

UNIFORM_FROM_P = 0.001
"""Below this chance of being uniform, a census is called uneven."""


class Disagreement(Record, frozen=True, kw_only=True):
    """One question whose two derivations give different answers."""

    question: str
    first: str
    second: str


class Kept(Record, frozen=True, kw_only=True):
    """One promise about the whole dataset, and whether it is kept; `enforced` ones fail a strict build.

    Of one that is not `told` nothing was found against it, and a fault could well have gone unnoticed.
    """

    name: str
    passed: bool
    found: str
    enforced: bool = True
    told: bool = True

    @property
    def verdict(self) -> str:
        """Whether it is kept, in words."""
        return "NO" if not self.passed else "yes" if self.told else TOO_FEW


class Checks(Record, frozen=True, kw_only=True):
    """Everything that was found about a dataset."""

    verdicts: tuple[Kept, ...]
    tables: tuple[Table, ...]

    @property
    def passed(self) -> bool:
        """Whether every enforced promise is kept."""
        return all(v.passed or not v.enforced for v in self.verdicts)

    def __str__(self) -> str:
        """Return all of it for a terminal."""
        return "\n".join(as_text(t) for t in self.tables)


@dataclass
class Findings:
    """What is counted while questions are made."""

    tally: Tally = field(default_factory=Tally)
    second: Counter[tuple[str, str]] = field(default_factory=Counter)
    disagreements: list[Disagreement] = field(default_factory=list)
    texts: Texts = field(default_factory=Texts)

    @property
    def undecided(self) -> int:
        """How many answers the second derivation cannot decide."""
        return sum(n for (_, v), n in self.second.items() if v == "cannot decide")

    def selected(self, lots: Sequence[Lot], short: Counter[str]) -> None:
        """Count what scenes offered, and what could not be had of them."""
        self.tally.short.update(short)
        for lot in lots:
            self.tally.tried.update(lot.tried)

    def proved(self, proof: Proof) -> None:
        """Count a scene's questions, the last check of each, and its second derivations."""
        self.tally.add(proof.questions)
        self.tally.checked.update(proof.found)
        self.texts.add(proof.questions, proof.texts)
        for q in proof.questions:
            answer = proof.second[q.id]
            verdict = "cannot decide" if answer is None else "agree" if answer == q.answer else "disagree"
            self.second[q.task, verdict] += 1
            if answer is not None and answer != q.answer:
                self.disagreements.append(Disagreement(question=q.id, first=q.answer, second=answer))


def checks_of(
    scenes: Sequence[Scene],
    questions: Sequence[Question],
    findings: Findings,
    blind: BlindResult,
    library: Library,
    world: Scatter,
    asking: Asking,
) -> Checks:
    """Return what was found about a dataset; `asking` is what was to be asked, and how much of it."""
    drawn = census(
        scenes, [s for _, s in library.subtypes()], list(world.sizes), world.colors, world.fewest, world.most
    )
    rules = questions[0].source.removeprefix("rules=")
    verdicts = _verdicts(questions, findings, blind, drawn, asking, enforced=rules != "paper")
    return Checks(
        verdicts=verdicts,
        tables=(
            _questions_table(findings),
            shares_table(questions, asking, len(scenes)),
            _asked_table(questions),
            *findings.texts.tables(),
            blind_table(blind),
            verdict_table(verdicts),
            _census_table(drawn),
        ),
    )


def _questions_table(findings: Findings) -> Table:
    tally = findings.tally
    rows = []
    for task, answers in sorted(tally.answers.items()):
        n = answers.total()
        bits, most = tally.entropy_bits(task)
        second = [findings.second[task, v] for v in ("agree", "disagree", "cannot decide")]
        rows.append(
            (
                task,
                str(n),
                str(tally.short[task]),
                str(len(answers)),
                f"{bits:.2f} of {most:.2f}",
                per_cent(tally.chance[task] / n),
                *(str(v) for v in second),
            )
        )
    return Table(
        title="Questions, and their second derivation",
        columns=(
            "task", "asked", "short", "answers", "bits", "chance, %", "agree", "disagree", "cannot decide",
        ),
        rows=tuple(rows),
        notes=(
            "short: wanted, but no scene had one. bits: entropy of the answers, and that of an even spread.",
            f"{tally.acceptance:.1%} of complete proposals passed every check "
            f"({tally.tried['accepted']:,} of {tally.tried['proposed']:,}); the jitter test took out "
            f"{tally.jitter_before:.1%} of those that had passed the others.",
        ),
    )  # fmt: skip


def _asked_table(questions: Sequence[Question]) -> Table:
    kinds = sorted({q.tags.get("asks", "") for q in questions})
    rows = []
    for task in sorted({q.task for q in questions}):
        for asks in kinds:
            answers = Counter(q.answer for q in questions if q.task == task and q.tags.get("asks") == asks)
            if answers:
                shown = listed([f"{a} {c}" for a, c in answers.most_common()])
                rows.append((f"{task} {asks}", str(answers.total()), shown))
    return Table(title="Answers", columns=("task and what is asked", "n", "answers"), rows=tuple(rows))


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
            f"{100 * f.noticeable:.1f}" if f.noticeable < 1 else "–",
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
            "the last row may look up the answers to other questions on the same picture, which no model "
            "can: it shows how far answers on one picture go together"
        )
    return Table(
        title="Blind stress test: a forest that never sees a picture",
        columns=(
            "held out",
            "n",
            "chance, %",
            "guessed, %",
            "bounds, 95 % together",
            "noticed from, points",
            "",
        ),
        rows=rows,
        notes=tuple(notes),
    )


def verdict_table(verdicts: Sequence[Kept]) -> Table:
    """Return the promises, and whether each is kept."""
    return Table(
        title="Promises",
        columns=("promise", "kept", "found"),
        rows=tuple((v.name, v.verdict, v.found) for v in verdicts),
    )


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


def _verdicts(
    questions: Sequence[Question],
    findings: Findings,
    blind: BlindResult,
    drawn: Sequence[Census],
    asking: Asking,
    enforced: bool,
) -> tuple[Kept, ...]:
    tally = findings.tally
    disagree = len(findings.disagreements)
    unsure = findings.undecided
    n = len(questions)
    worst = min(drawn, key=lambda c: c.p_value)
    margins = [q.margin.ratio for q in questions if q.margin is not None]
    place, chance, sigma = position_bias(questions)
    shared, kinds = shares_words(questions, asking)

    def share(fault: str) -> str:
        return f"{tally.checked[fault]} of {n} ({tally.share(fault):.1%})"

    return (
        Kept(name="both derivations agree", passed=not disagree, enforced=enforced,
             found=f"{disagree} disagree, {unsure} cannot decide, of {n}"),
        *text_promises(findings.texts),
        Kept(name="no answer changes when things are moved by 1 % and turned by 1.8°",
             passed=not tally.checked["jitter flips"], enforced=enforced, found=share("jitter flips")),
        Kept(name="no relation can be dropped", passed=not tally.checked["droppable relation"],
             enforced=enforced, found=share("droppable relation")),
        Kept(name="no filter can be dropped", passed=not tally.checked["droppable filter"],
             enforced=enforced, found=share("droppable filter")),
        Kept(name="every margin clears its tolerance", passed=not tally.checked["margin below 1"],
             enforced=enforced,
             found=share("margin below 1") + (f", smallest {min(margins):.2f}" if margins else "")),
        Kept(name="no question says the word that it asks for",
             passed=not tally.checked["answer in its own words"], enforced=enforced,
             found=share("answer in its own words")),
        blind_promise(blind, enforced),
        Kept(name="the rarer answer so far does not tell", passed=abs(tally.order.z) < 3, enforced=enforced,
             found=f"{tally.order.z:+.1f} standard deviations from chance"),
        Kept(name="the first answer in the list is not favoured", passed=abs(place - chance) <= 3 * sigma,
             enforced=enforced,
             found=f"the first possible answer is right {place:.1%} of the time, {chance:.1%} if fair"),
        Kept(name="every kind of question has its share", passed=shared, enforced=False, found=kinds),
        Kept(name="attributes and headings are uniform", passed=worst.p_value >= UNIFORM_FROM_P,
             enforced=enforced, found=f"least likely: {worst.name}, p = {worst.p_value:.3f}"),
    )  # fmt: skip


def text_promises(texts: Texts) -> tuple[Kept, ...]:
    """Return the promise about the words of questions; none where the benchmark has no reader of them."""
    if not texts.counts:
        return ()
    return (Kept(name="words mean what programs compute", passed=not texts.faults, found=texts.words),)


def blind_promise(blind: BlindResult, enforced: bool = True) -> Kept:
    """Return the promise that nothing can be guessed blind: kept only where one would have been noticed."""
    return Kept(
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


def position_bias(questions: Sequence[Question]) -> tuple[float, float, float]:
    """Return how often the first possible answer is right, how often it should be, and one standard error."""
    told = [q for q in questions if len(q.possible) > 1]
    if not told:
        return 0.0, 0.0, 1.0
    chances = [1 / len(q.possible) for q in told]
    right = sum(q.answer == q.possible[0] for q in told) / len(told)
    spread = sum(p * (1 - p) for p in chances) ** 0.5 / len(told)
    return right, sum(chances) / len(told), spread

"""What became of everything: how many each step took in and let go on, what was rejected, all verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fathom.authoring.candidates import QuestionCandidate
from fathom.records import Record, Verdict

NOT_DECIDED = "not decided: a request failed"


@dataclass(frozen=True)
class Fate:
    """What became of one request or question in one step; `stays` says whether it goes on.

    `kind` is what outcomes are counted by: a column of the table.
    """

    step: str
    kind: str
    outcome: str
    stays: bool = False


class Rejected(Record, frozen=True, kw_only=True):
    """What was not taken: in which step, of which request, what was said, by whom, and why not.

    `scene` is the object or video that it is about.
    """

    step: str
    id: str
    scene: str
    said: str
    writer: str
    reason: str
    detail: str = ""


@dataclass
class Outcomes:
    """What became of everything so far; `status` is each question's by step, for its tags.

    `notes` are said beside the table: shares, agreement, counts.
    """

    fates: list[Fate] = field(default_factory=list)
    verdicts: list[Verdict] = field(default_factory=list)
    rejected: list[Rejected] = field(default_factory=list)
    status: dict[str, dict[str, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def count(self, step: str, kind: str, outcome: str, stays: bool = False) -> None:
        """Count what became of something in a step."""
        self.fates.append(Fate(step, kind, outcome, stays))

    def note(self, step: str, candidate: QuestionCandidate, outcome: str, stays: bool, status: str) -> None:
        """Count what became of a question in a step, and keep its status; list it where it goes."""
        self.count(step, candidate.kind, outcome, stays)
        self.status.setdefault(candidate.id, {})[step] = status

    def reject(
        self, step: str, name: str, subject: str, said: str, writer: str, reason: str, detail: str = ""
    ) -> None:
        """List something that is not taken, and why."""
        self.rejected.append(
            Rejected(
                step=step, id=name, scene=subject, said=said, writer=writer, reason=reason,
                detail=detail[:200],
            )
        )  # fmt: skip

    @property
    def undecided(self) -> int:
        """How many questions are not decided because requests failed."""
        return sum(f.outcome == NOT_DECIDED for f in self.fates)


@dataclass(frozen=True)
class OutcomeRow:
    """One outcome of one step; `counts` follow the columns."""

    step: str
    outcome: str
    stays: bool
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """The number over all columns."""
        return sum(self.counts)


@dataclass(frozen=True)
class OutcomeTable:
    """What came of each step; each step's rows add up to what went into it. `columns`: name → title."""

    columns: Mapping[str, str]
    rows: tuple[OutcomeRow, ...]

    def count(self, step: str, outcome: str = "", stays: bool | None = None) -> int:
        """Return how many there are of a step, of one outcome ("": all), or of those that go on or do not."""
        return sum(
            r.total for r in self.rows
            if r.step == step and outcome in ("", r.outcome) and stays in (None, r.stays)
        )  # fmt: skip

    def records(self) -> list[dict[str, str | int]]:
        """Return the rows for a file: step, outcome, whether it goes on, a number a column, and all."""
        return [
            {"step": r.step, "outcome": r.outcome, "goes_on": "yes" if r.stays else "no"}
            | dict(zip(self.columns, r.counts, strict=True))
            | {"all": r.total}
            for r in self.rows
        ]

    def __str__(self) -> str:
        """Return the table as text in columns."""
        head = ["", "", *self.columns.values(), "All"]
        body, before = [], ""
        for r in self.rows:
            step = "" if r.step == before else r.step
            before = r.step
            mark = "→ " if r.stays else "  "
            body.append([step, mark + r.outcome, *map(str, r.counts), str(r.total)])
        widths = [max(len(line[i]) for line in [head, *body]) for i in range(len(head))]

        def shown(line: Sequence[str]) -> str:
            cells = [
                c.ljust(w) if i < 2 else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True))
            ]
            return "  ".join(cells).rstrip()

        return "\n".join(shown(line) for line in [head, *body])


def table_of(fates: Iterable[Fate], columns: Mapping[str, str]) -> OutcomeTable:
    """Return the table of what became of everything: steps in their order, in each what goes on first."""
    counts: dict[tuple[str, str, bool], Counter[str]] = {}
    for fate in fates:
        counts.setdefault((fate.step, fate.outcome, fate.stays), Counter())[fate.kind] += 1
    steps = list(dict.fromkeys(step for step, _, _ in counts))
    order = sorted(counts, key=lambda k: (steps.index(k[0]), not k[2], -counts[k].total(), k[1]))
    rows = (
        OutcomeRow(step, outcome, stays, tuple(counts[step, outcome, stays][c] for c in columns))
        for step, outcome, stays in order
    )
    return OutcomeTable(columns, tuple(rows))

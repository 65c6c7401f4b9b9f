"""How many questions each step took in, and what became of them, by subtask."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fathom.build.written.rules import SUBTASKS


@dataclass(frozen=True)
class Fate:
    """What became of one request or question in one step; `stays` says whether it goes on."""

    step: str
    task: str
    outcome: str
    stays: bool = False


@dataclass(frozen=True)
class Row:
    """One outcome of one step; `counts` follow the subtasks."""

    step: str
    outcome: str
    stays: bool
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """The number over all subtasks."""
        return sum(self.counts)


@dataclass(frozen=True)
class Table:
    """What came of each step; each step's rows add up to what went into it."""

    tasks: tuple[str, ...]
    rows: tuple[Row, ...]

    def count(self, step: str, outcome: str = "", stays: bool | None = None) -> int:
        """Return how many there are of a step, of one outcome ("": all), or of those that go on or do not."""
        return sum(
            r.total for r in self.rows
            if r.step == step and outcome in ("", r.outcome) and stays in (None, r.stays)
        )  # fmt: skip

    def records(self) -> list[dict[str, str | int]]:
        """Return the rows for a file: step, outcome, whether it goes on, a number a subtask, and all."""
        return [
            {"step": r.step, "outcome": r.outcome, "goes_on": "yes" if r.stays else "no"}
            | dict(zip(self.tasks, r.counts, strict=True))
            | {"all": r.total}
            for r in self.rows
        ]

    def __str__(self) -> str:
        """Return the table as text in columns."""
        titles = [SUBTASKS[t].title if t in SUBTASKS else t for t in self.tasks]
        head = ["", "", *titles, "All"]
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


def table_of(fates: Iterable[Fate], tasks: Sequence[str]) -> Table:
    """Return the table of what became of everything: steps in their order, in each what goes on first."""
    counts: dict[tuple[str, str, bool], Counter[str]] = {}
    for fate in fates:
        counts.setdefault((fate.step, fate.outcome, fate.stays), Counter())[fate.task] += 1
    steps = list(dict.fromkeys(step for step, _, _ in counts))
    order = sorted(counts, key=lambda k: (steps.index(k[0]), not k[2], -counts[k].total(), k[1]))
    rows = (
        Row(step, outcome, stays, tuple(counts[step, outcome, stays][t] for t in tasks))
        for step, outcome, stays in order
    )
    return Table(tuple(tasks), tuple(rows))

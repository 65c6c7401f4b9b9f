"""What an import corrected, left out or has to say: counted by reason, with examples to look up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from fathom.records import Question, Record

EXAMPLES = 20
"""How many examples of each reason are kept."""

Outcome = Literal["corrected", "left out", "noted"]
OUTCOMES: tuple[Outcome, ...] = ("left out", "corrected", "noted")

_DETAIL = 200


class ImportExample(Record, frozen=True, kw_only=True):
    """One place where something was found: file and line, and what stands there."""

    where: str
    detail: str = ""


class ImportFinding(Record, frozen=True, kw_only=True):
    """One reason, what was done about it, how often, and the first places."""

    outcome: Outcome
    reason: str
    count: int
    examples: tuple[ImportExample, ...] = ()


class ImportReport(Record, frozen=True, kw_only=True):
    """What `import.json` holds: how many rows came to what, and every reason."""

    layout: str
    files: tuple[str, ...]
    read: int
    imported: int
    folded: int = 0
    mended: int = 0
    left_out: int = 0
    findings: tuple[ImportFinding, ...] = ()
    columns: tuple[str, ...] = ()
    """For each file which column holds what, where that is not the benchmark's to say."""
    tasks: dict[str, int] = {}
    """How many questions each task has."""
    tables: tuple[str, ...] = ()
    """Further tables, as they are printed."""
    first: tuple[Question, ...] = ()
    dry_run: bool = False
    refused: str = ""
    """Of a dry run: why the import itself would be refused, as it would say it."""

    def __str__(self) -> str:
        files = ", ".join(self.files[:4]) + (
            f" and {len(self.files) - 4} more" if len(self.files) > 4 else ""
        )
        lines = [
            f"{self.read:,} rows read from {files} ({self.layout})",
            f"{self.imported:,} imported, of which {self.mended:,} corrected; {self.left_out:,} left out"
            + (f"; {self.folded:,} rotations folded into their questions" if self.folded else ""),
        ]
        for finding in self.findings:
            first = finding.examples[0] if finding.examples else ImportExample(where="")
            detail = f" ({first.detail})" if first.detail else ""
            at = f", first at {first.where}{detail}" if first.where else ""
            lines.append(f"  {finding.outcome}: {finding.reason}: {finding.count:,}{at}")
        lines += [f"  columns of {text}" for text in self.columns]
        lines += [f"\n{table}\n" for table in self.tables]
        if self.dry_run:
            lines.append("  tasks: " + ", ".join(f"{task} {count:,}" for task, count in self.tasks.items()))
            lines += ["the first questions:", *(_in_words(question) for question in self.first)]
            lines.append("this was a dry run: nothing was written, and no picture or video was opened")
        return "\n".join(lines)


def _in_words(question: Question) -> str:
    """Return a question with its options, its answer and its media, a line each."""
    lines = [f"  {question.id} ({question.task}): {one_line(question.text)}"]
    lines += [f"    {'*' if text == question.answer else ' '} {one_line(text)}" for text in question.choices]
    lines += [] if question.choices else [f"    * {one_line(question.answer)}"]
    if question.span_s:
        lines.append("    from {:g} to {:g} s".format(*question.span_s))
    return "\n".join([*lines, f"    shown: {one_line(', '.join(question.media)) or 'nothing'}"])


class LeftOutError(Exception):
    """A row that cannot be a question: `reason` is what it is counted under, `detail` what stands there."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.detail = detail


class ImportFindings:
    """Counts what an import comes across."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[Outcome, str]] = Counter()
        self._examples: dict[tuple[Outcome, str], list[ImportExample]] = {}
        self.rows_mended = 0
        self.rows_left_out = 0

    def add(self, outcome: Outcome, reason: str, where: str, detail: str = "") -> None:
        """Count one finding."""
        key = (outcome, reason)
        self._counts[key] += 1
        kept = self._examples.setdefault(key, [])
        if len(kept) < EXAMPLES:
            kept.append(ImportExample(where=where, detail=one_line(detail)))

    def leave_out(self, reason: str, where: str, detail: str = "") -> None:
        """Count a row that is left out."""
        self.rows_left_out += 1
        self.add("left out", reason, where, detail)

    def note(self, reason: str, where: str, detail: str = "") -> None:
        """Count something that changes nothing, and is to be known."""
        self.add("noted", reason, where, detail)

    @contextmanager
    def row(self, where: str) -> Iterator[Notes]:
        """Yield the notes of one row; they count only where the row is not left out."""
        notes = Notes(where)
        yield notes
        for outcome, reason, detail in notes.held:
            self.add(outcome, reason, where, detail)
        self.rows_mended += any(outcome == "corrected" for outcome, _, _ in notes.held)

    def left_out(self, reason: str) -> int:
        """Return how many rows were left out for a reason."""
        return self._counts["left out", reason]

    def listed(self) -> tuple[ImportFinding, ...]:
        """Return every finding, what was left out first, and the most frequent first among equals."""
        order = sorted(self._counts, key=lambda k: (OUTCOMES.index(k[0]), -self._counts[k], k[1]))
        return tuple(
            ImportFinding(outcome=o, reason=r, count=self._counts[o, r], examples=tuple(self._examples[o, r]))
            for o, r in order
        )


class Notes:
    """What is found in one row while it is read; `base` is the number that the first option has."""

    def __init__(self, where: str, base: int = 0) -> None:
        self.where = where
        self.base = base
        self.held: list[tuple[Outcome, str, str]] = []

    def mend(self, reason: str, detail: str = "") -> None:
        """Say that something was put right."""
        if all(reason != known for _, known, _ in self.held):
            self.held.append(("corrected", reason, detail))

    def note(self, reason: str, detail: str = "") -> None:
        """Say something that changes nothing."""
        if all(reason != known for _, known, _ in self.held):
            self.held.append(("noted", reason, detail))


def one_line(detail: str) -> str:
    """Return a text from outside as one line that is not too long to print."""
    plain = " ".join(detail.encode("utf-8", "replace").decode().split())
    return plain if len(plain) <= _DETAIL else plain[: _DETAIL - 1] + "…"

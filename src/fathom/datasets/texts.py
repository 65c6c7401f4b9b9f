"""Texts proved: the words of every question, read back by a grammar of its own, mean what its program says.

The proof of an answer runs on the program, and says nothing of the sentence that a model is shown. Each
benchmark therefore has a reader of its sentences that shares no table with their writer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from fathom.named import attribute_of
from fathom.pages.tables import Table
from fathom.records import IN_WORDS_OF, Question, Scene, TextReading, UnfitError

TextReader = Callable[[Question, Scene], TextReading]

VERDICTS = ("agree", "disagree", "unreadable")
IN_A_MODELS_WORDS = "in a model's words"
"""Of questions that a model put into words: what this grammar, which says other sentences, cannot tell."""

MOST_LISTED = 20
"""So many faults of texts are listed."""


@lru_cache(maxsize=8)
def reader_named(name: str) -> TextReader | None:
    """Return the reader of sentences that "module:attribute" names, None where none is named."""
    if not name:
        return None
    found: TextReader = attribute_of(name)
    return found


def texts_read(reader: str, scene: Scene, questions: Iterable[Question]) -> dict[str, TextReading]:
    """Return what came of reading each question that has a program, by its id; nothing without a reader.

    A reader that breaks has not read: that is a fault of the text or of the reader, and hides neither.
    """
    read = reader_named(reader)
    if read is None:
        return {}
    return {q.id: _read(read, q, scene) for q in questions if q.program}


def _read(read: TextReader, question: Question, scene: Scene) -> TextReading:
    try:
        return read(question, scene)
    except (LookupError, ValueError, TypeError, AttributeError, ArithmeticError) as error:
        return TextReading(verdict="unreadable", why=f"the reader broke: {type(error).__name__}: {error}")


def _is_beyond(question: Question, reading: TextReading) -> bool:
    """Return whether a text is a model's, and says what the grammar has no words for.

    It was held against its fact when it was written. One that the grammar reads as another question is a
    fault like any; only where people decided which object is meant, no words select it.
    """
    if reading.verdict == "agree" or not question.source.startswith(IN_WORDS_OF):
        return False
    return reading.verdict == "unreadable" or any(step.op == "thing" for step in question.program)


@dataclass
class Texts:
    """What came of all texts: (task, verdict) → how many, and what is wrong in which words."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, questions: Iterable[Question], found: Mapping[str, TextReading]) -> None:
        """Count what came of the texts of some questions."""
        for q in questions:
            if q.id not in found:
                continue
            reading = found[q.id]
            if _is_beyond(q, reading):
                self.counts[q.task, IN_A_MODELS_WORDS] += 1
                continue
            self.counts[q.task, reading.verdict] += 1
            if reading.verdict != "agree":
                self.faults.append(f"{q.id}: {q.text!r} ({reading.verdict}): {reading.why}")

    def total(self, verdict: str) -> int:
        """Return how many texts came to a verdict."""
        return sum(n for (_, v), n in self.counts.items() if v == verdict)

    @property
    def words(self) -> str:
        """Return in words what came of all of them."""
        return (
            f"{self.counts.total():,} read: {self.total('disagree')} mean something else than their program, "
            f"{self.total('unreadable')} unreadable"
        )

    def tables(self) -> tuple[Table, ...]:
        """Return the counts of every task, and the first faults; nothing where no text was read."""
        if not self.counts:
            return ()
        more = (IN_A_MODELS_WORDS,) if self.total(IN_A_MODELS_WORDS) else ()
        columns = (*VERDICTS, *more)
        found = Table(
            title="Texts, read back by an independent grammar",
            columns=("task", *columns),
            rows=tuple(
                (task, *(str(self.counts[task, v]) for v in columns))
                for task in sorted({t for t, _ in self.counts})
            ),
            notes=self._notes(),
        )
        return (found,)

    def _notes(self) -> tuple[str, ...]:
        notes = self.faults[:MOST_LISTED]
        if len(self.faults) > MOST_LISTED:
            notes.append(f"… and {len(self.faults) - MOST_LISTED:,} more")
        if beyond := self.total(IN_A_MODELS_WORDS):
            notes.append(
                f"{beyond:,} questions are in a model's words, which this grammar does not say; they were "
                "held against their facts when they were written"
            )
        return tuple(notes)

    def stop_at_fault(self, out: Path) -> None:
        """Raise UnfitError where a text means something else than its program, or cannot be read."""
        if not self.faults:
            return
        listed = "".join(f"\n- {fault}" for fault in self.faults[:MOST_LISTED])
        raise UnfitError(
            f"{out}: expected the words of every question to mean what its program computes, found "
            f"{len(self.faults):,} of {self.counts.total():,} that do not. It is a defect of the wording or "
            f"of the reader; fix it and build again:{listed}"
        )

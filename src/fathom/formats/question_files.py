"""From rows to questions.jsonl: each row read, checked, joined with its media, and written."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from fathom.formats.circular_copies import DISAGREE, REPEATED, Folding, WaitingCopy
from fathom.formats.format_detection import QuestionFile, base_of
from fathom.formats.import_findings import ImportFindings, ImportReport, LeftOutError, Notes
from fathom.formats.imported_media import Embedded, SameAs, Shelf
from fathom.formats.layouts import ImportedQuestion, Layout
from fathom.formats.lookup import MISSING, NamedFile
from fathom.formats.rows import TableRow, read_rows
from fathom.records import InputError, Question
from fathom.store.datasets import QUESTIONS

DAMAGED = "a row that cannot be read"
NONE_NAMED = "no picture or video is named"
FRAMES_INSTEAD = "a video is missing, and the frames of it that were published are shown"
NO_SUCH_ROW = "the row whose picture is meant is missing"

Progress = Callable[[str, int, int, str], None]

_EVERY = 50

_PLAINLY = {DISAGREE: "two rows with one id and different words", REPEATED: "a row that stands twice"}
"""What a reason to leave a row out is called where it is an error."""

_REMEDIES = {
    MISSING: "say with --media where pictures and videos lie",
    DISAGREE: "number the rows with --columns id=",
    REPEATED: "number the rows with --columns id=",
}


class Writer:
    """Turns rows into questions.jsonl; what waits for another row is held as text only."""

    def __init__(
        self, out: Path, shelf: Shelf, findings: ImportFindings, progress: Progress, limit: int = 0
    ) -> None:
        self.out = out
        self.limit = limit
        self.shelf = shelf
        self.findings = findings
        self.progress = progress
        self.folding = Folding()
        self.read = self.imported = 0
        self._media_of_row: dict[str, tuple[str, ...]] = {}
        self._waiting: list[tuple[ImportedQuestion, str]] = []
        self._hash = hashlib.sha256()
        self._tasks: Counter[str] = Counter()

    def write(self, files: Sequence[QuestionFile]) -> str:
        """Write questions.jsonl and return its hash. Raises InputError where nothing could be imported."""
        part = self.out / f".{QUESTIONS}.part"
        with part.open("wb") as out:
            for question in self._questions(files):
                line = msgspec.json.encode(question) + b"\n"
                self._hash.update(line)
                out.write(line)
                self.imported += 1
                self._tasks[question.task] += 1
                if self.imported == self.limit:
                    break
        self.progress("importing", self.read, self.read, "")
        if files[0].layout.strict and self.findings.rows_left_out:
            raise self.not_all(files)
        if not self.imported:
            raise self._refused(files[0])
        part.replace(self.out / QUESTIONS)
        return self._hash.hexdigest()

    def _refused(self, file: QuestionFile) -> InputError:
        """Return the refusal of files of which no row is a question.

        Where all rows fail alike, no row is to blame: the media lie elsewhere, or the file is another one.
        """
        left = [f for f in self.findings.listed() if f.outcome == "left out"]
        none = f"{file.label}: none of {self.read:,} rows could be imported"
        if not left:
            return InputError(f"{none}: there is no row; give the file as it was published")
        first = left[0].examples[0]
        if left[0].reason == MISSING and left[0].count == self.read:
            where, named = left[0].examples[0].where, left[0].examples[0].detail
            return InputError(
                f"{none}: no picture or video that they name is there, first {named} at {where}; say with "
                "--media where they lie"
            )
        at = f"first at {first.where}" + (f" ({first.detail})" if first.detail else "")
        if len(left) > 1 or left[0].count < max(2, self.read):
            remedies = dict.fromkeys(_REMEDIES[f.reason] for f in left if f.reason in _REMEDIES)
            remedy = ", or ".join(["fix the files", *remedies])
            return InputError(f"{none}; most often: {left[0].reason}, {at}; {remedy}")
        layout = file.layout
        holds = f" ({layout.holds})" if layout.holds else ""
        return InputError(
            f"{none}, and all for one reason: {left[0].reason}, {at}; expected {layout.benchmark} as "
            f"{layout.name} has it{holds}, found a file of another shape, with the columns {file.columns}; "
            "give the file as it was published, or the benchmark that it is of"
        )

    def not_all(self, files: Sequence[QuestionFile]) -> InputError:
        """Return the refusal of files of which some rows are no questions: every reason, its first row."""
        left = [f for f in self.findings.listed() if f.outcome == "left out"]
        reasons = "; ".join(
            f"{_PLAINLY.get(f.reason, f.reason)}: {f.count:,}, first at {f.examples[0].where}"
            + (f" ({f.examples[0].detail})" if f.examples[0].detail else "")
            for f in left
        )
        remedies = {_REMEDIES[f.reason]: None for f in left if f.reason in _REMEDIES}
        first = files[0]
        label = first.label if len(files) == 1 else first.label.removesuffix(first.name).rstrip("/") or "."
        return InputError(
            f"{label}: {self.findings.rows_left_out:,} of {self.read:,} rows cannot be questions: "
            f"{reasons}; {', '.join(['fix them', *remedies])}, or leave them out with --leave-out"
        )

    def report(self, files: Sequence[QuestionFile]) -> ImportReport:
        """Return the report of what was written."""
        return ImportReport(
            layout=f"{files[0].layout.benchmark}, {files[0].layout.name}",
            files=tuple(file.name for file in files),
            read=self.read,
            imported=self.imported,
            folded=self.folding.folded,
            mended=self.findings.rows_mended,
            left_out=self.findings.rows_left_out,
            findings=self.findings.listed(),
            columns=tuple(f"{file.name}: {file.layout.columns}" for file in files if file.layout.columns),
            tasks=dict(self._tasks),
        )

    def _questions(self, files: Sequence[QuestionFile]) -> Iterator[Question]:
        for file in files:
            base = self._base_of(file)
            for row in read_rows(file.path, file.name):
                self.read += 1
                if not self.read % _EVERY:
                    self.progress("importing", self.read, 0, file.name)
                if (question := self._of_row(row, file.layout, base)) is not None:
                    yield question
        yield from self._of_waiting()
        for held in self.folding.orphans(self.findings):
            if held.media:
                yield _question(held.draft, held.media)
            else:
                self.findings.leave_out(NO_SUCH_ROW, held.where, held.draft.id)

    def _base_of(self, file: QuestionFile) -> int:
        said: list[str] = []
        base = base_of(file, said)
        for text in said:
            self.findings.note(text, file.name)
        return base

    def _of_row(self, row: TableRow, layout: Layout, base: int) -> Question | None:
        if row.broken:
            self.findings.leave_out(DAMAGED, row.where, row.broken)
            return None
        try:
            with self.findings.row(row.where) as notes:
                notes.base = base
                return self._of_draft(layout.draft(row, notes), notes)
        except LeftOutError as e:
            self.findings.leave_out(e.reason, row.where, e.detail)
            return None

    def _of_draft(self, draft: ImportedQuestion, notes: Notes) -> Question | None:
        """Return the question of a row; None where it is another's copy, or waits for another row."""
        met = self.folding.meet(draft)
        if met == "folded":
            if media := self._media_of_row.get(self.folding.index_of(draft.id)):
                self._media_of_row.setdefault(draft.index, media)
            return None
        try:
            media = self._media(draft, notes)
        except _NotYetError:
            if met == "held":
                self.folding.hold(WaitingCopy(draft, (), notes.where))
            else:
                self._waiting.append((draft, notes.where))
            return None
        except LeftOutError:
            self.folding.forget(draft)
            raise
        if met == "held":
            self.folding.hold(WaitingCopy(draft, media, notes.where))
            return None
        self.folding.settle(draft, self.findings)
        return _question(draft, media)

    def _of_waiting(self) -> Iterator[Question]:
        """Yield the questions whose pictures stood in later rows."""
        left = len(self._waiting) + 1
        while len(self._waiting) < left:
            left, waiting, self._waiting = len(self._waiting), self._waiting, []
            for draft, where in waiting:
                try:
                    media = self._media(draft, Notes(where))
                except _NotYetError:
                    self._waiting.append((draft, where))
                    continue
                except LeftOutError as e:
                    self.findings.leave_out(e.reason, where, e.detail)
                    continue
                self.folding.settle(draft, self.findings)
                yield _question(draft, media)
        for draft, where in self._waiting:
            self.findings.leave_out(NO_SUCH_ROW, where, draft.id)

    def _media(self, draft: ImportedQuestion, notes: Notes) -> tuple[str, ...]:
        """Return the ids of a question's media, else of what is shown instead."""
        try:
            return self._shown(draft, notes)
        except LeftOutError as e:
            if e.reason != MISSING or not draft.instead:
                raise
            try:
                frames = self._shown(replace(draft, media=draft.instead), notes)
            except LeftOutError:
                raise e from None  # the video is what is said to be missing
            notes.note(FRAMES_INSTEAD, e.detail)
            return frames

    def _shown(self, draft: ImportedQuestion, notes: Notes) -> tuple[str, ...]:
        found: list[str] = []
        missing: list[LeftOutError] = []
        for wanted in draft.media:
            try:
                found += self._one(wanted)
            except LeftOutError as e:
                if e.reason != MISSING or not (isinstance(wanted, NamedFile) and wanted.optional):
                    missing.append(e)
        if not found and not missing and not draft.words_alone:
            raise LeftOutError(NONE_NAMED, draft.id)
        if missing and (not draft.any_medium or not found):
            raise missing[0]
        for lost in missing:
            notes.note(f"{lost.reason}; the others are there", lost.detail)
        if draft.index and found:
            self._media_of_row[draft.index] = tuple(found)
        return tuple(found)

    def _one(self, wanted: NamedFile | Embedded | SameAs) -> tuple[str, ...]:
        if isinstance(wanted, NamedFile):
            return (self.shelf.find(wanted),)
        if isinstance(wanted, Embedded):
            return (self.shelf.keep(wanted),)
        if wanted.index in self._media_of_row:
            return self._media_of_row[wanted.index]
        raise _NotYetError


class _NotYetError(Exception):
    """The media of a row that comes later."""


def _question(draft: ImportedQuestion, media: tuple[str, ...]) -> Question:
    tags = dict(draft.tags)
    if len(set(draft.choices)) < len(draft.choices):
        tags["alike"] = "yes"
    groups = draft.groups
    if not groups.cluster and media:
        groups = msgspec.structs.replace(groups, cluster=media[0])
    return Question(
        id=draft.id,
        task=draft.task,
        text=draft.text,
        answer=draft.answer,
        media=media,
        choices=draft.choices,
        possible=draft.possible,
        equivalents=draft.equivalents,
        references=draft.references,
        span_s=draft.span_s,
        groups=groups,
        tags={name: value for name, value in tags.items() if value},
    )

"""Captions written and revised by people, taken over into the questions of built objects.

Written: a table with `folder_name` (the object's id) and `caption_1` …
`caption_5`, and, if wanted, `writer`, who wrote them. Revised: a line for each caption that was read, with

    object      the object's id
    caption     which of its captions, counted from 1
    decision    keep, reject, or revise
    text        what it is to say instead, where it is revised (`answer_given` in the verdict)
    reviewer    who read it
    reason      why

Both may be CSV, TSV, JSON lines and whatever else an import reads. What cannot be taken over is refused, and
counted by reason; the captions that were there stay.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from fathom.authoring.captions.questions import TASK
from fathom.formats.import_findings import ImportFindings, ImportReport, LeftOutError, Notes
from fathom.formats.rows import read_rows, shape_of
from fathom.formats.table_cells import first_text, integer_of, text_of
from fathom.records import InputError, Question, Verdict
from fathom.store.amending import amended
from fathom.store.datasets import Dataset
from fathom.store.files import read_jsonl, sha256_file

Mode = Literal["replace", "add"]

VERDICTS = "verdicts.jsonl"

WRITTEN = "people"
UNNAMED = "unnamed"
BY = "captions_by"
"""The tag that names who wrote or revised an object's captions."""
MOST_CHARACTERS = 1_000

UNKNOWN = "an object that the dataset does not have, or has no caption of"
TWICE = "an object that stood in the file before"
EMPTY = "an empty caption"
TOO_LONG = f"a caption of more than {MOST_CHARACTERS} characters"
DUPLICATE = "a caption that the object has already"
NOTHING_LEFT = "a row without a caption that can be taken over"
NO_SUCH_CAPTION = "a caption that the object does not have"
NO_DECISION = "a decision other than keep, reject and revise"
DECIDED = "a caption that a line before decides on otherwise"
LAST = "the only caption of an object, which cannot be rejected without another one"


def with_captions(
    dataset: Dataset, path: Path, out: Path, mode: Mode = "replace", writer: str = ""
) -> ImportReport:
    """Make a dataset in `out` with people's captions from a file; return what was taken over and what not.

    What they decided about captions is added to its verdicts. Raises InputError where the file is unreadable,
    or nothing in it can be taken over.
    """
    questions = list(dataset.questions())
    taken = take_captions(questions, path, mode, writer)
    changed = sum(a != b for a, b in zip(questions, taken.questions, strict=True))
    if not changed and not taken.verdicts:
        raise InputError(
            f"{path}: changes no caption of {dataset.path} ({'; '.join(str(taken.report).splitlines())}); "
            "correct the file"
        )
    said = dataset.path / VERDICTS
    before = list(read_jsonl(said, Verdict)) if said.is_file() else []
    lines = {VERDICTS: [*before, *taken.verdicts]} if taken.verdicts else {}
    note = f"people wrote or revised the captions of {changed} objects ({path.name})"
    amended(dataset, out, taken.questions, note, {"captions": sha256_file(path)}, lines)
    return taken.report


@dataclass(frozen=True)
class PeoplesCaptions:
    """All questions, those with captions of people changed; what people decided; what became of the rows."""

    questions: tuple[Question, ...]
    verdicts: tuple[Verdict, ...]
    report: ImportReport


def take_captions(
    questions: Sequence[Question], path: Path, mode: Mode = "replace", writer: str = ""
) -> PeoplesCaptions:
    """Return the questions with people's captions from a file: those written, or those revised.

    Captions that were written take the place of the object's own, or are added behind them; `writer` wrote
    those of which the file does not say it. Who wrote or revised them stands in the question's tags. Raises
    InputError where the file is unreadable, or is neither of the two.
    """
    columns = {name.strip().casefold() for name in shape_of(path, path.name).columns}
    revised = {"caption", "decision"} <= columns
    if not revised and "caption_1" not in columns:
        raise InputError(
            f"{path}: expected the columns folder_name and caption_1 … (captions), or object, caption and "
            f"decision (revisions), found {', '.join(sorted(columns)) or 'none'}; name them so"
        )
    findings, read = ImportFindings(), 0
    taken: _Written | _Revised = _Revised(questions) if revised else _Written(questions, mode, writer)
    for row in read_rows(path, path.name):
        read += 1
        try:
            if row.broken:
                raise LeftOutError(f"a row that cannot be read: {row.broken}")
            with findings.row(row.where) as notes:
                taken.take({name.strip().casefold(): v for name, v in row.values.items()}, notes)
        except LeftOutError as e:
            findings.leave_out(e.reason, row.where, e.detail)
    report = ImportReport(
        layout="caption revisions" if revised else "captions",
        files=(path.name,),
        read=read,
        imported=read - findings.rows_left_out,
        mended=findings.rows_mended,
        left_out=findings.rows_left_out,
        findings=findings.listed(),
    )
    return PeoplesCaptions(taken.questions(), tuple(taken.verdicts), report)


class _Written:
    """Captions of whole objects, as they are taken over."""

    def __init__(self, questions: Sequence[Question], mode: Mode, writer: str) -> None:
        self._all = tuple(questions)
        self._of = _by_object(questions)
        self._mode = mode
        self._writer = writer
        self._new: dict[str, Question] = {}
        self.verdicts: list[Verdict] = []

    def take(self, values: Mapping[str, object], notes: Notes) -> None:
        """Take over one row. Raises LeftOutError where nothing of it can be."""
        question = _object_of(values, self._of, notes)
        if question.id in self._new:
            raise LeftOutError(TWICE, question.id)
        kept = list(question.references) if self._mode == "add" else []
        before = len(kept)
        numbers = sorted((n for n in values if _NUMBERED.match(n)), key=lambda n: int(n.rpartition("_")[2]))
        for name in numbers:
            text, wrong = _caption(values[name], kept, notes)
            if wrong:
                notes.note(f"{wrong} was refused", f"{question.id} {name}")
            else:
                kept.append(text)
        if len(kept) == before:
            raise LeftOutError(NOTHING_LEFT, question.id)
        by = f"{question.tags.get('captions', '')} and {WRITTEN}" if before else WRITTEN
        writer = text_of(values.get("writer"), notes) or self._writer
        if not before:  # who wrote what is no longer there is not named any more
            question = msgspec.structs.replace(
                question, tags={k: v for k, v in question.tags.items() if k != BY}
            )
        self._new[question.id] = _with_references(question, kept, by, [writer] if writer else [])

    def questions(self) -> tuple[Question, ...]:
        """Return all questions, in their order."""
        return tuple(self._new.get(q.id, q) for q in self._all)


class _Revised:
    """Decisions on single captions, as they are taken over."""

    def __init__(self, questions: Sequence[Question]) -> None:
        self._all = tuple(questions)
        self._of = _by_object(questions)
        self._texts = {q.id: dict(enumerate(q.references, 1)) for q in self._of.values()}
        self._decided: dict[tuple[str, int], tuple[str, str]] = {}
        self.verdicts: list[Verdict] = []

    def take(self, values: Mapping[str, object], notes: Notes) -> None:
        """Take over one decision. Raises LeftOutError where it cannot be."""
        question = _object_of(values, self._of, notes)
        number = integer_of(values.get("caption"))
        if number is None or not 1 <= number <= len(question.references):
            raise LeftOutError(NO_SUCH_CAPTION, f"{question.id}: {values.get('caption')}")
        decision = text_of(values.get("decision"), notes).casefold()
        if decision not in ("keep", "reject", "revise"):
            raise LeftOutError(NO_DECISION, f"{question.id}: {decision}")
        texts, text = self._texts[question.id], ""
        if decision == "revise":
            text, wrong = _caption(values.get("text"), [t for n, t in texts.items() if n != number], notes)
            if wrong:
                raise LeftOutError(wrong, f"{question.id}, caption {number}")
        if self._decided.setdefault((question.id, number), (decision, text)) != (decision, text):
            raise LeftOutError(DECIDED, f"{question.id}, caption {number}")
        if decision == "reject" and texts.keys() <= {number}:
            raise LeftOutError(LAST, f"{question.id}, caption {number}")
        if decision == "reject":
            texts.pop(number, None)
        elif decision == "revise":
            texts[number] = text
        reason = text_of(values.get("reason"), notes)
        self.verdicts.append(
            Verdict(
                question=question.id,
                reviewer=text_of(values.get("reviewer"), notes) or UNNAMED,
                decision="keep" if decision == "keep" else "reject",
                answer_given=text,
                reason=f"caption {number}" + (f": {reason}" if reason else ""),
            )
        )

    def questions(self) -> tuple[Question, ...]:
        """Return all questions, in their order."""
        found = []
        for q in self._all:
            texts = [text for _, text in sorted(self._texts.get(q.id, {}).items())]
            by = f"{q.tags.get('captions', '')}, revised by people".lstrip(", ")
            changed = bool(texts) and tuple(texts) != q.references
            who = sorted({v.reviewer for v in self.verdicts if v.question == q.id} - {UNNAMED})
            found.append(_with_references(q, texts, by, who) if changed else q)
        return tuple(found)


_NUMBERED = re.compile(r"caption_\d{1,3}$")


def _by_object(questions: Sequence[Question]) -> dict[str, Question]:
    return {q.tags.get("object", q.scene): q for q in questions if q.task == TASK}


def _object_of(values: Mapping[str, object], known: Mapping[str, Question], notes: Notes) -> Question:
    name = first_text(values, ("folder_name", "object", "uid"), notes)
    if name not in known:
        raise LeftOutError(UNKNOWN, name)
    return known[name]


def _caption(value: object, others: Sequence[str], notes: Notes) -> tuple[str, str]:
    """Return a cell as one line of text, and why it cannot be taken, "" where it can."""
    text = " ".join("".join(c for c in text_of(value, notes) if c.isspace() or c.isprintable()).split())
    if not any(c.isalnum() for c in text):
        return "", EMPTY
    if len(text) > MOST_CHARACTERS:
        return "", TOO_LONG
    return (text, DUPLICATE) if _plainly(text) in map(_plainly, others) else (text, "")


def _plainly(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def _with_references(question: Question, texts: Sequence[str], by: str, who: Sequence[str]) -> Question:
    before = question.tags.get(BY, "").split(", ") if question.tags.get(BY) else []
    named = {BY: ", ".join(dict.fromkeys([*before, *who]))} if before or who else {}
    tags = {**question.tags, "captions": by, **named}
    return msgspec.structs.replace(question, references=tuple(texts), answer=texts[0], tags=tags)

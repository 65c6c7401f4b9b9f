"""The file in which people keep or reject what models wrote: WORK/review.jsonl, a line a question.

    question …   the question's id, what it asks, its options, the right one, and the writer's reasoning
    pictures     where the object can be seen, as seen from the work folder
    decision     to be filled in: keep or reject
    answer_given what the reviewer would have answered
    reviewer     who it was
    reason       why

Who wants to mend a question changes its text, choices or answer where they stand, and keeps it. A second
reviewer copies the line. Lines that are there are never changed: new questions come behind them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from fathom.build.written.candidates import Candidate, Shown, Writing, pictures_of_view, views_shown
from fathom.build.written.drafts import problem
from fathom.build.written.judging import REVIEW
from fathom.records import DataError, InputError, Verdict, still_path
from fathom.store.datasets import Dataset
from fathom.store.files import write_bytes
from fathom.store.lines import read_numbered

FILE = "review.jsonl"


class Line(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One line of the review file; what people fill in stands there empty."""

    question: str
    task: str
    text: str
    choices: list[str]
    answer: str
    reasoning: str = ""
    writer: str = ""
    pictures: list[str] = []
    decision: str = ""
    answer_given: str = ""
    reviewer: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Reviewed:
    """What people decided of one question, which may have been mended; `decision` is "" before they have."""

    candidate: Candidate
    decision: Literal["", "keep", "reject"]
    verdicts: tuple[Verdict, ...] = ()
    mended: bool = False


def write_review(
    work: Path, candidates: Sequence[Candidate], dataset: Dataset, objects: dict[str, Shown], writing: Writing
) -> Path:
    """Add a line for each question that has none yet, and return the file."""
    path = work / FILE
    old = path.read_bytes() if path.exists() else b""
    known = {line.question for _, line in read_numbered(path, Line)} if old else set()
    encoder = msgspec.json.Encoder()
    new = [_line(c, work, dataset, objects[c.object], writing) for c in candidates if c.id not in known]
    if new:
        begun = old if not old or old.endswith(b"\n") else old + b"\n"
        write_bytes(path, begun + b"".join(encoder.encode(line) + b"\n" for line in new))
    return path


def _line(candidate: Candidate, work: Path, dataset: Dataset, shown: Shown, writing: Writing) -> Line:
    pictures = []
    for media in views_shown(shown, writing.views):
        path = dataset.media_path(media)
        if media.kind == "video" and not path.is_file():
            root = path.parents[len(Path(media.path).parts) - 1]
            stills = (
                root / still_path(media, part.frame) for part in pictures_of_view(media, writing.frames)
            )
            pictures += [Path(os.path.relpath(still, work.resolve())).as_posix() for still in stills]
        else:
            pictures.append(Path(os.path.relpath(path, work.resolve())).as_posix())
    return Line(
        question=candidate.id,
        task=candidate.task,
        text=candidate.text,
        choices=list(candidate.choices),
        answer=candidate.answer,
        reasoning=candidate.reasoning,
        writer=candidate.writer,
        pictures=pictures,
    )


def read_review(work: Path, candidates: Sequence[Candidate]) -> list[Reviewed]:
    """Return what people decided of each question; one that any of them rejects goes.

    Raises InputError with file and line for a decision that is none, and for a mended question that cannot
    be one; DataError for a line that does not validate.
    """
    path = work / FILE
    lines: dict[str, list[tuple[str, Line]]] = {}
    if path.exists():
        for number, line in read_numbered(path, Line):
            lines.setdefault(line.question, []).append((f"{path}:{number}", line))
    return [_reviewed(c, lines.get(c.id, ())) for c in candidates]


def _reviewed(candidate: Candidate, lines: Sequence[tuple[str, Line]]) -> Reviewed:
    kept, verdicts, decisions = candidate, [], set[str]()
    for where, line in lines:
        decision = line.decision.strip().casefold()
        if decision not in ("", "keep", "reject"):
            raise InputError(
                f"{where}: expected the decision keep or reject, found {line.decision!r}; correct it"
            )
        if not decision:
            continue
        mended = _mended(candidate, line)
        if decision == "keep":
            _check_kept(candidate, mended, kept, line, where)
            kept = mended if mended != candidate else kept
        decisions.add(decision)
        verdicts.append(
            Verdict(
                question=candidate.id,
                reviewer=f"{REVIEW}:{line.reviewer.strip() or 'unnamed'}",
                decision="keep" if decision == "keep" else "reject",
                answer_given=line.answer_given,
                reason=line.reason,
            )
        )
    final: Literal["", "keep", "reject"] = "reject" if "reject" in decisions else "keep" if decisions else ""
    return Reviewed(kept, final, tuple(verdicts), mended=kept != candidate)


def _mended(candidate: Candidate, line: Line) -> Candidate:
    return msgspec.structs.replace(candidate, text=line.text, choices=tuple(line.choices), answer=line.answer)


def _check_kept(candidate: Candidate, mended: Candidate, kept: Candidate, line: Line, where: str) -> None:
    """Raise InputError where a question cannot be kept as a reviewer left it."""
    if line.task != candidate.task:
        raise DataError(
            f"{where}: the task of {candidate.id} is {candidate.task}, found {line.task}; restore it"
        )
    if mended != candidate:
        if wrong := problem(mended.text, mended.choices, mended.answer, mended.task):
            raise InputError(
                f"{where}: the mended question cannot be one ({wrong}); correct it, or reject it"
            )
        if kept not in (candidate, mended):
            raise InputError(
                f"{where}: two reviewers mended {candidate.id} differently; agree on one wording"
            )
    if line.answer_given and line.answer_given != mended.answer:
        raise InputError(
            f"{where}: keeps a question whose answer is {mended.answer!r}, and answers "
            f"{line.answer_given!r}; correct one of them, or reject the question"
        )

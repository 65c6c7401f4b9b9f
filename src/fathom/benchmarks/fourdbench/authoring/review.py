"""What people decide of questions about objects, in WORK/review.jsonl: a line a question.

    question …   the question's id, what it asks, its options, the right one, and the writer's reasoning
    pictures     where the object can be seen, as seen from the work folder; media: their ids in the dataset
    answer_given what the reviewer would have answered

Who wants to correct a question changes its text, choices or answer where they stand, and keeps it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.review import (
    FILE,
    OUTCOMES,
    REVIEW,
    Decision,
    ReviewedLine,
    ReviewFile,
    WaitingDraft,
    together,
)
from fathom.authoring.work import Work
from fathom.benchmarks.fourdbench.authoring.drafts import problem
from fathom.benchmarks.fourdbench.authoring.objects import pictures_of_view, views_shown
from fathom.benchmarks.fourdbench.authoring.settings import ObjectWriting
from fathom.records import DataError, DraftDecision, InputError, Verdict, still_path


class QuestionLine(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One line of the review file; what people fill in stands there empty."""

    question: str
    task: str
    text: str
    choices: list[str]
    answer: str
    reasoning: str = ""
    writer: str = ""
    pictures: list[str] = []
    media: list[str] = []
    decision: str = ""
    answer_given: str = ""
    reviewer: str = ""
    reason: str = ""

    def draft(self) -> WaitingDraft:
        """Return the question with its marked answer; its words may be mended."""
        written = {"Writer": self.writer, "The writer's reasons": self.reasoning}
        return WaitingDraft(
            subject=self.question, title=self.task, text=self.text, choices=tuple(self.choices),
            answer=self.answer, media=tuple(self.media), facts={k: v for k, v in written.items() if v},
            kind=self.task, mendable=True,
        )  # fmt: skip

    def filled(self, said: DraftDecision) -> QuestionLine:
        """Return the line as somebody decided, with the words that they mended."""
        return msgspec.structs.replace(
            self, decision=said.decision, reviewer=said.reviewer, reason=said.reason,
            answer_given=said.answer_given, text=said.text or self.text,
            choices=list(said.choices) or self.choices, answer=said.answer or self.answer,
        )  # fmt: skip


def kept_by_people(
    work: Work, candidates: Sequence[QuestionCandidate], writing: ObjectWriting
) -> tuple[list[QuestionCandidate], int]:
    """Return the questions that people keep, as they left them, and how many they have not decided.

    Raises InputError with file and line for a mended question that cannot be one.
    """
    file = ReviewFile(work.folder / FILE, QuestionLine, lambda line: line.question)
    file.add([_line(work, c, writing) for c in candidates])
    lines, kept, waiting = file.read(), [], 0
    for candidate in candidates:
        found = _reviewed(candidate, lines.get(candidate.id, ()))
        work.outcomes.verdicts += found.verdicts
        outcome = OUTCOMES[found.decision]
        work.outcomes.note(REVIEW, candidate, outcome, found.decision == "keep", found.status)
        if found.decision == "keep":
            kept.append(found.candidate)
        elif found.decision == "reject":
            work.outcomes.reject(
                REVIEW, candidate.id, candidate.subject, candidate.text, candidate.writer, outcome,
                found.status,
            )  # fmt: skip
        else:
            waiting += 1
    return kept, waiting


def _line(work: Work, candidate: QuestionCandidate, writing: ObjectWriting) -> QuestionLine:
    paths, shown = [], views_shown(work.subjects[candidate.subject], writing.views)
    for media in shown:
        path = work.dataset.media_path(media)
        if media.kind == "video" and not path.is_file():
            root = path.parents[len(Path(media.path).parts) - 1]
            frames = pictures_of_view(media, writing.frames)
            paths += [root / still_path(media, part.frame) for part in frames]
        else:
            paths.append(path)
    return QuestionLine(
        question=candidate.id,
        task=candidate.kind,
        text=candidate.text,
        choices=list(candidate.choices),
        answer=candidate.answer,
        reasoning=candidate.reasoning,
        writer=candidate.writer,
        pictures=[Path(os.path.relpath(path, work.folder.resolve())).as_posix() for path in paths],
        media=[media.id for media in shown],
    )


@dataclass
class _Reviewed:
    """What people decided of one question, which may have been mended."""

    candidate: QuestionCandidate
    decision: Decision = ""
    verdicts: list[Verdict] = field(default_factory=list)
    status: str = ""


def _reviewed(candidate: QuestionCandidate, lines: Sequence[ReviewedLine[QuestionLine]]) -> _Reviewed:
    found = _Reviewed(candidate, together(decided.decision for decided in lines))
    for decided in lines:
        if not decided.decision:
            continue
        if decided.decision == "keep":
            mended = _kept(candidate, found.candidate, decided)
            found.candidate = mended if mended != candidate else found.candidate
        found.verdicts.append(decided.verdict(candidate.id, decided.line.answer_given))
    people = ", ".join(dict.fromkeys(v.reviewer.partition(":")[2] for v in found.verdicts))
    did = "corrected" if found.candidate != candidate else found.decision
    found.status = f"{did} by {people}" if people else ""
    return found


def _kept(
    candidate: QuestionCandidate, before: QuestionCandidate, decided: ReviewedLine[QuestionLine]
) -> QuestionCandidate:
    """Return a question as a reviewer keeps it; `before` is what reviewers before made of it.

    Raises InputError where it cannot be kept so.
    """
    line, where = decided.line, decided.where
    mended: QuestionCandidate = msgspec.structs.replace(
        candidate, text=line.text, choices=tuple(line.choices), answer=line.answer
    )
    if line.task != candidate.kind:
        raise DataError(
            f"{where}: the task of {candidate.id} is {candidate.kind}, found {line.task}; restore it"
        )
    if mended != candidate:
        if wrong := problem(mended.text, mended.choices, mended.answer, mended.kind):
            raise InputError(
                f"{where}: the corrected question cannot be one ({wrong}); correct it, or reject it"
            )
        if before not in (candidate, mended):
            raise InputError(
                f"{where}: two reviewers corrected {candidate.id} differently; agree on one wording"
            )
    if line.answer_given and line.answer_given != mended.answer:
        raise InputError(
            f"{where}: keeps a question whose answer is {mended.answer!r}, and answers "
            f"{line.answer_given!r}; correct one of them, or reject the question"
        )
    return mended

"""What people decide of pictures' and clips' questions, in WORK/review.jsonl: a line a question and person.

    question …    the question's id, its text, its options; which one is marked as right is not shown
    picture       where it, or the clip, lies, as seen from the work folder; media: its id in the dataset
    answer_given  to be filled in: the option that is right, word for word or by its letter
    dimension     what the question belongs to; of a picture to be changed where it is another one
    decision      to be filled in: keep or reject
    reason        of what is rejected: cannot be answered by looking, none right, several right, or words

A question stays where everybody keeps it and gives the marked answer. It goes to the dimension that most
people name.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.prompts import LETTERS
from fathom.authoring.review import (
    FILE,
    KEPT,
    REJECTED,
    REVIEW,
    WAITING,
    ReviewedLine,
    ReviewFile,
    WaitingDraft,
    together,
)
from fathom.authoring.work import Work
from fathom.benchmarks.seedbench.authoring.prompts import PROMPTS
from fathom.english import rounded
from fathom.records import DraftDecision, InputError, Verdict
from fathom.stats.agreement import agreement, pairwise_kappa

OTHERWISE = "people answer otherwise than is marked"


class AnnotationLine(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """One line of the review file; what people fill in stands there empty, but for the dimension."""

    question: str
    person: int
    text: str
    choices: list[str]
    picture: str = ""
    media: list[str] = []
    dimension: str
    answer_given: str = ""
    decision: str = ""
    reviewer: str = ""
    reason: str = ""

    def draft(self) -> WaitingDraft:
        """Return the question; people find its answer and its dimension themselves."""
        return WaitingDraft(
            subject=self.question, title="Which option is right?", text=self.text,
            choices=tuple(self.choices), media=tuple(self.media), kind=self.dimension,
            kinds=_dimensions(self.dimension),
        )  # fmt: skip

    def filled(self, said: DraftDecision) -> AnnotationLine:
        """Return the line as somebody decided."""
        return msgspec.structs.replace(
            self, decision=said.decision, reviewer=said.reviewer, reason=said.reason,
            answer_given=said.answer_given, dimension=said.kind or self.dimension,
        )  # fmt: skip


Lines = Sequence[ReviewedLine[AnnotationLine]]


def annotated(
    work: Work, candidates: Sequence[QuestionCandidate], people: int
) -> tuple[list[QuestionCandidate], int]:
    """Return the questions that people keep, in the dimension that they name, and how many lines wait.

    Raises InputError with file and line for a dimension or an answer that there is not.
    """
    file = ReviewFile(work.folder / FILE, AnnotationLine, lambda line: f"{line.question}#{line.person}")
    file.add([_line(work, c, n) for c in candidates for n in range(1, people + 1)])
    lines = file.read()
    kept: list[QuestionCandidate] = []
    waiting, said = 0, list[dict[str, str]]()
    for candidate in candidates:
        found = [line for n in range(1, people + 1) for line in lines.get(f"{candidate.id}#{n}", ())]
        waiting += sum(not line.decision for line in found)
        answers = {id(line): _answer(line, candidate) for line in found}
        verdicts = [line.verdict(candidate.id, answers[id(line)]) for line in found if line.decision]
        work.outcomes.verdicts += verdicts
        said.append({v.reviewer: v.answer_given if v.decision == "keep" else "reject" for v in verdicts})
        outcome = _outcome(candidate, found, verdicts)
        status = ", ".join(f"{v.reviewer.partition(':')[2]}: {v.decision}" for v in verdicts)
        named: QuestionCandidate = msgspec.structs.replace(candidate, kind=_dimension(candidate, found))
        work.outcomes.note(REVIEW, named, outcome, outcome == KEPT, status)
        if outcome == KEPT:
            kept.append(named)
        elif outcome != WAITING:
            why = "; ".join(dict.fromkeys(v.reason for v in verdicts if v.reason)) or status
            work.outcomes.reject(
                REVIEW, candidate.id, candidate.subject, candidate.text, candidate.writer, outcome, why
            )
    _note_agreement(work, said)
    return kept, waiting


def _outcome(candidate: QuestionCandidate, found: Lines, verdicts: Sequence[Verdict]) -> str:
    if any(not line.decision for line in found):
        return WAITING
    if together(line.decision for line in found) == "reject":
        return REJECTED
    return KEPT if all(v.answer_given == candidate.answer for v in verdicts) else OTHERWISE


def _answer(line: ReviewedLine[AnnotationLine], candidate: QuestionCandidate) -> str:
    """Return the option that a person gives. Raises InputError where a kept question has none."""
    given = line.line.answer_given.strip()
    letter = given.strip("(). ").upper()
    if given not in candidate.choices and len(letter) == 1 and letter in LETTERS[: len(candidate.choices)]:
        given = candidate.choices[LETTERS.index(letter)]
    if line.decision == "keep" and given not in candidate.choices:
        raise InputError(
            f"{line.where}: keeps the question, and answers {given or 'nothing'}; give one of its options or "
            "its letter, or reject the question"
        )
    return given


def _dimension(candidate: QuestionCandidate, found: Lines) -> str:
    """Return the dimension that most people name; the writer's own where none is named more than others."""
    for line in found:
        if line.line.dimension not in (known := _dimensions(candidate.kind) or (candidate.kind,)):
            raise InputError(
                f"{line.where}: there is no dimension {line.line.dimension!r}; there are {', '.join(known)}"
            )
    named = Counter(line.line.dimension for line in found if line.decision == "keep").most_common(2)
    if not named or (len(named) == 2 and named[0][1] == named[1][1]):
        return candidate.kind
    return named[0][0]


def _dimensions(own: str) -> tuple[str, ...]:
    """Return the dimensions that a question may belong to; () where its own is settled, as that of clips."""
    return tuple(PROMPTS.kinds) if own in PROMPTS.kinds else ()


def _note_agreement(work: Work, said: Sequence[dict[str, str]]) -> None:
    found = agreement(said)
    if not found.items or found.raw is None:
        return
    alpha = "" if found.alpha is None else f", Krippendorff's α {found.alpha:.3f}"
    pairs = (
        f"; Cohen's κ of {a.partition(':')[2]} and {b.partition(':')[2]}: {kappa:.3f} over {n:,}"
        for (a, b), (kappa, n) in pairwise_kappa(said).items()
        if kappa is not None
    )
    work.outcomes.notes.append(
        f"people agree in {rounded(100 * found.raw)} % of {found.pairs:,} pairs{alpha}{''.join(pairs)}"
    )


def _line(work: Work, candidate: QuestionCandidate, person: int) -> AnnotationLine:
    media = work.subjects[candidate.subject].media
    path = os.path.relpath(work.dataset.media_path(media[0]), work.folder.resolve()) if media else ""
    return AnnotationLine(
        question=candidate.id,
        person=person,
        text=candidate.text,
        choices=list(candidate.choices),
        picture=Path(path).as_posix() if path else "",
        media=[m.id for m in media],
        dimension=candidate.kind,
    )

"""From a dataset of videos to questions that models wrote: what to do next, and what came of each step.

    describe   a model describes things; each description is held against the truth
    review     people decide what the truth cannot, of descriptions
    facts      what can be asked of them, with exact answers and five options, derived twice
    ask        a model puts facts into questions; each is held against its fact
    blind      models that see nothing try; what all get right goes
    review     people decide what only they can, of questions

Everything is worked out again from the answers, so that a call may be repeated at any time; only the facts,
once drawn, stay (facts.jsonl), since questions are asked about them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from fathom.build.written.putting import check_new, check_same
from fathom.build.written.requests import mend_rounds, take_runs
from fathom.build.written.tables import Table, table_of
from fathom.build.written.videos.desk import Desk, WaitError
from fathom.build.written.videos.first import facts_in
from fathom.build.written.videos.second import questions_in
from fathom.build.written.videos.settings import VideoWriting, check_writing
from fathom.records import InputError, Question, Record
from fathom.store.datasets import Dataset, open_dataset
from fathom.store.files import read_json, write_json, write_jsonl

STEPS = ("describe", "review", "facts", "ask", "review", "blind")
"""In the order in which they are gone through; people are waited for in each `review`."""

SETTINGS, QUESTIONS, VERDICTS = "settings.json", "questions.jsonl", "verdicts.jsonl"
REJECTED, TABLE = "rejected.jsonl", "steps.jsonl"


class Settings(Record, frozen=True, kw_only=True):
    """What WORK/settings.json holds."""

    dataset: str
    videos: VideoWriting


@dataclass(frozen=True)
class Next:
    """Where the work stands: the step that waits for somebody or "done", what to do, in words, the table,
    and the questions that can be added.
    """

    step: str
    say: str
    table: Table
    questions: tuple[Question, ...] = ()

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return self.step == "done"


def next_step(
    dataset: Path, work: Path, responses: Sequence[Path] = (), writing: VideoWriting | None = None
) -> Next:
    """Return what to do next to have descriptions and questions about the videos of a dataset written.

    `responses` are runs that answer requests in the work folder; they need be given once. `writing` may be
    left out where work has begun.

    Raises InputError where the work folder is of another dataset or of other settings, where a run answers
    other requests, and for a line of the review file that is no decision.
    """
    opened = open_dataset(dataset)
    work.mkdir(parents=True, exist_ok=True)
    writing = _settled(work, opened, writing)
    mend_rounds(work)
    take_runs(work, responses)
    desk = Desk(opened, work, writing)
    found = _went_on(desk)
    write_jsonl(work / TABLE, found.table.records())
    write_jsonl(work / VERDICTS, desk.sifted.verdicts)
    write_jsonl(work / REJECTED, desk.rejected)
    write_jsonl(work / QUESTIONS, found.questions)
    return found


def _went_on(desk: Desk) -> Next:
    """Return where the work stands after everything that can be done now."""
    questions: tuple[Question, ...] = ()
    try:
        questions = questions_in(desk, facts_in(desk))
        step, say = "done", f"{len(questions):,} questions can be added: {desk.work / QUESTIONS}"
    except WaitError as wait:
        step, say = wait.step, wait.say
    return Next(step, say, table_of(desk.sifted.fates, desk.settings), questions)


def _settled(work: Path, dataset: Dataset, writing: VideoWriting | None) -> VideoWriting:
    path = work / SETTINGS
    if not path.is_file():
        check_new(work)
        chosen = writing or VideoWriting()
        check_writing(chosen)
        write_json(path, Settings(dataset=dataset.manifest.identity, videos=chosen))
        return chosen
    known = read_json(path, Settings)
    check_same(work, known.dataset, dataset)
    if writing is not None and writing != known.videos:
        raise InputError(
            f"{work}: was begun with other settings ({known.videos}); give the same, or another folder"
        )
    return known.videos

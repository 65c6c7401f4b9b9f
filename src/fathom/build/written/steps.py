"""From a dataset to questions that models wrote: what to do next, and what came of each step.

A step writes a folder of requests, `fathom run` has a model answer it, and the next call goes on from there.
Everything is worked out again from the requests, the answers and the review file, so that a call may be
repeated at any time, and changes nothing where nothing is new.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from fathom.build.written.candidates import Candidate, Shown, Writing, check_writing, objects_of
from fathom.build.written.putting import check_new, check_same, put, waiting
from fathom.build.written.requests import (
    Answering,
    Said,
    Step,
    blind_requests_of,
    check_requests_of,
    mend_rounds,
    said_in,
    take_runs,
    write_requests_of,
)
from fathom.build.written.review import read_review, write_review
from fathom.build.written.sifting import NOT_DECIDED, Sifted, not_blind, passed, reviewed, written
from fathom.build.written.tables import Table, table_of
from fathom.records import Groups, InputError, Question, Record, Request, Verdict
from fathom.store.datasets import Dataset, open_dataset
from fathom.store.files import read_json, write_json, write_jsonl

STEPS = ("write", "check", "blind", "review")
"""In the order in which they are gone through; people are waited for in the last."""

SETTINGS = "settings.json"
QUESTIONS = "questions.jsonl"
VERDICTS = "verdicts.jsonl"
TABLE = "steps.jsonl"


class Settings(Record, frozen=True, kw_only=True):
    """What WORK/settings.json holds."""

    dataset: str
    writing: Writing


_WANTED = {
    "write": "have a model that sees pictures write questions",
    "check": "have a model that sees pictures check the questions against the rules",
    "blind": "have {models} different text-only models answer the questions blind",
}
"""What each step wants of whom."""


@dataclass(frozen=True)
class Next:
    """Where the work stands.

    `step` is the one that waits for somebody: "write", "check", "blind", "review", or "done"; `say` tells in
    words what to do. `questions` are those that people have kept so far, `verdicts` all that was decided.
    """

    step: str
    say: str
    table: Table
    questions: tuple[Question, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    requests: tuple[Path, ...] = ()

    @property
    def done(self) -> bool:
        """Whether nothing is left to do."""
        return self.step == "done"


def next_step(
    dataset: Path, work: Path, responses: Sequence[Path] = (), writing: Writing | None = None
) -> Next:
    """Return what to do next to have questions about the objects of a dataset written, and what is there.

    `responses` are runs that answer requests in the work folder; they need be given once. `writing` may be
    left out where work has begun. The folder then holds the questions that people kept (questions.jsonl),
    what was decided (verdicts.jsonl) and how many came how far (steps.jsonl).

    Raises InputError where the work folder is of another dataset or of other settings, where a run answers
    other requests, and for a line of the review file that is no decision.
    """
    opened = open_dataset(dataset)
    work.mkdir(parents=True, exist_ok=True)
    writing = _settled(work, opened, writing)
    mend_rounds(work)
    desk = _Desk(opened, work, writing, take_runs(work, responses))
    found = desk.go_on()
    write_jsonl(work / TABLE, found.table.records())
    write_jsonl(work / VERDICTS, found.verdicts)
    write_jsonl(work / QUESTIONS, found.questions)
    return found


def _settled(work: Path, dataset: Dataset, writing: Writing | None) -> Writing:
    path = work / SETTINGS
    if not path.is_file():
        check_new(work)
        chosen = writing or Writing()
        check_writing(chosen)
        write_json(path, Settings(dataset=dataset.manifest.identity, writing=chosen))
        return chosen
    known = read_json(path, Settings)
    check_same(work, known.dataset, dataset)
    if writing is not None and writing != known.writing:
        raise InputError(
            f"{work}: was begun with other settings ({_difference(known.writing, writing)}); give the same, "
            "or another folder"
        )
    return known.writing


def _difference(old: Writing, new: Writing) -> str:
    a, b = msgspec.structs.asdict(old), msgspec.structs.asdict(new)
    return ", ".join(f"{name} is {a[name]} there, and {b[name]} now" for name in a if a[name] != b[name])


class _Desk:
    """The work at one call: goes from step to step until one waits for somebody."""

    def __init__(self, dataset: Dataset, work: Path, writing: Writing, runs: Sequence[Answering]) -> None:
        self.dataset = dataset
        self.work = work
        self.writing = writing
        self.runs = runs
        self.objects: dict[str, Shown] = {o.id: o for o in objects_of(dataset, writing.objects)}
        self.sifted = Sifted()

    def go_on(self) -> Next:
        """Return where the work stands after everything that can be done now."""
        requests = list(write_requests_of(self.objects.values(), self.writing))
        if waiting := self._put("write", requests, 1):
            return waiting
        tasks = {
            f"{o}_{task}_{turn}": (o, task)
            for o in self.objects for task in self.writing.tasks for turn in range(self.writing.each)
        }  # fmt: skip
        candidates = written(self._said("write"), tasks, self.writing.seed, self.sifted)
        if waiting := self._put("check", list(check_requests_of(candidates, self.objects, self.writing)), 1):
            return waiting
        candidates = passed(candidates, self._said("check"), self.sifted)
        if waiting := self._put("blind", list(blind_requests_of(candidates)), self.writing.readers):
            return waiting
        candidates = not_blind(candidates, self._said("blind"), self.sifted)
        return self._review(candidates)

    def _said(self, step: Step) -> list[Said]:
        return said_in(self.work, step, self.runs)

    def _put(self, step: Step, requests: Sequence[Request], models: int) -> Next | None:
        """Write down what was not asked yet; return what to wait for, None where all is answered."""
        asked = put(self.work, step, requests, self.dataset, self.objects, self.writing.seed)
        words, folders = waiting(asked, self._said(step), models, _WANTED[step].format(models=models))
        return self._next(step, "\n".join(words), (), tuple(folders)) if words else None

    def _review(self, candidates: Sequence[Candidate]) -> Next:
        path = write_review(self.work, candidates, self.dataset, self.objects, self.writing)
        decided = read_review(self.work, candidates)
        kept = reviewed(decided, self.sifted)
        questions = tuple(self._question(c) for c in kept)
        waiting = sum(not each.decision for each in decided)
        undecided = sum(f.outcome == NOT_DECIDED for f in self.sifted.fates)
        failed = (
            f"{undecided:,} questions are not decided because requests failed; start `fathom run` again on "
            "those folders to ask them once more"
        )
        if waiting:
            say = f"{waiting:,} questions wait for people: fill in `decision` (keep or reject) in {path}"
            return self._next("review", f"{say}\n{failed}" if undecided else say, questions)
        say = f"{len(questions):,} questions are kept: {self.work / QUESTIONS}"
        return self._next("done", f"{say}\n{failed}" if undecided else say, questions)

    def _next(
        self, step: str, say: str, questions: tuple[Question, ...] = (), requests: tuple[Path, ...] = ()
    ) -> Next:
        table = table_of(self.sifted.fates, self.writing.tasks)
        return Next(step, say, table, questions, tuple(self.sifted.verdicts), requests)

    def _question(self, candidate: Candidate) -> Question:
        shown = self.objects[candidate.object]
        scenes = {m.scene for m in shown.media}
        scene = scenes.pop() if len(scenes) == 1 else ""
        asset = self._asset(scene)
        status: Mapping[str, str] = self.sifted.status[candidate.id]
        return Question(
            id=candidate.id,
            task=candidate.task,
            text=candidate.text,
            choices=candidate.choices,
            answer=candidate.answer,
            media=tuple(m.id for m in shown.media),
            scene=scene if asset else "",
            groups=Groups(cluster=asset or candidate.object),
            tags={"object": candidate.object, "form": "written", **status},
            source=f"written:{candidate.writer}",
        )

    def _asset(self, scene: str) -> str:
        """Return the asset of a scene's actor; "" where the dataset has no such scene."""
        if not scene or not self._has_scenes:
            return ""
        return self.dataset.scene(scene).things[0].asset.name

    @property
    def _has_scenes(self) -> bool:
        return next(self.dataset.scenes(), None) is not None

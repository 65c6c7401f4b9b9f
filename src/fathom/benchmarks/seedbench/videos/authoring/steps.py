"""From the questions of a dataset to the same ones with wrong options that a model wrote, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.drafts import WrittenReply, said_of, take
from fathom.authoring.filters import not_blind
from fathom.authoring.protocol import Writing
from fathom.authoring.requests import ModelStep
from fathom.authoring.work import Work
from fathom.benchmarks.seedbench.authoring.guessed import blind_forest, blind_shares
from fathom.benchmarks.seedbench.authoring.lengths import evened
from fathom.benchmarks.seedbench.authoring.review import annotated
from fathom.benchmarks.seedbench.authoring.steps import SOURCE
from fathom.benchmarks.seedbench.tasks import TASKS
from fathom.benchmarks.seedbench.videos.authoring.prompts import PROMPTS, write_prompt
from fathom.benchmarks.seedbench.videos.authoring.replies import read_reply
from fathom.benchmarks.seedbench.videos.authoring.settings import ClipWriting
from fathom.benchmarks.seedbench.videos.drafts import DraftWithOptions, VideoDraft
from fathom.benchmarks.seedbench.videos.kept import kept_drafts
from fathom.benchmarks.seedbench.videos.shortcuts import shortcut_table
from fathom.benchmarks.seedbench.videos.writing import question_of
from fathom.records import InputError, Question, Variant
from fathom.store.datasets import Dataset
from fathom.store.subjects import Subject

WRITE = ModelStep("write", "write", "have a model write wrong options from what is annotated of the clips")

BY_A_MODEL = "written by a model"
"""What the tag `distractors` of a question says whose wrong options are."""

BEFORE = "wrong options of the question were taken from another reply"


@dataclass(frozen=True)
class _Asked:
    """A question of the dataset, and the draft that it was made of; `seed` places its options."""

    question: Question
    draft: VideoDraft
    seed: int

    def with_options(self, rule: str, choices: Sequence[str]) -> DraftWithOptions:
        """Return the draft with wrong options, of which it is said how they were found."""
        wrong = tuple(self.draft.ground.option(c) for c in choices if c != self.draft.answer.text)
        return DraftWithOptions(self.draft, rule, wrong)


Asked = Mapping[str, _Asked]
"""By the ids of questions, which are those of requests."""


def begin(dataset: Dataset, writing: ClipWriting) -> Writing:
    """Return the work on the questions of a dataset. Raises InputError where there are none."""
    settings, drafts = kept_drafts(dataset.path)
    asked: dict[str, _Asked] = {}
    count = Counter[str]()
    for question in dataset.questions():
        if question.tags.get("distractors") == BY_A_MODEL:
            raise InputError(
                f"{dataset.path}: its wrong options are written by a model already; give the dataset that it "
                "was made from"
            )
        count[question.task] += 1
        room = not writing.most or count[question.task] <= writing.most
        if question.id in drafts and question.task in writing.dimensions and room:
            asked[question.id] = _Asked(question, drafts[question.id], settings.seed)
    if not asked:
        raise InputError(
            f"{dataset.path}: has no question of {', '.join(writing.dimensions)}; give other dimensions"
        )
    shown = dict.fromkeys(a.question.media[0] for a in asked.values())
    subjects = {name: Subject(name, (dataset.media(name),)) for name in shown}
    columns = {task: TASKS[task] for task in writing.dimensions}
    return Writing(subjects, columns, writing.seed, partial(questions_of, writing, asked))


def questions_of(writing: ClipWriting, asked: Asked, work: Work) -> list[Question]:
    """Return the questions that people kept. Raises WaitError where anybody is waited for."""
    counts = Counter(a.draft.task for a in asked.values())
    listed = ", ".join(f"{TASKS[task]} {n:,}" for task, n in counts.items())
    work.outcomes.notes.append(f"{len(asked):,} questions get new wrong options: {listed}")
    requests = (
        work.request(WRITE, name, a.draft.task, write_prompt(a.draft), Variant(name=a.draft.task))
        for name, a in asked.items()
    )
    work.ask(WRITE, requests)
    written = evened(work, _written(work, writing, asked), writing.seed)
    candidates = not_blind(work, written, PROMPTS, writing.readers)
    work.outcomes.notes += [
        *blind_shares(work, written),
        *blind_forest([_question(work, asked, c) for c in written]),
    ]
    kept, waiting = annotated(work, candidates, writing.people)
    work.outcomes.notes += _shortcuts(asked, kept or candidates)
    questions = [_question(work, asked, c) for c in kept]
    work.wait_for_people(waiting, questions)
    return questions


def _written(work: Work, writing: ClipWriting, asked: Asked) -> list[QuestionCandidate]:
    """Return the questions whose wrong options can be taken, with those of the first such reply."""
    found: dict[str, list[QuestionCandidate]] = {}
    for said in said_of(asked, work.replies(WRITE)):
        about = asked[said.request]
        subject = about.question.media[0]
        before = found.setdefault(said.request, [])
        draft = said.failed or _candidate(about, said, writing.factor)
        take(
            work.outcomes, WRITE.name, said, (subject, about.draft.task), draft, before,
            lambda draft, before: BEFORE if before else "",
        )  # fmt: skip
    return [c for name in asked for c in found.get(name, ())]


def _candidate(about: _Asked, said: WrittenReply, factor: float) -> QuestionCandidate | str:
    wrong = read_reply(said.text, about.draft, factor)
    if isinstance(wrong, str):
        return wrong
    question = question_of(DraftWithOptions(about.draft, BY_A_MODEL, wrong), about.seed, about.question.media)
    return QuestionCandidate(
        id=question.id,
        subject=question.media[0],
        kind=question.task,
        text=question.text,
        choices=question.choices,
        answer=question.answer,
        writer=said.writer,
    )


def _question(work: Work, asked: Asked, candidate: QuestionCandidate) -> Question:
    about = asked[candidate.id]
    found = question_of(about.with_options(BY_A_MODEL, candidate.choices), about.seed, about.question.media)
    return msgspec.structs.replace(
        found,
        choices=candidate.choices,
        possible=candidate.choices,
        tags={**found.tags, **work.outcomes.status[candidate.id]},
        source=f"{SOURCE}{candidate.writer}",
    )


def _shortcuts(asked: Asked, candidates: Sequence[QuestionCandidate]) -> list[str]:
    """Return what can be guessed of the questions, beside the same ones with options by rule."""
    if not candidates:
        return []
    every = [(asked[c.id], c) for c in candidates]
    sets = {
        "written by models": [a.with_options(BY_A_MODEL, c.choices) for a, c in every],
        "by rule": [a.with_options(a.question.tags["distractors"], a.question.choices) for a, _ in every],
    }
    return [shortcut_table(sets, every[0][0].seed)]

"""From objects to questions that people kept, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.drafts import said_of, take
from fathom.authoring.filters import keeping_rules, not_blind
from fathom.authoring.protocol import Writing
from fathom.authoring.requests import ModelStep
from fathom.authoring.work import Work
from fathom.benchmarks.fourdbench.authoring.drafts import read_draft, repeated
from fathom.benchmarks.fourdbench.authoring.prompts import PROMPTS, check_prompt, seen_of, write_prompt
from fathom.benchmarks.fourdbench.authoring.review import kept_by_people
from fathom.benchmarks.fourdbench.authoring.settings import ObjectWriting
from fathom.benchmarks.fourdbench.tasks import TASKS
from fathom.records import Groups, Part, Question, Request, Variant
from fathom.store.datasets import Dataset
from fathom.store.subjects import Subject, subjects_of

WRITE = ModelStep("write", "write", "have a model that sees pictures write questions")

SOURCE = "written:"
"""What the source of a question begins with that a model wrote."""


Seen = Mapping[str, tuple[Part, ...]]
"""What models see of each object."""


def begin(dataset: Dataset, writing: ObjectWriting) -> Writing:
    """Return the work on the objects of a dataset."""
    subjects = {o.id: o for o in subjects_of(dataset, writing.objects)}
    columns = {task: TASKS[task] for task in writing.tasks}
    return Writing(subjects, columns, writing.seed, partial(questions_of, writing))


def questions_of(writing: ObjectWriting, work: Work) -> list[Question]:
    """Return the questions that people kept. Raises WaitError where anybody is waited for."""
    seen = {name: seen_of(s, writing.views, writing.frames) for name, s in work.subjects.items()}
    work.ask(WRITE, _write_requests(work, writing, seen))
    candidates = _written(work, writing)
    candidates = keeping_rules(work, candidates, PROMPTS, lambda c: check_prompt(seen[c.subject], c))
    candidates = not_blind(work, candidates, PROMPTS, writing.readers)
    kept, waiting = kept_by_people(work, candidates, writing)
    questions = [_question(work, c) for c in kept]
    work.wait_for_people(waiting, questions)
    return questions


def _names(work: Work, writing: ObjectWriting) -> Iterator[tuple[str, str, str, int]]:
    """Yield what writers are asked for: a request's name, its object, its subtask, and which of several."""
    for name in work.subjects:
        for task in writing.tasks:
            for turn in range(writing.each):
                yield f"{name}_{task}_{turn}", name, task, turn


def _write_requests(work: Work, writing: ObjectWriting, seen: Seen) -> Iterator[Request]:
    for request, name, task, turn in _names(work, writing):
        prompt = write_prompt(seen[name], task, turn)
        yield work.request(WRITE, request, task, prompt, Variant(name=task, repeat=turn))


def _written(work: Work, writing: ObjectWriting) -> list[QuestionCandidate]:
    """Return the questions that writers wrote, each that was not asked before of its object."""
    wanted = {request: (name, task) for request, name, task, _ in _names(work, writing)}
    found: dict[str, list[QuestionCandidate]] = {}
    for said in said_of(wanted, work.replies(WRITE)):
        name, task = wanted[said.request]
        draft = said.failed or read_draft(said.text, name, task, said.writer, writing.seed)
        before = found.setdefault(name, [])
        take(work.outcomes, WRITE.name, said, (name, task), draft, before, repeated)
    return [c for listed in found.values() for c in listed]


def _question(work: Work, candidate: QuestionCandidate) -> Question:
    subject = work.subjects[candidate.subject]
    scene, asset = _asset(work.dataset, subject)
    return Question(
        id=candidate.id,
        task=candidate.kind,
        text=candidate.text,
        choices=candidate.choices,
        answer=candidate.answer,
        media=tuple(m.id for m in subject.media),
        scene=scene,
        groups=Groups(cluster=asset or subject.id),
        tags={"object": subject.id, "form": "written", **work.outcomes.status[candidate.id]},
        source=f"{SOURCE}{candidate.writer}",
    )


def _asset(dataset: Dataset, subject: Subject) -> tuple[str, str]:
    """Return an object's scene and the asset of its actor; "" for both where the dataset has no scene."""
    scenes = {m.scene for m in subject.media}
    if len(scenes) != 1 or "" in scenes or next(dataset.scenes(), None) is None:
        return "", ""
    scene = scenes.pop()
    asset = dataset.scene(scene).objects[0].asset.name
    return scene if asset else "", asset

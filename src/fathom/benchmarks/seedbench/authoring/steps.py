"""From what is known of pictures to questions that people kept, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.drafts import said_of, take
from fathom.authoring.filters import not_blind
from fathom.authoring.information.extracting import information_in
from fathom.authoring.information.nouns import counter_of, nouns_said
from fathom.authoring.information.record import VisualInformation
from fathom.authoring.protocol import Writing
from fathom.authoring.requests import ModelStep
from fathom.authoring.work import WaitError, Work
from fathom.benchmarks.seedbench.authoring.balancing import balanced, counts_beside_the_paper, positions
from fathom.benchmarks.seedbench.authoring.drafts import ALIKE, likeness, read_drafts, repeated
from fathom.benchmarks.seedbench.authoring.guessed import blind_forest, blind_shares
from fathom.benchmarks.seedbench.authoring.lengths import evened
from fathom.benchmarks.seedbench.authoring.prompts import PROMPTS, write_prompt
from fathom.benchmarks.seedbench.authoring.review import annotated
from fathom.benchmarks.seedbench.authoring.settings import PictureWriting
from fathom.benchmarks.seedbench.tasks import TASKS
from fathom.records import Groups, InputError, Media, Question, Variant
from fathom.store.datasets import MEDIA, Dataset
from fathom.store.files import read_jsonl
from fathom.store.subjects import Subject

WRITE = ModelStep("write", "write", "have a model write questions from what is known of the pictures")
APART: Mapping[str, ModelStep] = {
    kind: ModelStep(f"write-{kind}", "write", f"have a model write questions of {TASKS[kind]}")
    for kind in PROMPTS.kinds
}
"""The steps of dimensions that have writers of their own."""

SOURCE = "written:"
"""What the source of a question begins with that a model wrote."""

Known = Mapping[str, VisualInformation]


def begin(dataset: Dataset, writing: PictureWriting) -> Writing:
    """Return the work on the pictures of a folder of information. Raises InputError where there is none."""
    everything = information_in(dataset)
    media = {m.id: m for m in read_jsonl(dataset.path / MEDIA, Media)}
    nouns_in = counter_of(writing.tagger)

    def told(found: VisualInformation) -> bool:
        return not writing.nouns or len(nouns_said(found, nouns_in)) > writing.nouns

    chosen = [i for i in everything.values() if not i.failed.get("picture") and told(i)]
    chosen = chosen[: writing.pictures or None]
    if not chosen:
        raise InputError(
            f"{dataset.path}: of none of {len(everything):,} pictures more than {writing.nouns} nouns are "
            "said; extract captions or objects, or set fewer nouns"
        )
    subjects = {i.id: Subject(i.id, (media[i.id],) if i.id in media else ()) for i in chosen}
    known = {i.id: i for i in chosen}
    columns = {kind: TASKS[kind] for kind in PROMPTS.kinds}
    return Writing(subjects, columns, writing.seed, partial(questions_of, writing, known, len(everything)))


def questions_of(writing: PictureWriting, known: Known, pictures: int, work: Work) -> list[Question]:
    """Return the questions that people kept. Raises WaitError where anybody is waited for."""
    work.outcomes.notes.append(
        f"{len(known):,} of {pictures:,} pictures are written about (more than {writing.nouns} nouns are "
        "said of them)"
    )
    _ask_writers(work, writing, known)
    written = evened(work, _written(work, writing, known), writing.seed)
    candidates = not_blind(work, written, PROMPTS, writing.readers)
    work.outcomes.notes += [
        *blind_shares(work, written),
        *blind_forest([_question(work, c) for c in written]),
    ]
    kept, waiting = annotated(work, candidates, writing.people)
    kept = balanced(kept, writing.balance, writing.seed)
    if kept:
        work.outcomes.notes += [*counts_beside_the_paper(kept), positions(kept)]
    questions = [_question(work, c) for c in kept]
    work.wait_for_people(waiting, questions)
    return questions


def _steps(writing: PictureWriting) -> dict[ModelStep, list[str]]:
    """Return which dimensions are written in which step."""
    found: dict[ModelStep, list[str]] = {}
    for kind in writing.dimensions:
        found.setdefault(APART[kind] if kind in writing.apart else WRITE, []).append(kind)
    return found


def _names(writing: PictureWriting, known: Known, kinds: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield what writers are asked for: a request's name, its picture, its dimension."""
    for name, found in known.items():
        for kind in kinds:
            if kind != "text_understanding" or found.texts:
                yield f"{name}_{kind}", name, kind


def _ask_writers(work: Work, writing: PictureWriting, known: Known) -> None:
    """Ask all writers. Raises one WaitError for all of them that have still to answer."""
    waits: list[WaitError] = []
    for step, kinds in _steps(writing).items():
        requests = [
            work.request(
                step, request, kind, write_prompt(known[name], kind, writing.each), Variant(name=kind)
            )
            for request, name, kind in _names(writing, known, kinds)
        ]
        try:
            work.ask(step, requests)
        except WaitError as wait:
            waits.append(wait)
    if waits:
        folders = [folder for wait in waits for folder in wait.requests]
        raise WaitError(waits[0].step, "\n".join(wait.say for wait in waits), folders)


def _written(work: Work, writing: PictureWriting, known: Known) -> list[QuestionCandidate]:
    """Return the questions that writers wrote, but those asked before of the picture, or of others."""
    found: dict[str, list[QuestionCandidate]] = {}
    often = Counter[tuple[frozenset[str], ...]]()

    def again(draft: QuestionCandidate, before: Sequence[QuestionCandidate]) -> str:
        alike = likeness(draft)
        reason = repeated(draft, before) or (ALIKE if 0 < writing.alike <= often[alike] else "")
        often[alike] += not reason
        return reason

    for step, kinds in _steps(writing).items():
        wanted = {request: (name, kind) for request, name, kind in _names(writing, known, kinds)}
        for said in said_of(wanted, work.replies(step)):
            about = wanted[said.request]
            failed = [said.failed] if said.failed else None
            before = found.setdefault(about[0], [])
            for draft in failed or read_drafts(said.text, *about, said.writer, writing.seed):
                take(work.outcomes, step.name, said, about, draft, before, again)
    return [c for listed in found.values() for c in listed]


def _question(work: Work, candidate: QuestionCandidate) -> Question:
    subject = work.subjects[candidate.subject]
    return Question(
        id=candidate.id,
        task=candidate.kind,
        text=candidate.text,
        choices=candidate.choices,
        answer=candidate.answer,
        media=tuple(m.id for m in subject.media),
        groups=Groups(cluster=subject.id),
        tags={"data_type": "image", "form": "written", **work.outcomes.status[candidate.id]},
        source=f"{SOURCE}{candidate.writer}",
    )

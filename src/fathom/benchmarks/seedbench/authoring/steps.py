"""From what is known of pictures to questions that people kept, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from fathom.authoring.candidates import QuestionCandidate
from fathom.authoring.drafts import said_of, take
from fathom.authoring.filters import BLIND, BLIND_RIGHT, not_blind
from fathom.authoring.information.extracting import information_in
from fathom.authoring.information.nouns import counter_of, nouns_said
from fathom.authoring.information.record import VisualInformation
from fathom.authoring.protocol import Writing
from fathom.authoring.requests import ModelStep
from fathom.authoring.work import WaitError, Work
from fathom.benchmarks.seedbench.authoring.balancing import balanced, counts_beside_the_paper, positions
from fathom.benchmarks.seedbench.authoring.drafts import ALIKE, likeness, read_drafts, repeated
from fathom.benchmarks.seedbench.authoring.lengths import EVEN, TOLD_BY_LENGTH, told_by_length
from fathom.benchmarks.seedbench.authoring.prompts import PROMPTS, write_prompt
from fathom.benchmarks.seedbench.authoring.review import annotated
from fathom.benchmarks.seedbench.authoring.settings import PictureWriting
from fathom.benchmarks.seedbench.paper_text import PUBLISHED_BLIND
from fathom.benchmarks.seedbench.tasks import TASKS
from fathom.datasets.checks import blind_table
from fathom.english import rounded
from fathom.pages.tables import as_text
from fathom.records import Groups, InputError, Media, MissingExtraError, Question, Variant
from fathom.stats.blind import stress_test
from fathom.store.datasets import MEDIA, Dataset
from fathom.store.files import read_jsonl
from fathom.store.subjects import Subject

WRITE = ModelStep("write", "write", "have a model write questions from what is known of the pictures")
APART: Mapping[str, ModelStep] = {
    kind: ModelStep(f"write-{kind}", "write", f"have a model write questions of {TASKS[kind]}")
    for kind in PROMPTS.kinds
}
"""The steps of dimensions that have writers of their own."""

LENGTHS = "lengths"
"""The step in which nobody is asked: the lengths of options are made even."""

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
    written = _even(work, _written(work, writing, known), writing.seed)
    candidates = not_blind(work, written, PROMPTS, writing.readers)
    work.outcomes.notes += [*_blind_shares(work, written), *_forest(work, written)]
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


def _even(work: Work, written: Sequence[QuestionCandidate], seed: str) -> list[QuestionCandidate]:
    """Return the questions without those that make the length of an option tell whether it is right."""
    gone = told_by_length(written, seed)
    for c in written:
        outcome = TOLD_BY_LENGTH if c.id in gone else EVEN
        work.outcomes.note(LENGTHS, c, outcome, c.id not in gone, outcome)
        if c.id in gone:
            work.outcomes.reject(LENGTHS, c.id, c.subject, c.text, c.writer, outcome)
    return [c for c in written if c.id not in gone]


def _forest(work: Work, written: Sequence[QuestionCandidate]) -> list[str]:
    """Return what a forest guesses that learnt the other questions and sees no picture, as of any dataset."""
    if not written:
        return []
    try:
        return [as_text(blind_table(stress_test([_question(work, c) for c in written])))]
    except MissingExtraError as e:
        return [f"no forest guesses beside the readers: {e}"]


def _blind_shares(work: Work, written: Sequence[QuestionCandidate]) -> list[str]:
    """Return how many questions all blind readers got right: in all, by dimension, and by writer."""
    gone = {r.id for r in work.outcomes.rejected if r.step == BLIND.name and r.reason == BLIND_RIGHT}

    def share(listed: Sequence[QuestionCandidate]) -> str:
        n = sum(c.id in gone for c in listed)
        return f"{n:,} of {len(listed):,} ({rounded(100 * n / max(1, len(listed)), 2)} %)"

    lines = [f"right blind by all readers: {share(written)}; in the paper {PUBLISHED_BLIND} %"]
    for what in ("kind", "writer"):
        parts: dict[str, list[QuestionCandidate]] = {}
        for c in written:
            parts.setdefault(getattr(c, what), []).append(c)
        lines += [f"  {TASKS.get(name, name)}: {share(listed)}" for name, listed in parts.items()]
    return lines


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

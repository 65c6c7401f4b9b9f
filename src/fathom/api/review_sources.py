"""What a review is of: questions of a dataset, wrong answers of a run, photographs; and their media."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.names import benchmark_named, benchmark_of
from fathom.api.review_photos import PhotoHelp, source_of_photos
from fathom.api.scoring import Say, unheard
from fathom.named import attribute_of
from fathom.records import Benchmark, InputError, MediaPart, Question, SampleScore, WrittenForm

if TYPE_CHECKING:
    from fathom.authoring.review import WaitingDraft
    from fathom.review.records import ReviewClip
    from fathom.review.site.media import FilmOf, PictureOf
    from fathom.review.source import Answered, OpenDraft, PutQuestion, ReviewSource
    from fathom.store.datasets import Dataset


@dataclass(frozen=True)
class ReviewPlan:
    """What is reviewed, how, and by whom.

    source : a dataset, a run, or a folder of photographs, of which equal files are shown once
    task : one of `fathom.review.tasks.TASKS`, or module:attribute
    work : the folder that keeps the review
    people : names; everybody gets a link of their own
    overlap : how many people judge each item; 1.2: one in five is judged by two
    sample : so many items are drawn; 0: all
    adjudicate : whether one more person is asked where those who judged an item disagree
    checks : this share of a person's items is shown to them a second time
    planted : so many further items, as a share of a person's, are such as they should notice
    tasks : only questions of these tasks
    protocol, settings : how questions are put, where people answer them
    benchmark : of photographs: whose kinds of questions are written
    extractor : of a run: how answers are extracted; "" is the benchmark's own
    instances : of photographs: COCO's instances, whose boxes and categories are offered to people
    """

    source: Path
    task: str
    work: Path
    people: tuple[str, ...] = ()
    overlap: float = 1.0
    sample: int = 0
    adjudicate: bool = False
    checks: float = 0.0
    planted: float = 0.0
    tasks: tuple[str, ...] = ()
    protocol: str = "default"
    settings: Mapping[str, str] | None = None
    benchmark: str = ""
    extractor: str = ""
    instances: Path | None = None
    seed: str = "0"


def source_of(plan: ReviewPlan, say: Say = unheard) -> ReviewSource:
    """Return what a plan reviews; `say` is told of a run of which answers are not there.

    Raises InputError where it is neither a dataset, a run nor photographs.
    """
    from fathom.authoring.engine import is_work
    from fathom.review.tasks import task_named

    if plan.extractor and task_named(plan.task).source != "run":
        raise InputError(f"--extractor {plan.extractor}: belongs to a review of a run, as of --task errors")

    if plan.instances is not None and (plan.source / "manifest.json").is_file():
        raise InputError(f"--instances {plan.instances}: belongs to a review of photographs")
    if not plan.source.is_dir():
        raise InputError(
            f"{plan.source}: expected a dataset, a run or a folder of photographs; check the path"
        )
    if (of_work := task_named(plan.task).source == "work") or is_work(plan.source):
        if not of_work or not is_work(plan.source):
            raise InputError(
                f"{plan.source}: --task drafts and descriptions belong to the work of fathom "
                "write-questions, and no other task does; give the folder of such work, or another task"
            )
        return _work(plan)
    if not (plan.source / "manifest.json").is_file():
        benchmark = benchmark_named(plan.benchmark) if plan.benchmark else None
        forms = _forms_of(benchmark, plan) if benchmark else ()
        tasks = benchmark.tasks if benchmark else {"question": "Question"}
        return source_of_photos(plan.source, PhotoHelp(plan.benchmark, tasks, forms, plan.instances), say)
    if task_named(plan.task).source == "run":
        return _run(plan, say)
    return _dataset(plan)


def _dataset(plan: ReviewPlan) -> ReviewSource:
    from fathom.review.source import ReviewSource
    from fathom.store.datasets import open_dataset

    dataset = open_dataset(plan.source)
    benchmark = benchmark_of(dataset.manifest)

    def questions() -> Iterator[Question]:
        return (q for q in dataset.questions() if not plan.tasks or q.task in plan.tasks)

    return ReviewSource(
        path=plan.source,
        title=f"{benchmark.title}, {dataset.manifest.name}",
        identity=dataset.manifest.identity,
        benchmark=benchmark.name,
        tasks=benchmark.tasks,
        questions=questions,
        shown=lambda question: _shown(dataset, question),
        requests=lambda: _requests(plan, dataset),
        error_labels=benchmark.error_labels,
        forms=_forms_of(benchmark, plan),
    )


def _work(plan: ReviewPlan) -> ReviewSource:
    """Return the drafts of models that wait for people; raises InputError where none do."""
    from fathom.api.authoring import authoring_of
    from fathom.authoring.engine import dataset_of_work, identity_of_work
    from fathom.authoring.review import DESCRIBED, FILE, drafts_in, pairs_in
    from fathom.review.source import ReviewSource
    from fathom.store.datasets import open_dataset

    dataset = open_dataset(dataset_of_work(plan.source))
    benchmark, authoring = benchmark_of(dataset.manifest), authoring_of(dataset)
    line, waiting, described = authoring.line, plan.source / FILE, plan.source / DESCRIBED
    if line is None or not (waiting.is_file() or described.is_file()):
        raise InputError(f"{plan.source}: nothing waits for people there; go on with fathom write-questions")
    return ReviewSource(
        path=plan.source,
        title=f"{benchmark.title}, {dataset.manifest.name}",
        identity=identity_of_work(plan.source),
        benchmark=benchmark.name,
        tasks=benchmark.tasks,
        drafts=lambda: (_opened(dataset, draft) for draft in drafts_in(waiting, line)),
        described=lambda: ((_opened(dataset, a), _opened(dataset, b)) for a, b in pairs_in(described, line)),
    )


def _opened(dataset: Dataset, draft: WaitingDraft) -> OpenDraft:
    """Return a draft with what is shown of it; what is meant is marked on the first picture."""
    from fathom.review.source import OpenDraft

    question = Question(
        id=draft.subject, task=draft.kind, text=draft.text, answer=draft.answer, choices=draft.choices,
        media=draft.media, span_s=draft.span_s,
    )  # fmt: skip
    pictures, clips = _shown(dataset, question)
    box = None
    if draft.mark is not None:
        name, frame, (x0, y0, x1, y1) = draft.mark
        width, height = dataset.media(name).size
        pictures = (MediaPart(media=name, frame=frame), *pictures)
        box = (x0 / width, y0 / height, x1 / width, y1 / height)
    return OpenDraft(question, draft.title, draft.facts, pictures, clips, box, draft.kinds, draft.mendable)


def _forms_of(benchmark: Benchmark, plan: ReviewPlan) -> tuple[WrittenForm, ...]:
    """Return the forms in which people write questions, of named tasks alone where some are."""
    forms: tuple[WrittenForm, ...] = (
        attribute_of(benchmark.written_forms)() if benchmark.written_forms else ()
    )
    if unknown := sorted(set(plan.tasks) - set(benchmark.tasks)):
        raise InputError(f"--only {unknown[0]}: {benchmark.name} has {', '.join(benchmark.tasks)}")
    return tuple(form for form in forms if not plan.tasks or form.task in plan.tasks)


def _shown(dataset: Dataset, question: Question) -> tuple[tuple[MediaPart, ...], tuple[ReviewClip, ...]]:
    """Return the pictures of a question, and of each video evenly spread frames, those of its span alone."""
    from fathom.media.sampling import linspace, span_of
    from fathom.review.records import ReviewClip
    from fathom.review.source import FRAMES
    from fathom.store.datasets import has_film

    pictures, clips = [], []
    shown = [dataset.media(name) for name in question.media]
    # Of an object that was rendered from the protocol's views alone, the others have nothing to show.
    made = [media for media in shown if media.kind != "video" or media.stills or has_film(media)] or shown
    several = sum(media.kind == "video" for media in made) > 1
    for media in made:
        if media.kind != "video":
            pictures.append(MediaPart(media=media.id))
            continue
        there = span_of(media, question.span_s, closed=bool(question.program))
        frames = (
            [k for k in sorted(media.stills) if k in there] if media.stills and not has_film(media) else []
        )
        frames = frames or [there[k] for k in linspace(len(there), min(FRAMES, len(there)))]
        parts = tuple(MediaPart(media=media.id, frame=k) for k in frames)
        title = f"view {media.view}" if several or media.view else ""
        fps = len(frames) / max(1e-3, len(there) / (media.fps or 1.0))
        times = tuple(k / media.fps for k in frames) if media.fps else ()
        clips.append(ReviewClip(frames=parts, times_s=times, fps=fps, title=title))
    return tuple(pictures), tuple(clips)


def _requests(plan: ReviewPlan, dataset: Dataset) -> Iterator[PutQuestion]:
    """Yield each question as the protocol puts it first, in its plain order of options."""
    from fathom.records import without_answer
    from fathom.review.source import PutQuestion

    benchmark = benchmark_of(dataset.manifest)
    if plan.protocol not in benchmark.protocols:
        raise InputError(f"--protocol {plan.protocol}: {benchmark.name} has {', '.join(benchmark.protocols)}")
    protocol = benchmark.protocols[plan.protocol]
    if plan.settings:
        if protocol.changed is None:
            raise InputError(f"--set: the protocol {plan.protocol} of {benchmark.name} has nothing to set")
        protocol = protocol.changed(plan.settings)
    if protocol.prepared is not None:
        protocol = protocol.prepared(dataset.questions(), dataset.media)
    for question in dataset.questions():
        if not plan.tasks or question.task in plan.tasks:
            asked = without_answer(question)
            yield PutQuestion(question, protocol.prompt(asked, protocol.variants(asked)[0], dataset.media))


def _run(plan: ReviewPlan, say: Say) -> ReviewSource:
    from fathom.api.scoring import scored_run, tell_incomplete
    from fathom.extraction.shown_options import as_shown
    from fathom.reporting.shots import times_asked
    from fathom.review.source import Answered
    from fathom.scoring.folder import ScorePlan
    from fathom.scoring.sample_scores import counted_responses
    from fathom.store.runs import open_run

    folder = open_run(plan.source)
    dataset = folder.dataset()
    base = _dataset(replace(plan, source=dataset.path))

    def answers() -> Iterator[Answered]:
        scoring = ScorePlan(extractor=plan.extractor, seed=plan.seed, environ=dict(os.environ))
        scored = scored_run(plan.source, scoring)
        tell_incomplete([scored], say)
        setting_of: Callable[[Question], str] = scored.benchmark.facets.get("setting", lambda question: "")
        questions = {q.id: q for q in scored.questions}
        counted = counted_responses(scored.questions, scored.folder.responses())
        seen: set[str] = set()
        for sample_score in scored.sample_scores:
            question = questions[sample_score.question]
            left_out = question.id in seen or (plan.tasks and question.task not in plan.tasks)
            if left_out or not _chose_wrongly(sample_score, question):
                continue
            seen.add(question.id)
            # In the order of options in which it was put, which letters in the answer are of.
            response = counted[question.id][sample_score.variant]
            said = "\n\n".join(part for part in (response.reasoning, response.text) if part)
            asked_s = times_asked(question) if base.shown(question)[1] else ()
            put = as_shown(question, sample_score.variant)
            yield Answered(put, sample_score.picked or "", said, setting_of(question), asked_s)

    model = str(folder.manifest.settings.get("model", folder.path.name))
    return replace(
        base, path=plan.source, model=model, answers=answers, shown=lambda q: _with_frames_asked(dataset, q)
    )


def _chose_wrongly(score: SampleScore, question: Question) -> bool:
    """Return whether an option was chosen, and the wrong one: no caption, no measured number, no failure."""
    from fathom.extraction.numeric_answers import is_measured

    wrong = score.status == "ok" and score.picked is not None and score.value < 1
    return wrong and not question.references and not is_measured(question)


def _with_frames_asked(
    dataset: Dataset, question: Question
) -> tuple[tuple[MediaPart, ...], tuple[ReviewClip, ...]]:
    """Return what is shown of a question, and as pictures the frames of its videos that it asks about."""
    from fathom.media.sampling import span_of
    from fathom.reporting.shots import asked_about
    from fathom.store.datasets import has_film

    pictures, clips = _shown(dataset, question)
    frames = []
    for media in map(dataset.media, question.media):
        if media.kind == "video":
            kept = media.stills and not has_film(media)
            every = sorted(media.stills) if kept else range(media.frames)
            span = span_of(media, question.span_s, closed=bool(question.program))
            there = every if question.program else [k for k in every if k in span]
            frames += [MediaPart(media=media.id, frame=k) for k in asked_about(media, question, there)]
    return (*pictures, *frames), clips


def media_of(plan: ReviewPlan) -> tuple[PictureOf, FilmOf]:
    """Return what opens the pictures and the video files that items of a review show."""
    from fathom.authoring.engine import dataset_of_work, is_work
    from fathom.store.files import inside

    if is_work(plan.source):
        return media_of(replace(plan, source=dataset_of_work(plan.source)))
    if not (plan.source / "manifest.json").is_file():
        return lambda part: inside(plan.source, part.media).read_bytes(), lambda media: None
    from fathom.inference.pictures import PromptImages
    from fathom.store.datasets import has_film, open_dataset
    from fathom.store.runs import open_run

    is_run = (plan.source / "journal").is_dir()
    dataset = open_run(plan.source).dataset() if is_run else open_dataset(plan.source)
    pictures = PromptImages(dataset)

    def film(name: str) -> Path | None:
        media = dataset.media(name)
        return dataset.media_path(media) if media.kind == "video" and has_film(media) else None

    return lambda part: pictures([part])[0], film

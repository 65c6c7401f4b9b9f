"""The gallery: pictures with their questions, programs, answers and margins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fathom.media.outlines import svg_path
from fathom.pages.names import number_of
from fathom.pages.pictures import PagePicture
from fathom.records import Question, SampleScore, Scene
from fathom.reporting.data import ReportData, ReportDataset, ReportRun
from fathom.reporting.details import answer_words, details
from fathom.reporting.leaderboard import TaskColumn
from fathom.reporting.shots import Strip, is_video, noun_of, picture_of, strips_of
from fathom.reporting.wording import OUTCOMES, object_words, outcome_of_all
from fathom.store.seeds import digest

MOST_KEYS = 60
"""With more answers than this there is no filter for them."""

MOST_MARKS = 8
"""With more models than this a row says how many were right instead of drawing a mark for each."""


@dataclass(frozen=True)
class OutlinePath:
    """Where one object ends in the picture, as the `d` of an SVG path."""

    object_id: str
    d: str


@dataclass(frozen=True)
class RowMark:
    """What became of a question under one model."""

    model: str
    outcome: str


@dataclass(frozen=True)
class QuestionRow:
    """One question as its row shows it; `index` is its place in the page's data."""

    index: int
    task: str
    text: str
    answer: str
    marks: tuple[RowMark, ...]
    summary: str


@dataclass(frozen=True)
class GalleryPicture:
    """What some questions were asked about: one picture with outlines, or strips of pictures and frames.

    `picture` is None where it is no single picture; its `uri` is empty where it could not be read.
    """

    id: str
    picture: PagePicture | None
    strips: tuple[Strip, ...]
    words: str
    outlines: tuple[OutlinePath, ...]
    questions: tuple[QuestionRow, ...]


@dataclass(frozen=True)
class Gallery:
    """The gallery; `payload` is what the page's script reads.

    `noun` is what an entry is called, `answers` the answers to filter by with what they are called there,
    and `opens` says what opening a question shows.
    """

    note: str
    noun: tuple[str, str]
    opens: str
    pictures: tuple[GalleryPicture, ...]
    models: tuple[str, ...]
    tasks: tuple[TaskColumn, ...]
    answers: tuple[str, ...]
    count: int
    steps: bool
    payload: dict[str, object]


def gallery(data: ReportData, tasks: Sequence[TaskColumn], joined: bool = False) -> Gallery:
    """Return the gallery of a report: every picture, or as many as asked for, chosen by a stable hash.

    `joined`: the passes of a question count as one, right only where all of them are.
    """
    groups = _entries(data.dataset.questions)
    shown = chosen(list(groups), data.pictures_shown)
    scored = [_scores_by_question(run) for run in data.runs]
    titles = {t.name: t.title for t in tasks}
    shapes = _shapes(data.dataset)
    pictures: list[GalleryPicture] = []
    questions: list[dict[str, object]] = []
    picture_data: list[dict[str, object]] = []
    for name in shown:
        rows = []
        for question in groups[name]:
            rows.append(_row(len(questions), question, titles, data.runs, scored, joined))
            held = [m.get(question.id, ()) for m in scored]
            questions.append(details(question, data.runs, held, joined))
        first = groups[name][0]
        scene = data.dataset.scenes.get(_scene_of(data.dataset, first))
        pictures.append(_picture(data.dataset, first, scene, shapes, tuple(rows)))
        picture_data.append({"objects": {t.id: object_words(t) for t in scene.objects} if scene else {}})
    models = tuple(run.model for run in data.runs)
    noun = noun_of(data.dataset, data.dataset.questions)
    return Gallery(
        note=_note(len(shown), len(groups), len(questions), noun),
        noun=noun,
        opens=_opens(data.dataset.questions),
        pictures=tuple(pictures),
        models=models,
        tasks=tuple(t for t in tasks if any(q["task"] == t.name for q in questions)),
        answers=_keys(questions),
        count=len(questions),
        steps=any(q["steps"] for q in questions),
        payload={
            "questions": questions,
            "pictures": picture_data,
            "models": models,
            "outcomes": OUTCOMES,
            "noun": noun,
        },
    )


def _keys(questions: Sequence[Mapping[str, object]]) -> tuple[str, ...]:
    """Return the answers to filter by, none where there are too many to choose from."""
    keys = {str(q["key"]) for q in questions if q["key"]}
    return tuple(sorted(keys, key=lambda a: (a.isdigit(), len(a), a))) if len(keys) <= MOST_KEYS else ()


def _entries(questions: Sequence[Question]) -> dict[str, list[Question]]:
    """Return the questions by what they are shown with."""
    groups: dict[str, list[Question]] = {}
    for question in questions:
        groups.setdefault(_entry(question), []).append(question)
    return groups


def _entry(question: Question) -> str:
    """Return what a question is shown with: the same media and the same stretch of them."""
    span = "" if question.span_s is None else f"@{question.span_s[0]}-{question.span_s[1]}"
    return "\n".join(question.media) + span if question.media else question.scene


def _opens(questions: Sequence[Question]) -> str:
    """Return what opening a question of this dataset shows."""
    if any(q.program for q in questions):
        return "Open a question to step through its program: what each step selects is lit up in the picture."
    if any(q.choices for q in questions):
        return "Open a question to see its options, which of them each model picked, and what it wrote."
    return "Open a question to see what each model wrote."


def chosen(names: Sequence[str], most: int) -> list[str]:
    """Return at most `most` of `names` in their order; which ones depends on the names alone."""
    kept = set(sorted(names, key=lambda name: digest("gallery", name))[:most])
    return [name for name in names if name in kept]


def _note(shown: int, pictures: int, questions: int, noun: tuple[str, str]) -> str:
    if shown == pictures:
        return f"All {number_of(pictures, *noun)} with {number_of(questions, 'question')}."
    return (
        f"{shown} of {number_of(pictures, *noun)}, chosen by a hash of their names and nothing else, "
        f"with {number_of(questions, 'question')}."
    )


def _scores_by_question(run: ReportRun) -> dict[str, list[SampleScore]]:
    """Return the sample scores of each question, the order of options as it stands first."""
    by_question: dict[str, list[SampleScore]] = {}
    for s in sorted(run.sample_scores, key=lambda m: (m.variant.repeat, m.variant.option_order)):
        by_question.setdefault(s.question, []).append(s)
    return by_question


def _scene_of(dataset: ReportDataset, question: Question) -> str:
    entry = dataset.media.get(question.media[0]) if question.media else None
    return (entry.scene if entry else "") or question.scene


def _shapes(dataset: ReportDataset) -> dict[tuple[str, int], tuple[OutlinePath, ...]]:
    """Return the outlines of each scene and view, largest first so that small ones lie on top."""
    found: dict[tuple[str, int], list[OutlinePath]] = {}
    for outline in dataset.outlines:
        found.setdefault((outline.scene, outline.view), []).append(
            OutlinePath(outline.object_id, svg_path(outline.paths))
        )
    return {
        key: tuple(sorted(shapes, key=lambda s: (-len(s.d), s.object_id))) for key, shapes in found.items()
    }


def _boxes(scene: Scene) -> tuple[OutlinePath, ...]:
    """Return the boxes of what can be seen, for a dataset without outlines."""
    return tuple(
        OutlinePath(s.object_id, svg_path([[left, top, right, top, right, bottom, left, bottom]]))
        for s in scene.visibility
        for left, top, right, bottom in (s.box_px,)
        if right > left and bottom > top
    )


def _picture(
    dataset: ReportDataset,
    question: Question,
    scene: Scene | None,
    shapes: Mapping[tuple[str, int], tuple[OutlinePath, ...]],
    rows: tuple[QuestionRow, ...],
) -> GalleryPicture:
    single = len(question.media) == 1 and not is_video(dataset, question.media[0])
    entry = dataset.media.get(question.media[0]) if single else None
    outlines: tuple[OutlinePath, ...] = ()
    if scene is not None and single:
        outlines = shapes.get((scene.id, entry.view if entry else 0), ()) or _boxes(scene)
    objects = ", ".join(object_words(t) for t in scene.objects) if scene else ""
    name = question.media[0] if single else f"{len(question.media)} media" if question.media else ""
    return GalleryPicture(
        id=question.media[0] if len(question.media) == 1 else question.groups.cluster or question.scene,
        picture=picture_of(dataset, question.media[0]) if single else None,
        strips=() if single else strips_of(dataset, question),
        words=f"{name}: {objects}" if objects else name,
        outlines=outlines,
        questions=rows,
    )


def _row(
    index: int,
    question: Question,
    titles: Mapping[str, str],
    runs: Sequence[ReportRun],
    scored: Sequence[Mapping[str, Sequence[SampleScore]]],
    joined: bool,
) -> QuestionRow:
    outcomes = tuple(
        RowMark(r.model, outcome_of_all(m.get(question.id, ()), joined))
        for r, m in zip(runs, scored, strict=True)
    )
    many = len(runs) > MOST_MARKS
    right = sum(o.outcome == "right" for o in outcomes)
    return QuestionRow(
        index=index,
        task=titles.get(question.task, question.task),
        text=question.text or (f"“{question.references[0]}”" if question.references else question.id),
        answer=answer_words(question),
        marks=outcomes,
        summary=f"{right} of {len(runs)}" if many and not question.references else "",
    )

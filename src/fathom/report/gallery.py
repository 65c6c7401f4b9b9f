"""The gallery: pictures with their questions, programs, answers and margins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fathom.media.outlines import svg_path
from fathom.pages.pictures import PagePicture, page_picture
from fathom.records import DataError, Mark, Question, Scene
from fathom.report.data import ReportData, ReportDataset, ReportRun
from fathom.report.leaderboard import TaskColumn
from fathom.report.wording import OUTCOMES, margin_words, outcome_of, step_words, thing_words
from fathom.store.seeds import digest

LONGEST_ANSWER = 1500
MOST_MARKS = 8
"""With more models than this a row says how many were right instead of drawing a mark for each."""


@dataclass(frozen=True)
class Shape:
    """Where one thing ends in the picture, as the `d` of an SVG path."""

    thing: str
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
    """One picture with its outlines and questions; `uri` is empty where it could not be read."""

    id: str
    uri: str
    width: int
    height: int
    words: str
    outlines: tuple[Shape, ...]
    questions: tuple[QuestionRow, ...]


@dataclass(frozen=True)
class Gallery:
    """The gallery; `payload` is what the page's script reads."""

    note: str
    pictures: tuple[GalleryPicture, ...]
    models: tuple[str, ...]
    tasks: tuple[TaskColumn, ...]
    answers: tuple[str, ...]
    count: int
    payload: dict[str, object]


def gallery(data: ReportData, tasks: Sequence[TaskColumn]) -> Gallery:
    """Return the gallery of a report: every picture, or as many as asked for, chosen by a stable hash."""
    groups: dict[str, list[Question]] = {}
    for question in data.dataset.questions:
        groups.setdefault(question.media[0] if question.media else question.scene, []).append(question)
    shown = chosen(list(groups), data.pictures_shown)
    marks = [_first_marks(run) for run in data.runs]
    titles = {t.name: t.title for t in tasks}
    shapes = _shapes(data.dataset)
    pictures: list[GalleryPicture] = []
    questions: list[dict[str, object]] = []
    picture_data: list[dict[str, object]] = []
    for media in shown:
        rows = []
        for question in groups[media]:
            rows.append(_row(len(questions), question, titles, data.runs, marks))
            questions.append(_details(question, data.runs, marks))
        scene = data.dataset.scenes.get(_scene_of(data.dataset, media, groups[media]))
        pictures.append(_picture(data.dataset, media, scene, shapes, tuple(rows)))
        picture_data.append({"things": {t.id: thing_words(t) for t in scene.things} if scene else {}})
    models = tuple(run.model for run in data.runs)
    return Gallery(
        note=_note(len(shown), len(groups), len(questions)),
        pictures=tuple(pictures),
        models=models,
        tasks=tuple(t for t in tasks if any(q["task"] == t.name for q in questions)),
        answers=tuple(sorted({str(q["answer"]) for q in questions}, key=lambda a: (a.isdigit(), len(a), a))),
        count=len(questions),
        payload={"questions": questions, "pictures": picture_data, "models": models, "outcomes": OUTCOMES},
    )


def chosen(names: Sequence[str], most: int) -> list[str]:
    """Return at most `most` of `names` in their order; which ones depends on the names alone."""
    kept = set(sorted(names, key=lambda name: digest("gallery", name))[:most])
    return [name for name in names if name in kept]


def _note(shown: int, pictures: int, questions: int) -> str:
    if shown == pictures:
        return f"All {pictures} pictures with their {questions} questions."
    return (
        f"{shown} of {pictures} pictures, chosen by a hash of their names and nothing else, "
        f"with their {questions} questions."
    )


def _first_marks(run: ReportRun) -> dict[str, Mark]:
    """Return the mark of each question; where one was put in several ways, the first."""
    marks: dict[str, Mark] = {}
    for mark in run.marks:
        marks.setdefault(mark.question, mark)
    return marks


def _scene_of(dataset: ReportDataset, media: str, questions: Sequence[Question]) -> str:
    entry = dataset.media.get(media)
    return (entry.scene if entry else "") or questions[0].scene


def _shapes(dataset: ReportDataset) -> dict[tuple[str, int], tuple[Shape, ...]]:
    """Return the outlines of each scene and view, largest first so that small ones lie on top."""
    found: dict[tuple[str, int], list[Shape]] = {}
    for outline in dataset.outlines:
        found.setdefault((outline.scene, outline.view), []).append(
            Shape(outline.thing, svg_path(outline.paths))
        )
    return {key: tuple(sorted(shapes, key=lambda s: (-len(s.d), s.thing))) for key, shapes in found.items()}


def _boxes(scene: Scene) -> tuple[Shape, ...]:
    """Return the boxes of what can be seen, for a dataset without outlines."""
    return tuple(
        Shape(s.thing, svg_path([[left, top, right, top, right, bottom, left, bottom]]))
        for s in scene.sights
        for left, top, right, bottom in (s.box_px,)
        if right > left and bottom > top
    )


def _picture(
    dataset: ReportDataset,
    media: str,
    scene: Scene | None,
    shapes: Mapping[tuple[str, int], tuple[Shape, ...]],
    rows: tuple[QuestionRow, ...],
) -> GalleryPicture:
    entry = dataset.media.get(media)
    try:
        found = page_picture(dataset.picture(media))
    except (DataError, OSError, KeyError):
        found = None
    picture = found or PagePicture("", *(entry.size if entry else (640, 480)))
    outlines: tuple[Shape, ...] = ()
    if scene is not None:
        outlines = shapes.get((scene.id, entry.view if entry else 0), ()) or _boxes(scene)
    things = ", ".join(thing_words(t) for t in scene.things) if scene else ""
    return GalleryPicture(
        id=media,
        uri=picture.uri,
        width=picture.width,
        height=picture.height,
        words=f"{media}: {things}" if things else media,
        outlines=outlines,
        questions=rows,
    )


def _row(
    index: int,
    question: Question,
    titles: Mapping[str, str],
    runs: Sequence[ReportRun],
    marks: Sequence[Mapping[str, Mark]],
) -> QuestionRow:
    outcomes = tuple(
        RowMark(r.model, outcome_of(m.get(question.id))) for r, m in zip(runs, marks, strict=True)
    )
    many = len(runs) > MOST_MARKS
    right = sum(o.outcome == "right" for o in outcomes)
    return QuestionRow(
        index=index,
        task=titles.get(question.task, question.task),
        text=question.text,
        answer=question.answer,
        marks=outcomes,
        summary=f"{right} of {len(runs)}" if many else "",
    )


def _details(
    question: Question, runs: Sequence[ReportRun], marks: Sequence[Mapping[str, Mark]]
) -> dict[str, object]:
    """Return what the page shows once a question is opened."""
    selected = question.evidence.steps if question.evidence else ()
    margin = question.margin
    return {
        "id": question.id,
        "task": question.task,
        "answer": question.answer,
        "steps": [
            {
                "words": step_words(step),
                "inputs": step.inputs,
                "things": selected[i] if i < len(selected) else (),
            }
            for i, step in enumerate(question.program)
        ],
        "margin": margin
        and {"words": margin_words(margin), "ratio": round(margin.ratio, 4), "between": margin.between},
        "facts": _facts(question),
        "answers": [_answer(question, run, m.get(question.id)) for run, m in zip(runs, marks, strict=True)],
    }


def _facts(question: Question) -> list[tuple[str, str]]:
    facts = [("id", question.id)]
    if question.evidence:
        seen = question.evidence
        facts.append(
            ("least seen", f"{seen.smallest_visible_px} px, {100 * seen.smallest_visible_fraction:.0f} %")
        )
    if question.possible:
        facts.append(("chance", f"1 in {len(question.possible)}"))
    if question.bias_score is not None:
        facts.append(("blind bias", f"{question.bias_score:+.2f}"))
    return [*facts, *sorted(question.tags.items())]


def _answer(question: Question, run: ReportRun, mark: Mark | None) -> dict[str, object]:
    response = run.responses.get(question.id)
    text = response.text if response else ""
    return {
        "outcome": outcome_of(mark),
        "picked": mark.picked if mark else None,
        "how": mark.how if mark else "",
        "text": text[:LONGEST_ANSWER],
        "length": len(text),
        "error": response.error if response else "",
    }

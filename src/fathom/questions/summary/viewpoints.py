"""What questions about two viewpoints came to: types, cameras, and what boxes in the picture suggest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from fathom.geometry.camera_angles import angles_of
from fathom.pages.tables import Table, per_cent
from fathom.questions.candidate import AnySelection
from fathom.questions.summary.tables import answers_table, missing_table
from fathom.records import Question, Scene

LEFT_OUT = "left_out"
"""The key of a scene's source that says what of its file was left out."""

SUGGESTS = "picture_suggests"


def view_tables(
    questions: Sequence[Question], scenes: Sequence[Scene], selection: AnySelection
) -> Iterator[Table]:
    """Yield what is asked by type and picture, which cameras there are, and what the picture suggests."""
    splits = sorted({q.tags["split"] for q in questions})
    counts = Counter((q.task, q.tags["split"]) for q in questions)
    tasks = list(dict.fromkeys(task for task, _ in selection.wanted))
    pairs = Counter((q.task, q.tags["split"]) for q in questions if q.tags["pair"] == "yes")
    yield Table(
        title="Questions by type and viewpoint",
        columns=("type", *splits, "in pairs"),
        rows=tuple(
            (t, *(str(counts[t, s]) for s in splits), str(sum(pairs[t, s] for s in splits))) for t in tasks
        ),
        notes=("in pairs: asked of a room as it was and changed, with another answer",),
    )
    yield worlds_table(questions)
    yield missing_table(selection)
    yield answers_table(questions)
    yield cameras_table(scenes)
    yield guesses_table(questions, splits, tasks)
    yield heights_table(questions, splits)
    rows = dict.fromkeys((s.source["file"], s.source[LEFT_OUT]) for s in scenes if s.source.get(LEFT_OUT))
    if rows:
        yield Table(title="Left out of files", columns=("room", "why"), rows=tuple(rows))


def worlds_table(questions: Sequence[Question]) -> Table:
    """Return how many questions are about rooms and streets, and how many speak of parts of objects."""
    rows = []
    for setting in sorted({q.tags["setting"] for q in questions}):
        own = [q for q in questions if q.tags["setting"] == setting]
        parts, worlds = sum(q.tags["parts"] != "0" for q in own), len({q.scene for q in own})
        pairs = sum(q.tags["pair"] == "yes" for q in own)
        rows.append((setting, *map(str, (worlds, len(own), pairs, parts))))
    return Table(
        title="Questions by world",
        columns=("world", "worlds", "questions", "in pairs", "about a part"),
        rows=tuple(rows),
    )


def heights_table(questions: Sequence[Question], splits: Sequence[str]) -> Table:
    """Return how often the lower of two objects appears higher in the picture."""
    rows = []
    for split in splits:
        shown = [turned_heights(q) for q in questions if q.tags["split"] == split and about_heights(q)]
        rows.append((split, str(len(shown)), str(sum(shown)), share_of(shown)))
    return Table(
        title="Heights that the picture shows the other way round",
        columns=("viewpoint", "questions", "the lower one appears higher", "%"),
        rows=tuple(rows),
    )


def about_heights(question: Question) -> bool:
    """Return whether a question asks which of two objects is higher."""
    return bool(question.program) and question.program[-1].op == "higher_of"


def turned_heights(question: Question) -> bool:
    """Return whether the middle of the box of the lower object is higher in the picture."""
    return question.tags[SUGGESTS] != "the answer"


def share_of(shown: Sequence[bool]) -> str:
    """Return the percentage that holds; a dash of none."""
    return per_cent(sum(shown) / len(shown)) if shown else "–"


def cameras_table(scenes: Sequence[Scene]) -> Table:
    """Return the ranges of height, pitch and roll of each kind of viewpoint."""
    found: dict[str, list[tuple[float, float, float]]] = {}
    for scene in scenes:
        for kind, pose in zip(
            ("common", scene.source["uncommon"]), angles_of(scene.cameras[0]), strict=False
        ):
            found.setdefault(kind, []).append(pose)
    rows = [
        (kind, str(len(own)), *(f"{min(x):.2f} to {max(x):.2f}" for x in zip(*own, strict=True)))
        for kind, own in sorted(found.items())
    ]
    return Table(
        title="Cameras",
        columns=("viewpoint", "pictures", "height, m", "pitch, °", "roll, °"),
        rows=tuple(rows),
    )


def guesses_table(questions: Sequence[Question], splits: Sequence[str], tasks: Sequence[str]) -> Table:
    """Return how often who sees boxes in the picture and nothing of the room is right, by type."""
    rows = []
    for task in (*tasks, "all"):
        own = [q for q in questions if task in (q.task, "all")]
        if not own:
            continue
        chance = sum(1 / len(q.choices) for q in own) / len(own)
        shares = []
        for split in splits:
            right = [q.tags[SUGGESTS] == "the answer" for q in own if q.tags["split"] == split]
            shares.append(per_cent(sum(right) / max(len(right), 1)))
        rows.append((task, per_cent(chance), *shares))
    return Table(
        title="Guessed from boxes in the picture",
        columns=("type", "chance, %", *(f"{s}, %" for s in splits)),
        rows=tuple(rows),
        notes=("higher in the picture is higher, lower is nearer, left is left, and every front shows",),
    )

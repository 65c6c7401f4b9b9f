"""A study as tables: in the paper's shape, task by task, and each point against the baseline."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.english import signed
from fathom.pages.published import NOT_OFFICIAL, OFFICIAL, PUBLISHED, find_score
from fathom.pages.tables import Table
from fathom.records import PublishedStudy, Score, StudyMeasure
from fathom.scoring.study import PointFound, StudyFound
from fathom.stats.paired import Difference
from fathom.stats.wording import p_words

EXPECTED = "Limited oracle, expected"
"""The row of what the pictures shown can answer, and a guess where they cannot."""


def study_tables(found: StudyFound) -> dict[str, Table]:
    """Return the tables of a study by what is added to the name of its files."""
    return {"": paper_table(found), "-tasks": task_table(found), "-compared": compared_table(found)}


def paper_table(found: StudyFound) -> Table:
    """Return the study in the paper's shape: a row a model, a column a point, published rows first.

    Along an axis the last two columns are the least and the most of each row; else each point is followed by
    its change from the baseline.
    """
    study, measure = found.study, found.study.measures[0]
    theirs = [_published_row(found, row, measure) for row in study.published]
    ours = [_our_row(found, m, f"{found.model}, {m.title}") for m in study.measures]
    if len(study.measures) == 1:
        ours = [_our_row(found, found.measure, found.model)]
    more = [("pictures a question", *_spaced(found, [_count(p.seen.pictures) for p in found.points]))]
    if all(p.seen.expected is not None for p in found.points) and not found.measure.details:
        values = [p.seen.expected for p in found.points]
        more.insert(0, (EXPECTED, *_with_changes(found, values, found.measure)))
    notes = [f"{measure.title}; {OFFICIAL if found.official else NOT_OFFICIAL}" if theirs else measure.title]
    notes += [study.note] if study.note else []
    notes += _alike(found)
    if found.measure != measure:
        notes.append(f"not every point has {measure.title}: compared by {found.measure.title}")
    return Table(
        title=f"{study.title} ({study.ref})",
        columns=("", *_columns(found)),
        rows=(*theirs, *ours, *more),
        notes=(*notes, *found.notes),
        groups=tuple(n for n in (len(theirs), len(ours), len(more)) if n),
    )


def _alike(found: StudyFound) -> list[str]:
    """Return that the dataset has no more to show, where points along an axis show as much."""
    counts = [p.seen.pictures for p in found.points]
    alike = [p.point.title for p, count in zip(found.points, counts, strict=True) if count == counts[-1]]
    if not found.study.axis or len(alike) < 2:
        return []
    return [f"the dataset has no more to show than at {alike[0]}: {', '.join(alike)} show the same"]


def _columns(found: StudyFound) -> list[str]:
    if found.study.axis:
        return [*(p.point.title for p in found.points), "least", "most"]
    columns: list[str] = []
    for p in found.points:
        columns += [p.point.title] if _is_baseline(found, p) else [p.point.title, "change"]
    return columns


def _is_baseline(found: StudyFound, point: PointFound) -> bool:
    return point.point.name == found.study.baseline


def _spaced(found: StudyFound, cells: Sequence[str]) -> list[str]:
    """Return a cell a point, with empty ones in the columns that are none."""
    if found.study.axis:
        return [*cells, "", ""]
    spaced: list[str] = []
    for p, cell in zip(found.points, cells, strict=True):
        spaced += [cell] if _is_baseline(found, p) else [cell, ""]
    return spaced


def _with_changes(found: StudyFound, values: Sequence[float | None], measure: StudyMeasure) -> list[str]:
    """Return values with what the table has beside them: the least and the most, or the changes."""
    shown = [_number(v, measure) for v in values]
    known = [v for v in values if v is not None]
    if found.study.axis:
        return [*shown, *(_number(f(known) if known else None, measure) for f in (min, max))]
    base = next((v for p, v in zip(found.points, values, strict=True) if _is_baseline(found, p)), None)
    cells: list[str] = []
    for p, value, text in zip(found.points, values, shown, strict=True):
        change = None if value is None or base is None else value - base
        cells += [text] if _is_baseline(found, p) else [text, _number(change, measure, signed=True)]
    return cells


def _our_row(found: StudyFound, measure: StudyMeasure, title: str) -> tuple[str, ...]:
    scores = [find_score(p.measures, measure.name, measure.group) for p in found.points]
    return (title, *_with_changes(found, [s.value if s else None for s in scores], measure))


def _published_row(found: StudyFound, row: PublishedStudy, measure: StudyMeasure) -> tuple[str, ...]:
    """Return a published row as its paper prints it; where it gives changes alone, these."""
    title = f"{row.model}{PUBLISHED} ({row.where})"
    names = [p.point.name for p in found.points]
    values = ["–" if (v := row.values.get(name)) is None else f"{v:.{row.decimals}f}" for name in names]
    if found.study.axis:
        ends = row.ends or (min(row.values.values()), max(row.values.values()))
        return (title, *values, *(f"{v:.{row.decimals}f}" for v in ends))
    cells: list[str] = []
    for p, value in zip(found.points, values, strict=True):
        change = row.changes.get(p.point.name)
        said = "–" if change is None else _signed(f"{change:+.{row.decimals}f}")
        cells += [value] if _is_baseline(found, p) else [value, said]
    return (title, *cells)


def _number(value: float | None, measure: StudyMeasure, signed: bool = False) -> str:
    if value is None:
        return "–"
    text = f"{measure.scale * value:{'+' if signed else ''}.{measure.decimals}f}"
    return _signed(text)


def _signed(text: str) -> str:
    return text.replace("-", "−")


def _count(value: float) -> str:
    return f"{value:.0f}" if value == round(value) else f"{value:.1f}"


def task_table(found: StudyFound) -> Table:
    """Return a row a task, a column a point, with intervals."""
    measure = found.measure
    rows = [
        (title, *(_with_interval(p.tasks.get(task), measure) for p in found.points))
        for task, title in found.titles.items()
    ]
    scores = [find_score(p.measures, measure.name, measure.group) for p in found.points]
    rows.append(("All questions", *(_with_interval(s, measure) for s in scores)))
    return Table(
        title=f"{found.model}: {measure.title}",
        columns=("", *(p.point.title for p in found.points)),
        rows=tuple(rows),
        notes=("[95 % interval], clustered by object", *found.notes),
        groups=tuple(n for n in (len(found.titles), 1) if n),
    )


def _with_interval(score: Score | None, measure: StudyMeasure) -> str:
    if score is None or score.value is None:
        return "–"
    digits = max(1, measure.decimals - 1)
    shown = [f"{measure.scale * v:.{digits}f}" for v in (score.value, score.low, score.high) if v is not None]
    return shown[0] if len(shown) < 3 else f"{shown[0]} [{shown[1]}, {shown[2]}]"


def compared_table(found: StudyFound) -> Table:
    """Return each point against the baseline, on the questions that both were asked."""
    unit = found.measure.scale * found.measure.top
    digits = max(1, found.measure.decimals - 1)
    base = next(p for p in found.points if p.difference is None)
    rows = [_compared_row(p, d, unit, digits) for p in found.points if (d := p.difference) is not None]
    tests = {p.difference.test for p in found.points if p.difference is not None}
    return Table(
        title=f"{found.model}: each point against {base.point.title}",
        columns=("", "difference [95 %]", "p", "p, Holm-adjusted", "better", "worse", "questions"),
        rows=tuple(rows),
        notes=(
            f"{found.measure.title}, paired by question, its interval clustered by object; "
            f"p by {', '.join(sorted(tests)) or 'no test'}, Holm-adjusted over the points",
            f"better, worse: on how many questions a point does better or worse than {base.point.title}",
            *found.notes,
        ),
    )


def _compared_row(p: PointFound, d: Difference, unit: float, digits: int) -> tuple[str, ...]:
    bounds = "–" if d.clusters < 2 else f"{signed(unit * d.low, digits)}, {signed(unit * d.high, digits)}"
    words = [p_words(v).removeprefix("p ").removeprefix("= ") for v in (d.p_value, p.adjusted or d.p_value)]
    return (
        p.point.title,
        _signed(f"{signed(unit * d.value, digits)} [{bounds}]"),
        *words,
        str(d.first_only),
        str(d.second_only),
        str(d.n),
    )

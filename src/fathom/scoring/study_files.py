"""What a study leaves in its folder.

DIR/NAME.json             every number of it, with the settings of each point
DIR/NAME.csv, .tex        the table in the paper's shape, published rows beside ours
DIR/NAME-tasks.csv …      each point task by task, with intervals
DIR/NAME-compared.csv …   each point against the baseline, question by question
DIR/NAME.svg, .pdf, .png  the figure
DIR/runs/POINT            the runs, which other studies in the same folder share
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from fathom.pages.charts import Cell, Curve, SettingEffect
from fathom.pages.figures import save_figure, save_png
from fathom.pages.published import find_score
from fathom.pages.sweeps import changes_figure, sweep_figure
from fathom.pages.tables import as_csv, as_latex
from fathom.records import StudyMeasure
from fathom.scoring.study import PointFound, StudyFound
from fathom.scoring.study_tables import study_tables
from fathom.store.files import write_bytes, write_text
from fathom.version import __version__

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFICES = "what the pictures\nshow, else a guess"


def write_study(out: Path, found: StudyFound) -> list[Path]:
    """Write the study's JSON, tables and figure, and return the files."""
    name = found.study.name
    files = [out / f"{name}.json"]
    write_bytes(files[0], msgspec.json.format(msgspec.json.encode(as_plain(found)), indent=2) + b"\n")
    for suffix, table in study_tables(found).items():
        for kind, text in (("csv", as_csv(table)), ("tex", as_latex(table))):
            files.append(out / f"{name}{suffix}.{kind}")
            write_text(files[-1], text)
    figure = study_figure(found)
    return [*files, *save_figure(figure, out / name), save_png(figure, out / name)]


def as_plain(found: StudyFound) -> dict[str, Any]:
    """Return the study as what JSON holds; numbers are in the scores' own units."""
    study = found.study
    return {
        "study": study.name,
        "title": study.title,
        "ref": study.ref,
        "tool_version": __version__,
        "benchmark": found.benchmark,
        "dataset": found.dataset,
        "official": found.official,
        "model": found.model,
        "protocol": study.protocol,
        "settings": dict(study.settings),
        "tasks": list(study.tasks),
        "axis": study.axis,
        "baseline": study.baseline,
        "measure": found.measure.name,
        "points": [_point(p) for p in found.points],
        "published": list(study.published),
        "note": study.note,
        "notes": list(found.notes),
    }


def _point(p: PointFound) -> dict[str, Any]:
    return {
        "name": p.point.name,
        "title": p.point.title,
        "at": p.point.at,
        "settings": dict(p.point.settings),
        "run": p.run,
        "pictures": p.seen.pictures,
        "expected": p.seen.expected,
        "chance": p.chance,
        "scores": list(p.measures),
        "tasks": dict(p.tasks),
        "difference": p.difference,
        "p_after_holm": p.adjusted,
    }


def study_figure(found: StudyFound) -> Figure:
    """Return the study's figure: curves where it has an axis, else the changes from the baseline."""
    study, measure = found.study, found.measure
    if not study.axis:
        return _changes(found)
    curves = [Curve(found.model, tuple((p.point.at or 0.0, _cell(p, measure)) for p in found.points))]
    if all(p.seen.expected is not None for p in found.points) and not measure.details:
        points = tuple(
            (p.point.at or 0.0, Cell(measure.scale * (p.seen.expected or 0.0))) for p in found.points
        )
        curves.append(Curve(SUFFICES, points, "expected"))
    if measure == study.measures[0]:
        places = {p.point.name: p.point.at or 0.0 for p in found.points}
        curves += [
            Curve(
                f"{row.model},\npublished",
                tuple((places[name], Cell(value)) for name, value in row.values.items()),
                "published",
            )
            for row in study.published
            if row.values
        ]
    chance = found.points[0].chance
    return sweep_figure(
        study.title,
        curves,
        study.axis,
        measure.title,
        None if chance is None else measure.scale * chance,
        measure.scale * measure.top,
    )


def _cell(p: PointFound, measure: StudyMeasure) -> Cell:
    score = find_score(p.measures, measure.name, measure.group)
    if score is None:
        return Cell()
    value, low, high = (
        None if v is None else measure.scale * v for v in (score.value, score.low, score.high)
    )
    return Cell(value, low, high, score.n)


def _changes(found: StudyFound) -> Figure:
    unit = found.measure.scale * found.measure.top
    changes = [
        SettingEffect(
            p.point.title,
            Cell(unit * d.value, unit * d.low, unit * d.high),
            tuple(
                row.changes[p.point.name]
                for row in found.study.published
                if p.point.name in row.changes and not row.mean
            ),
        )
        for p in found.points
        if (d := p.difference) is not None
    ]
    base = next(p for p in found.points if p.difference is None)
    label = f"{found.model}: change of {found.measure.title.partition(',')[0]}, points"
    return changes_figure(found.study.title, changes, label, base.point.title)

"""A study of several models that differ in labelled parts: a table in the paper's shape, theirs beside ours.

Each model is an ordinary run that was scored. All are compared with the first one, question by question.

Ref: 3DSRBench §4.3, Table 3.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from fathom.english import signed
from fathom.pages.charts import Bar, Cell, Panel
from fathom.pages.figures import dots_figure, save_figure, save_png
from fathom.pages.published import NOT_OFFICIAL, OFFICIAL, PUBLISHED, find_score
from fathom.pages.tables import Table, as_csv, as_latex, per_cent, with_interval
from fathom.records import InputError, ModelStudy, PublishedTable
from fathom.scoring.compare import paired_units
from fathom.scoring.folder import ScoredRun
from fathom.stats.paired import Difference, paired_difference
from fathom.stats.significance import holm
from fathom.stats.wording import p_words
from fathom.store.files import write_bytes, write_text
from fathom.store.seeds import short_hash
from fathom.version import __version__

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME, MODEL = "name", "model"
"""The columns of a file of models beside the labels of a study."""


@dataclass(frozen=True)
class LabelledModel:
    """A model as `--model` takes it, what it is called, and its labels in the order of the study's."""

    name: str
    model: str
    labels: tuple[str, ...]

    @property
    def folder(self) -> str:
        """The name of its run's folder: letters, digits, and a hash where that is not all of the name."""
        plain = "".join(c if c.isalnum() else "-" for c in self.name.lower()).strip("-")[:40]
        return plain if plain == self.name else f"{plain}-{short_hash('model', self.name, length=6)}"


@dataclass(frozen=True)
class ModelsFound:
    """What the runs of a study's models came to; `differences` are from the first model, after Holm."""

    study: ModelStudy
    table: PublishedTable
    benchmark: str
    dataset: str
    official: bool
    models: tuple[LabelledModel, ...]
    runs: tuple[ScoredRun, ...]
    differences: tuple[tuple[Difference, float], ...]


def read_models(path: Path, study: ModelStudy) -> tuple[LabelledModel, ...]:
    """Return the models of a CSV file with the columns name, model and one for each label of the study.

    Raises InputError with file and line.
    """
    columns = (NAME, MODEL, *study.labels)
    try:
        with path.open(encoding="utf-8-sig", newline="") as f:
            rows = csv.DictReader(f)
            if set(columns) - set(rows.fieldnames or ()):
                raise InputError(
                    f"{path}: expected the columns {', '.join(columns)}, found "
                    f"{', '.join(rows.fieldnames or ()) or 'none'}"
                )
            found = [_labelled(row, columns, f"{path}:{rows.line_num}") for row in rows]
    except (OSError, UnicodeDecodeError, csv.Error) as e:
        raise InputError(f"{path}: cannot be read as CSV in UTF-8 ({e}); check the file") from e
    if not found:
        raise InputError(f"{path}: names no model; write one a line")
    names = [m.name for m in found]
    if twice := next((n for n in names if names.count(n) > 1), ""):
        raise InputError(f"{path}: two models are called {twice!r}; give each a name of its own")
    return tuple(found)


def _labelled(row: Mapping[str, str | None], columns: Sequence[str], where: str) -> LabelledModel:
    cells = {c: (row[c] or "").strip() for c in columns}
    if empty := next((c for c, text in cells.items() if not text), ""):
        raise InputError(f"{where}: {empty} is empty; fill it in")
    return LabelledModel(cells[NAME], cells[MODEL], tuple(cells[c] for c in columns[2:]))


def models_found(
    study: ModelStudy, models: Sequence[LabelledModel], runs: Sequence[ScoredRun], seed: str = "0"
) -> ModelsFound:
    """Return what the runs of these models, in their order, come to."""
    first = runs[0]
    table = next(t for t in first.benchmark.tables if t.name == study.table)
    differences = [_difference(run, first, study, seed) for run in runs[1:]]
    adjusted = holm([d.p_value for d in differences])
    return ModelsFound(
        study=study,
        table=table,
        benchmark=first.benchmark.name,
        dataset=first.dataset.manifest.identity,
        official=first.official,
        models=tuple(models),
        runs=tuple(runs),
        differences=tuple(zip(differences, adjusted, strict=True)),
    )


def _difference(run: ScoredRun, base: ScoredRun, study: ModelStudy, seed: str) -> Difference:
    units, _ = paired_units(
        list(run.dataset.questions()), run.sample_scores, base.sample_scores, study.grouping
    )
    return paired_difference(
        [u.first for u in units], [u.second for u in units], [u.cluster for u in units], seed=seed
    )


def model_tables(found: ModelsFound) -> dict[str, Table]:
    """Return the study's tables by what is added to the name of their files."""
    tables = {"": rows_table(found)}
    return tables | ({"-compared": differences_table(found)} if found.differences else {})


def rows_table(found: ModelsFound) -> Table:
    """Return the published rows with their labels, and ours below them with intervals."""
    table, study = found.table, found.study
    theirs = [
        (
            name + PUBLISHED,
            *(table.labels[name].get(label, "–") for label in study.labels),
            *("–" if v is None else f"{v:.1f}" for v in cells),
        )
        for name, cells in table.rows.items()
    ]
    ours = [
        (run.scope.named(model.name), *model.labels, *(_cell(run, score) for score in study.scores))
        for model, run in zip(found.models, found.runs, strict=True)
    ]
    notes = [OFFICIAL if found.official else NOT_OFFICIAL, *([table.note] if table.note else [])]
    for model, run in zip(found.models, found.runs, strict=True):
        notes += run.scope.notes(model.name)
    return Table(
        title=f"{study.title} ({study.ref})",
        columns=("", *study.labels, *table.columns),
        rows=(*theirs, *ours),
        notes=tuple(notes),
        groups=(len(theirs), len(ours)),
    )


def _cell(run: ScoredRun, wanted: tuple[str, Mapping[str, str]]) -> str:
    score = find_score(run.scores, *wanted)
    return with_interval(score.value, score.low, score.high) if score else per_cent(None)


def differences_table(found: ModelsFound) -> Table:
    """Return how far each model is from the first one, on the same questions."""
    base = found.models[0].name
    return Table(
        title=f"{found.study.title}: each model against {base}",
        columns=(
            "",
            *found.study.labels,
            "points [95 %]",
            "p",
            "p, Holm-adjusted",
            "better",
            "worse",
            "questions",
        ),
        rows=tuple(
            (
                model.name,
                *model.labels,
                f"{signed(100 * d.value)} [{signed(100 * d.low)}, {signed(100 * d.high)}]".replace("-", "−"),
                *(p_words(p).removeprefix("p ").removeprefix("= ") for p in (d.p_value, adjusted)),
                str(d.first_only),
                str(d.second_only),
                str(d.n),
            )
            for model, (d, adjusted) in zip(found.models[1:], found.differences, strict=True)
        ),
        notes=(
            f"accuracy ({found.study.grouping}), paired by question, its interval clustered by picture; what "
            "was trained otherwise than the first model differs in more than its labels",
        ),
    )


def models_figure(found: ModelsFound) -> Figure:
    """Return a panel a column: our models with intervals, and the published rows as hollow dots."""
    panels = []
    for k, column in enumerate(found.table.columns):
        scores = [find_score(run.scores, *found.study.scores[k]) for run in found.runs]
        ours = [
            Bar(m.name, Cell(s.value, s.low, s.high, s.n) if s else Cell())
            for m, s in zip(found.models, scores, strict=True)
        ]
        theirs = [
            Bar(name, Cell(None if cells[k] is None else (cells[k] or 0.0) / 100), published=True)
            for name, cells in found.table.rows.items()
        ]
        panels.append(Panel(column, (*ours, *theirs)))
    return dots_figure(panels, "correct, %")


def write_models(out: Path, found: ModelsFound) -> list[Path]:
    """Write JSON, tables and figure of a study of models, and return the files."""
    name = found.study.name
    files = [out / f"{name}.json"]
    write_bytes(files[0], msgspec.json.format(msgspec.json.encode(_plain(found)), indent=2) + b"\n")
    for suffix, table in model_tables(found).items():
        for kind, text in (("csv", as_csv(table)), ("tex", as_latex(table))):
            files.append(out / f"{name}{suffix}.{kind}")
            write_text(files[-1], text)
    figure = models_figure(found)
    return [*files, *save_figure(figure, out / name), save_png(figure, out / name)]


def _plain(found: ModelsFound) -> dict[str, object]:
    """Return the study as what JSON holds."""
    return {
        "study": found.study.name,
        "title": found.study.title,
        "ref": found.study.ref,
        "tool_version": __version__,
        "benchmark": found.benchmark,
        "dataset": found.dataset,
        "official": found.official,
        "labels": list(found.study.labels),
        "models": [
            {
                "name": model.name,
                "model": model.model,
                "labels": dict(zip(found.study.labels, model.labels, strict=True)),
                "run": f"runs/{model.folder}",
                "scores": [s for score in found.study.scores if (s := find_score(run.scores, *score))],
            }
            for model, run in zip(found.models, found.runs, strict=True)
        ],
        "differences": [
            {"name": model.name, "difference": d, "p_after_holm": p}
            for model, (d, p) in zip(found.models[1:], found.differences, strict=True)
        ],
    }

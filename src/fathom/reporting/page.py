"""The report: one page that carries everything it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fathom.english import rounded
from fathom.pages.html import percent, range_words, render
from fathom.pages.names import number_of, score_words
from fathom.pages.priors import priors_table
from fathom.pages.published import beside_published, find_score
from fathom.pages.tables import Table
from fathom.records import InputError
from fathom.reporting.captions import CaptionBoard, caption_board
from fathom.reporting.data import ReportData
from fathom.reporting.diagnosis import Diagnosis, diagnosis, in_order
from fathom.reporting.figures import write_figures
from fathom.reporting.folder import FIGURES, PAGE, TABLES, begin_report, end_report, manifest_of
from fathom.reporting.gallery import Gallery, gallery
from fathom.reporting.leaderboard import (
    SHARES,
    Leaderboard,
    LeaderboardRow,
    incomplete_notes,
    leaderboard,
    task_columns,
)
from fathom.reporting.measured import Beyond, beyond, write_beyond
from fathom.reporting.quality import quality
from fathom.reporting.tables import (
    interval_cell,
    leaderboard_table,
    margins_table,
    scores_table,
    variation_table,
    write_tables,
)
from fathom.reporting.wording import OUTCOMES
from fathom.store.files import write_text

JOINED = ("accuracy_circular", "accuracy_both")
"""Leading scores under which the passes of a question are right together or not at all."""


@dataclass(frozen=True)
class KeyFinding:
    """One object to know before reading on."""

    what: str
    words: str


@dataclass(frozen=True)
class Header:
    """What stands at the head of the page; nothing in it depends on when or where the page was made."""

    title: str
    facts: tuple[str, ...]
    findings: tuple[KeyFinding, ...]
    provenance: tuple[tuple[str, str], ...]
    tool_version: str


def write_report(out: Path, data: ReportData, figures: bool = True) -> Path:
    """Write figures, tables and the page to `out`, and return the page's path; the page comes last.

    Figures for papers can be left out: they take longer than all else of a small report.

    Raises InputError where the runs were made on different datasets, nothing was given to report, or the
    folder holds something that is no report.
    """
    _check(data)
    board = leaderboard(data)
    found, more = diagnosis(data, board), beyond(data, board)
    tables = report_tables(data, board) | more.tables
    page = page_html(data, board, found, tables, more)
    manifest = manifest_of(out, data)
    begin_report(out, manifest)
    files = (
        [*write_figures(out / FIGURES, board, found), *write_beyond(out / FIGURES, more)] if figures else []
    )
    files += write_tables(out / TABLES, tables, incomplete_notes(data.runs))
    write_text(out / PAGE, page)
    end_report(out, manifest, [*files, out / PAGE])
    return out / PAGE


def report_tables(data: ReportData, board: Leaderboard) -> dict[str, Table]:
    """Return the report's tables by the name of their file."""
    runs = in_order(data.runs, board)
    tables: dict[str, Table | None] = {}
    if board.tasks:
        tables["leaderboard"] = leaderboard_table(board)
    ours = [(run.model, run.scores) for run in runs]
    for published in data.benchmark.tables:
        if any(find_score(scores, *score) for _, scores in ours for score in published.ours):
            tables[published.name] = beside_published(
                published, ours, data.benchmark.tasks, data.dataset.official, interval_cell
            )
    tables["margins"] = margins_table(runs)
    tables["variation"] = variation_table(runs)
    tables["counterfactual"] = priors_table([(run.model, run.scores) for run in runs])
    tables["groupings"] = board.groupings
    tables["dataset"] = quality(data, task_columns(data)).tasks
    tables["scores"] = scores_table(runs)
    return {name: table for name, table in tables.items() if table is not None}


def page_html(
    data: ReportData, board: Leaderboard, found: Diagnosis, tables: dict[str, Table], more: Beyond
) -> str:
    """Return the page of a report whose parts are known already."""
    tasks = task_columns(data)
    captions = caption_board(data)
    shown = gallery(data, tasks, joined=board.score in JOINED)
    sections = sections_of(board, captions, found, tables, more)
    retention = [t.name for t in data.benchmark.tables if any(name == "rpdr" for name, _ in t.ours)]
    beside = [t.name for t in data.benchmark.tables if t.name not in (*retention, board.published_from.name)]
    return render(
        "report.html.j2",
        style="report.css",
        script="report.js",
        header=header(data, board, captions, shown),
        sections=sections,
        board=board,
        captions=captions,
        beside=[tables[name] for name in beside if name in tables],
        diagnosis=found,
        retention_table=next((tables[name] for name in retention if name in tables), None),
        margins_table=tables.get("margins"),
        variation=tables.get("variation"),
        priors=tables.get("counterfactual"),
        quality=quality(data, tasks),
        ranks=more.ranks,
        errors=more.charts,
        smallest=tables.get("smallest-error"),
        numbers=tables.get("numbers"),
        viewpoints=tables.get("viewpoints"),
        videos=more.of_videos,
        overview=more.overview,
        gallery=shown,
        outcome_words=OUTCOMES,
        payload=shown.payload,
    )


def sections_of(
    board: Leaderboard,
    captions: CaptionBoard | None,
    found: Diagnosis,
    tables: Mapping[str, Table],
    more: Beyond,
) -> list[tuple[str, str]]:
    """Return the sections that the page has, by their ids and titles."""
    there = (
        ("leaderboard", "Leaderboard", board.tasks),
        ("levels", "Levels" if board.levels else "Tasks", board.tasks),
        ("captions", "Captions", captions),
        ("retention", "Retention", found.retention),
        ("margins", "Margins", found.margins),
        ("curves", "Curves", found.curves),
        ("confusion", "Confusion", found.confusions),
        ("counterfactual", "Counterfactual", "counterfactual" in tables),
    )
    shown = [(name, title) for name, title, content in there if content]
    return [*shown, *more.sections, ("dataset", "Dataset"), ("gallery", "Gallery")]


def header(data: ReportData, board: Leaderboard, captions: CaptionBoard | None, shown: Gallery) -> Header:
    """Return the head of the page."""
    manifest = data.dataset.manifest
    entries = {q.media or (q.scene,) for q in data.dataset.questions}
    without = "" if any(q.media for q in data.dataset.questions) else "no pictures"
    questions = len(data.dataset.questions)
    facts = [
        manifest.name and f"dataset {manifest.name}",
        number_of(len(entries), *shown.noun) if entries != {("",)} else "",
        without,
        number_of(questions, "question"),
        number_of(len(data.runs), "model"),
        manifest.seed and f"seed {manifest.seed}",
        f"{manifest.settings['rules']} rules for relation words" if manifest.settings.get("rules") else "",
    ]
    return Header(
        title=data.benchmark.title,
        facts=tuple(f for f in facts if f),
        findings=(*findings(board), *caption_findings(captions)),
        provenance=tuple(_provenance(data)),
        tool_version=manifest.tool_version,
    )


def caption_findings(board: CaptionBoard | None) -> list[KeyFinding]:
    """Return which model's captions are the best, by the first metric that is there and by the judge."""
    found: list[KeyFinding] = []
    if board is None:
        return found
    models = [row for row in board.rows if not row.baseline]
    there = [i for i in range(len(board.metrics)) if any(row.cells[i].value is not None for row in models)]
    first = [i for i in there if board.metrics[i].protocol][:1]
    mean = [i for i in there if board.metrics[i].name == "judge_mean"]
    for i in (*first, *mean):
        best = max(models, key=lambda row: row.cells[i].value or 0.0)
        cell, metric = best.cells[i], board.metrics[i]
        between = f" ({cell.between})" if cell.between else ""
        found.append(KeyFinding(f"Best captions, {metric.title}", f"{best.model}: {cell.shown}{between}"))
    return found


def findings(board: Leaderboard) -> list[KeyFinding]:
    """Return what a hurried reader should know: who leads, the hardest task, what was not read."""
    models = [row for row in board.rows if not (row.baseline or row.text_only)]
    found = [*_leading(board, models), *_hardest(board, models)]
    if board.chance is not None:
        found.append(KeyFinding("Chance", f"{rounded(100 * board.chance)} %"))
    lost = [
        (sum(share for name, share in zip(SHARES, row.shares, strict=True) if name != "cut_off"), row)
        for row in models
    ]
    share, worst = max(lost, key=lambda pair: pair[0], default=(0.0, None))
    if worst is not None and share >= 0.01:
        found.append(
            KeyFinding("Mind", f"{worst.model}: {rounded(100 * share)} % without an answer that was read")
        )
    return found


def _leading(board: Leaderboard, models: Sequence[LeaderboardRow]) -> list[KeyFinding]:
    """Return the model that leads, with the baseline that it does not reach; of baselines alone all."""
    joined = "" if board.score == "accuracy" else f", {score_words(board.score)}"
    baselines = [
        row for row in board.rows if row.baseline and not row.text_only and row.overall.value is not None
    ]
    scored = [row for row in models if row.overall.value is not None]
    if not scored:
        said = ", ".join(f"{row.model} {percent(row.overall.value)} %" for row in baselines)
        return [KeyFinding(f"Baselines alone{joined}", said)] if said else []
    best = scored[0]
    words = f"{best.model}: {percent(best.overall.value)} %"
    if best.overall.low is not None and best.overall.high is not None:
        words += f" ({range_words(best.overall)})"
    found = [KeyFinding(f"Best {'model' if len(scored) > 1 else 'and only model'}{joined}", words)]
    ahead = [row for row in baselines if (row.overall.value or 0.0) > (best.overall.value or 0.0)]
    if ahead:
        said = ", ".join(f"{row.model} {percent(row.overall.value)} %" for row in ahead)
        found.append(KeyFinding("Baselines ahead of every model", said))
    return found


def _hardest(board: Leaderboard, models: Sequence[LeaderboardRow]) -> list[KeyFinding]:
    """Return the task in which the best model is the worst; nothing of baselines, or where all are alike."""
    hardest = sorted(
        (max(known), i)
        for i in range(len(board.tasks))
        if (known := [v for row in models if (v := row.cells[i][1].value) is not None])
    )
    if not hardest or len(board.tasks) < 2 or hardest[0][0] == hardest[-1][0]:
        return []
    top, i = hardest[0]
    return [KeyFinding("Hardest task", f"{board.tasks[i].title}: {percent(top)} % at best")]


def _provenance(data: ReportData) -> list[tuple[str, str]]:
    manifest = data.dataset.manifest
    after = f", after {data.benchmark.paper}" if data.benchmark.paper else ""
    entries = [
        ("Benchmark", f"{data.benchmark.name} {data.benchmark.version}{after}"),
        ("Dataset identity", manifest.identity),
        ("Dataset made by", f"{manifest.tool} {manifest.tool_version}: {manifest.command}"),
        ("Build settings", ", ".join(f"{k}={v}" for k, v in sorted(manifest.settings.items()))),
        *(("Note", note) for note in manifest.notes),
    ]
    for run in data.runs:
        settings = ", ".join(
            f"{k} {v}" for k, v in sorted(run.manifest.settings.items()) if v not in ("", None)
        )
        extractors = ", ".join(sorted({m.extractor for m in run.sample_scores}))
        entries.append((f"Run {run.model}", f"{settings}; read under {extractors or 'no extractor'}"))
    return [(name, value) for name, value in entries if value]


def _check(data: ReportData) -> None:
    if not data.runs:
        raise InputError("a report needs at least one run, and none was given; name the run folders")
    identity = data.dataset.manifest.identity
    for run in data.runs:
        found = run.manifest.inputs.get("dataset", identity)
        if found != identity:
            raise InputError(
                f"the run of {run.model}: was made on the dataset {found[:12]}, and the report is on "
                f"{identity[:12]}; report runs of one dataset at a time"
            )

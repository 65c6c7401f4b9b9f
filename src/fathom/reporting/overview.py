"""What a report shows beside tasks: parts with published rows, answers by their texts, contrasts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from fathom.pages.charts import Bar, Cell, Panel
from fathom.pages.contrasts import contrast_figure
from fathom.pages.figures import dots_figure, lines_figure, save_figure
from fathom.pages.names import number_of
from fathom.pages.published import NOT_OFFICIAL, find_score
from fathom.records import FacetFigure, PublishedTable, Question
from fathom.reporting.contrasts import ContrastShown, contrasts_shown
from fathom.reporting.data import ReportData, ReportRun
from fathom.reporting.words import WordsShown, words_shown

LEAST_SHARE, LEAST_CLUSTERS = 0.25, 3
"""Options are closed where so many of a task's questions, on so many scenes, have the same ones."""


@dataclass(frozen=True)
class PartsChart:
    """A figure over the parts of a facet: a panel a part, a bar a model."""

    title: str
    note: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True)
class Overview:
    """Charts of parts, of answers by their texts, pairs of which one is right and one is wrong, and how much
    models write.
    """

    parts: tuple[PartsChart, ...] = ()
    answers: tuple[Panel, ...] = ()
    contrasts: tuple[ContrastShown, ...] = ()
    words: WordsShown | None = None

    @property
    def sections(self) -> list[tuple[str, str]]:
        """The sections of the page that it fills: (id, title)."""
        found = [("parts", "Categories")] if self.parts else []
        found += [("contrasts", "Contrasts")] if self.contrasts else []
        return found + ([("words", "Words")] if self.words else [])


def overview(data: ReportData, runs: Sequence[ReportRun], score: str) -> Overview:
    """Return it, models in the order of `runs`; parts are told by `score` where a run has it by part."""
    tables = {table.name: table for table in data.benchmark.tables}
    charts = [
        parts_chart(figure, tables[figure.table], runs, score, data.dataset.official)
        for figure in data.benchmark.figures
        if figure.table in tables
    ]
    return Overview(
        tuple(c for c in charts if c.panels),
        answer_panels(data.dataset.questions, data.benchmark.tasks),
        contrasts_shown(data, runs, score != "accuracy"),
        words_shown(data, runs),
    )


def parts_chart(
    figure: FacetFigure, table: PublishedTable, runs: Sequence[ReportRun], score: str, official: bool
) -> PartsChart:
    """Return a panel for each part that any run has: our models, the published ones, and people as a line."""
    panels = []
    for part, title in figure.parts.items():
        group = {figure.facet: part}
        found = [
            (run, find_score(run.scores, score, group) or find_score(run.scores, "accuracy", group))
            for run in runs
        ]
        ours = [
            Bar(run.model, Cell(s.value, s.low, s.high, s.n))
            for run, s in found
            if s is not None and s.value is not None
        ]
        if not ours:
            continue
        column = table.columns.index(figure.columns[part])
        theirs = [Bar(row, _share(table.rows[row][column]), published=True) for row in figure.rows]
        guess = find_score(runs[0].scores, score.replace("accuracy", "chance", 1), group)
        line = _share(table.rows[figure.line][column]).value if figure.line else None
        n = max(bar.cell.n for bar in ours)
        panels.append(
            Panel(
                title,
                (*ours, *theirs),
                note=number_of(n, "question"),
                chance=guess.value if guess else None,
                line=line,
            )
        )
    note = "Hollow dots are published rows"
    note += f", and the solid line is the published row {figure.line}" if figure.line else ""
    note += "." if official else f": {NOT_OFFICIAL}."
    return PartsChart(figure.title, note, tuple(panels))


def _share(value: float | None) -> Cell:
    return Cell(None if value is None else value / 100)


def answer_panels(questions: Sequence[Question], titles: Mapping[str, str]) -> tuple[Panel, ...]:
    """Return how often each text is the right answer, for each task and set of options that is closed."""
    by_set: dict[tuple[str, frozenset[str]], list[Question]] = defaultdict(list)
    of_task = Counter(q.task for q in questions)
    for q in questions:
        if len(set(q.choices)) == len(q.choices) > 1:
            by_set[q.task, frozenset(q.choices)].append(q)
    panels = []
    for (task, options), some in by_set.items():
        clusters = {q.groups.cluster or q.scene or q.id for q in some}
        if len(clusters) < LEAST_CLUSTERS or len(some) < LEAST_SHARE * of_task[task]:
            continue
        counts = Counter(q.answer for q in some)
        bars = tuple(
            Bar(text, Cell(counts[text] / len(some), n=counts[text])) for text in _in_order(some, options)
        )
        title = titles.get(task, task)
        panels.append(Panel(title, bars, note=number_of(len(some), "question"), chance=1 / len(options)))
    order = list(titles.values())
    panels.sort(key=lambda p: order.index(p.title) if p.title in order else len(order))
    return tuple(panels)


def _in_order(questions: Sequence[Question], options: frozenset[str]) -> list[str]:
    """Return options in the alphabet's order, "yes" before "no" and the first of the sides first."""
    known = ["yes", "no", "front", "left", "back", "right"]
    return sorted(options, key=lambda o: (known.index(o) if o in known else len(known), o))


def write_overview(folder: Path, found: Overview) -> list[Path]:
    """Write its charts and pairs as figures, and return the files."""
    files: list[Path] = []
    for k, chart in enumerate(found.parts):
        name = "categories" if not k else f"categories-{k + 1}"
        files += save_figure(dots_figure(chart.panels, "correct, %", columns=2), folder / name)
    if found.answers:
        files += save_figure(dots_figure(found.answers, "of right answers, %", columns=2), folder / "answers")
    for contrast in found.contrasts:
        if contrast.pairs:
            files += save_figure(contrast_figure(contrast.figure), folder / f"contrast-{contrast.name}")
    if found.words:
        files += save_figure(lines_figure(found.words.panels, "words before an answer"), folder / "words")
    return files

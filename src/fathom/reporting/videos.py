"""What a dataset of videos consists of, and what models make of each part: by task and kind of scene."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from fathom.extraction.numeric_answers import is_measured
from fathom.pages.charts import Cell
from fathom.pages.published import find_score
from fathom.pages.tables import Table
from fathom.pages.videos import counts_table, in_order, lengths_table, results_table
from fathom.records import Question
from fathom.reporting.data import ReportData, ReportRun

SETTING = "setting"
"""The facet of a benchmark that says in which kind of scene a question is asked."""


@dataclass(frozen=True)
class VideoStatistics:
    """Lengths (seconds) of the videos of each kind of scene, how many are not known, and questions by task.

    `tasks` are the titles of those that are asked, `results` each model's accuracies by (task, setting).
    """

    lengths: Mapping[str, Sequence[float]]
    unknown: int
    tasks: Mapping[str, str]
    counts: Mapping[str, Mapping[str, int]]
    results: Mapping[str, Mapping[tuple[str, str], Cell]]

    @property
    def settings(self) -> list[str]:
        """The kinds of scene, from the smallest scale on."""
        return in_order([*self.lengths, *(s for of in self.counts.values() for s in of)])


def video_facts(data: ReportData, runs: Sequence[ReportRun]) -> VideoStatistics | None:
    """Return what is known of a dataset of videos whose benchmark tells kinds of scene apart, else None."""
    setting_of = data.benchmark.facets.get(SETTING)
    if setting_of is None:
        return None
    chosen = [q for q in data.dataset.questions if not is_measured(q)] or list(data.dataset.questions)
    counts: dict[str, dict[str, int]] = {task: {} for task in data.benchmark.tasks}
    for question in chosen:
        setting = setting_of(question)
        if setting:
            of = counts.setdefault(question.task, {})
            of[setting] = of.get(setting, 0) + 1
    tasks = {task: data.benchmark.tasks.get(task, task) for task, of in counts.items() if of}
    if not tasks:
        return None
    lengths, unknown = _lengths(data, setting_of)
    results = {
        run.model: _results(run, tasks, in_order([s for of in counts.values() for s in of])) for run in runs
    }
    return VideoStatistics(lengths, unknown, tasks, {tasks[t]: counts[t] for t in tasks}, results)


def _lengths(data: ReportData, setting_of: Callable[[Question], str]) -> tuple[dict[str, list[float]], int]:
    """Return the lengths of the videos by kind of scene, each video once, and how many are not known."""
    found: dict[str, list[float]] = {}
    seen: set[str] = set()
    unknown = 0
    for question in data.dataset.questions:
        setting = setting_of(question)
        for name in question.media:
            entry = data.dataset.media.get(name)
            if name in seen or entry is None or entry.kind != "video" or not setting:
                continue
            seen.add(name)
            if entry.frames > 0 and entry.fps > 0:
                found.setdefault(setting, []).append(entry.frames / entry.fps)
            else:
                unknown += 1
    return found, unknown


def _results(
    run: ReportRun, tasks: Mapping[str, str], settings: Sequence[str]
) -> dict[tuple[str, str], Cell]:
    cells = {}
    for task in tasks:
        for setting in settings:
            score = find_score(run.scores, "accuracy", {"task": task, SETTING: setting})
            if score is not None and score.n:
                cells[task, setting] = Cell(score.value, score.low, score.high, score.n)
    return cells


def video_tables(facts: VideoStatistics) -> dict[str, Table]:
    """Return the tables of a dataset of videos by the name of their file."""
    tables = {"task-by-setting": counts_table(facts.counts, facts.settings)}
    if facts.lengths or facts.unknown:
        tables["video-lengths"] = lengths_table(facts.lengths, facts.unknown)
    if any(facts.results.values()):
        tables["results-by-setting"] = results_table(facts.results, facts.tasks, facts.settings)
    return tables

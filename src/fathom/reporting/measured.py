"""What a report shows beyond right and wrong: ranks, sampled errors, answers in numbers, kinds of video."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fathom.pages.errors import ErrorPanel, errors_figure, numbers_table, smallest_table
from fathom.pages.figures import save_figure
from fathom.pages.ranks import ranks_figure, ranks_table
from fathom.pages.tables import Table
from fathom.pages.videos import lengths_figure, results_figure
from fathom.pages.viewpoints import viewpoint_table
from fathom.reporting.data import ReportData, ReportRun
from fathom.reporting.diagnosis import in_order
from fathom.reporting.errors import ErrorChart, error_charts, error_panels
from fathom.reporting.leaderboard import Leaderboard
from fathom.reporting.overview import Overview, overview, write_overview
from fathom.reporting.ranks import TaskRanks, task_ranks
from fathom.reporting.videos import VideoStatistics, video_facts, video_tables


@dataclass(frozen=True)
class Beyond:
    """Panels of accuracy over errors, what is known of videos, how models rank, and all tables by name."""

    panels: tuple[ErrorPanel, ...]
    videos: VideoStatistics | None
    tables: dict[str, Table]
    ranks: TaskRanks | None = None
    overview: Overview = field(default_factory=Overview)

    @property
    def charts(self) -> tuple[ErrorChart, ...]:
        """The panels as charts of a page."""
        return error_charts(self.panels)

    @property
    def of_videos(self) -> tuple[Table, ...]:
        """The tables that say what the dataset is made of, and what was made of it."""
        names = ("video-lengths", "task-by-setting", "results-by-setting")
        return tuple(self.tables[name] for name in names if name in self.tables)

    @property
    def sections(self) -> list[tuple[str, str]]:
        """The sections of the page that it fills: (id, title)."""
        found = [("ranks", "Ranks")] if self.ranks else []
        found += [("errors", "Sampled error")] if self.panels else []
        found += [("numbers", "Numbers")] if "numbers" in self.tables else []
        found += [("viewpoints", "Viewpoints")] if "viewpoints" in self.tables else []
        return found + self.overview.sections


def beyond(data: ReportData, board: Leaderboard) -> Beyond:
    """Return what a report shows beyond right and wrong, models in the leaderboard's order."""
    runs: Sequence[ReportRun] = in_order(data.runs, board)
    scores = [(run.model, run.scores) for run in runs]
    videos = video_facts(data, runs)
    ranks = task_ranks(data.runs, board)
    tables: dict[str, Table | None] = {
        "ranks": ranks_table(ranks.matrix) if ranks else None,
        "gains": ranks.gains if ranks else None,
        "smallest-error": smallest_table(scores),
        "viewpoints": viewpoint_table(scores),
        "numbers": numbers_table(scores, data.benchmark.tasks),
        **(video_tables(videos) if videos else {}),
    }
    panels = error_panels(runs, board.chance)
    named = {name: table for name, table in tables.items() if table is not None}
    return Beyond(panels, videos, named, ranks, overview(data, runs, board.score))


def write_beyond(folder: Path, found: Beyond) -> list[Path]:
    """Write the figures of it that have something to show, and return the files."""
    files = write_overview(folder, found.overview)
    if found.ranks:
        files += save_figure(ranks_figure(found.ranks.matrix), folder / "ranks")
    if found.panels:
        files += save_figure(errors_figure(found.panels), folder / "sampled-error")
    if found.videos and found.videos.lengths:
        figure = lengths_figure(found.videos.lengths, found.videos.counts)
        files += save_figure(figure, folder / "videos")
    if found.videos and any(found.videos.results.values()):
        figure = results_figure(found.videos.results, found.videos.tasks, found.videos.settings)
        files += save_figure(figure, folder / "results-by-setting")
    return files

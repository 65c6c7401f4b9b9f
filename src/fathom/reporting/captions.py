"""The leaderboard of captions: metrics and the judge, models as rows, people and published rows apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fathom.pages.names import JUDGED, METRICS, OF_PEOPLE, PEOPLE, number_of
from fathom.pages.published import NOT_AVAILABLE, NOT_OFFICIAL, OFFICIAL, find_score
from fathom.records import Benchmark, PublishedTable, Score
from fathom.reporting.data import ReportData, ReportRun

SHARES = ("refused", "failed", "missing", "empty", "unreadable")


@dataclass(frozen=True)
class Metric:
    """One column: which score it shows, under which protocol ("": the judge's), and times what."""

    name: str
    title: str
    protocol: str
    scale: float
    digits: int

    def score_of(self, scores: Sequence[Score], of_people: bool = False) -> Score | None:
        """Return the score that belongs into this column."""
        group = {"protocol": self.protocol} if self.protocol else {}
        return find_score(scores, self.name, {**group, **OF_PEOPLE} if of_people else group)


@dataclass(frozen=True)
class MetricCell:
    """One number with its interval as they are shown; `value` sorts."""

    shown: str
    between: str = ""
    value: float | None = None
    best: bool = False


@dataclass(frozen=True)
class CaptionRow:
    """One model's metrics; `gone` is the share of captions refused, failed, missing or empty."""

    model: str
    cells: tuple[MetricCell, ...]
    gone: float | None
    baseline: bool = False


@dataclass(frozen=True)
class CaptionBoard:
    """The metrics of captions under the protocol that is the benchmark's own.

    Models are ranked by the column `ranked_by`, the first that is available.
    """

    protocol: str
    metrics: tuple[Metric, ...]
    ranked_by: int
    rows: tuple[CaptionRow, ...]
    people: CaptionRow | None
    published_title: str
    published_label: str
    published: tuple[tuple[str, tuple[str, ...]], ...]
    n: int
    notes: tuple[str, ...]


def caption_board(data: ReportData) -> CaptionBoard | None:
    """Return the leaderboard of captions, None where none were asked for."""
    runs = [run for run in data.runs if any("protocol" in s.group for s in run.scores)]
    if not runs:
        return None
    table = _published(data.benchmark)
    found = [s for s in runs[0].scores if "protocol" in s.group and "of" not in s.group]
    leading = found[0].group["protocol"]
    if table is not None:
        leading = next((g["protocol"] for n, g in table.ours if n in METRICS and "protocol" in g), leading)
    metrics = _metrics(runs, leading, table)
    best = [_best(metric, runs) for metric in metrics]
    rows = [_row(run, metrics, best) for run in runs]
    there = [i for i in range(len(metrics)) if any(row.cells[i].value is not None for row in rows)]
    ranked_by = there[0] if there else 0
    if there:
        rows.sort(key=lambda row: -(row.cells[ranked_by].value or 0.0))
    people = _people(runs[0], metrics)
    return CaptionBoard(
        protocol=leading,
        metrics=metrics,
        ranked_by=ranked_by,
        rows=tuple(rows),
        people=people,
        published_title=table.title if table else "",
        published_label=OFFICIAL if data.dataset.official else NOT_OFFICIAL,
        published=_published_cells(table, metrics) if table else (),
        n=max(s.n for s in found),
        notes=(*_notes(runs, metrics), *_cut_off(runs)),
    )


def _published(benchmark: Benchmark) -> PublishedTable | None:
    """Return the published table of captions, None where the benchmark has none."""
    return next((t for t in benchmark.tables if any("protocol" in group for _, group in t.ours)), None)


def _metrics(runs: Sequence[ReportRun], leading: str, table: PublishedTable | None) -> tuple[Metric, ...]:
    """Return the columns: those of the published table, or all that there are where none is published."""
    order = [name for name, _ in table.ours] if table else list(METRICS)
    known = {s.name for run in runs for s in run.scores if s.group == {"protocol": leading}}
    found = [Metric(n, METRICS.get(n, n), leading, 100, 1) for n in order if n in known]
    judged = [n for n in JUDGED if any(find_score(run.scores, n) for run in runs)]
    return (*found, *(Metric(n, JUDGED[n], "", 1, 2) for n in judged))


def _best(metric: Metric, runs: Sequence[ReportRun]) -> float | None:
    scores = [metric.score_of(run.scores) for run in runs if not run.baseline]
    known = [s.value for s in scores if s is not None and s.value is not None]
    return max(known) if len(known) > 1 else None


def _row(run: ReportRun, metrics: Sequence[Metric], best: Sequence[float | None]) -> CaptionRow:
    cells = tuple(
        _cell(metric, metric.score_of(run.scores), None if run.baseline else top)
        for metric, top in zip(metrics, best, strict=True)
    )
    shares = [find_score(run.scores, name, {"of": "captions"}) for name in SHARES]
    gone = sum(s.value or 0.0 for s in shares if s) if any(shares) else None
    return CaptionRow(run.model, cells, gone, run.baseline)


def _people(run: ReportRun, metrics: Sequence[Metric]) -> CaptionRow | None:
    found = [m.score_of(run.scores, of_people=True) if m.protocol else None for m in metrics]
    if not any(found):
        return None
    return CaptionRow(PEOPLE, tuple(_cell(m, s, None) for m, s in zip(metrics, found, strict=True)), None)


def _cell(metric: Metric, score: Score | None, best: float | None) -> MetricCell:
    if score is None:
        return MetricCell("–")
    if score.value is None:
        return MetricCell(NOT_AVAILABLE if score.method == NOT_AVAILABLE else "–")
    between = ""
    if score.low is not None and score.high is not None:
        between = f"{_shown(metric, score.low)}–{_shown(metric, score.high)}"
    return MetricCell(_shown(metric, score.value), between, metric.scale * score.value, score.value == best)


def _shown(metric: Metric, value: float) -> str:
    return f"{metric.scale * value:.{metric.digits}f}"


def _published_cells(
    table: PublishedTable, metrics: Sequence[Metric]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    place = {name: i for i, (name, _) in enumerate(table.ours)}
    columns = [place.get(metric.name) for metric in metrics]
    return tuple(
        (
            model,
            tuple(
                "–" if i is None or (v := values[i]) is None else f"{v:.{m.digits}f}"
                for i, m in zip(columns, metrics, strict=True)
            ),
        )
        for model, values in table.rows.items()
    )


def _cut_off(runs: Sequence[ReportRun]) -> list[str]:
    """Return how many captions of each run came to the limit of their length."""
    found = [(run.model, find_score(run.scores, "cut_off", {"of": "captions"})) for run in runs]
    return [
        f"{model}: {number_of(round(s.value * s.n), 'caption')} cut off at the limit of their length."
        for model, s in found
        if s is not None and s.value
    ]


def _notes(runs: Sequence[ReportRun], metrics: Sequence[Metric]) -> list[str]:
    """Return why something is not available, once for all runs that say the same, and notes of scores."""
    said: dict[str, list[str]] = {}
    for run in runs:
        for metric in metrics:
            score = metric.score_of(run.scores)
            if score is None or not score.note:
                continue
            title = "Judge" if not metric.protocol else metric.title
            words = f"{title}{f' is {NOT_AVAILABLE}' if score.value is None else ''}: {score.note}"
            if run.model not in said.setdefault(words, []):
                said[words].append(run.model)
    every = len({run.model for run in runs})
    return [
        words if len(models) == every else f"{', '.join(models)}: {words}" for words, models in said.items()
    ]

"""The page on which people say why answers are wrong, and the figure and table of what they said."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import TYPE_CHECKING

import msgspec

from fathom.pages.figures import BLUE, GREEN, INK, ORANGE, SOFT, style
from fathom.pages.html import render
from fathom.pages.tables import Table, with_interval
from fathom.review.errors import LABELS, MEANINGS, ErrorLine, Labelled
from fathom.store.seeds import short_hash

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLORS = {"quantification": BLUE, "temporal": ORANGE, "grounding": GREEN, "other": SOFT}


@dataclass(frozen=True)
class ErrorShot:
    """A frame of the video as the page carries it, and when it is; `uri` is empty where it cannot be read."""

    words: str
    uri: str
    width: int
    height: int


ShotsOf = Callable[[str], tuple[Sequence[ErrorShot], str]]
"""From a question's id to the frames to show, and what is to be said about them."""


@dataclass(frozen=True)
class Card:
    """One wrong answer on the page: its options are (letter, text, right | picked | "")."""

    line: ErrorLine
    task: str
    options: tuple[tuple[str, str, str], ...]
    shots: tuple[ErrorShot, ...]
    note: str


def errors_html(lines: Sequence[ErrorLine], titles: Mapping[str, str], shots_of: ShotsOf) -> str:
    """Return the page of a sample; `titles` are those of the tasks. It carries everything it shows."""
    cards = []
    for line in lines:
        shots, note = shots_of(line.question)
        cards.append(Card(line, titles.get(line.task, line.task), _options(line), tuple(shots), note))
    key = short_hash("errors", *(line.question for line in lines), lines[0].model if lines else "", length=12)
    payload = {"key": key, "labels": list(LABELS), "lines": [msgspec.to_builtins(line) for line in lines]}
    return render(
        "errors-page.html.j2",
        style="report.css",
        script="errors.js",
        model=lines[0].model if lines else "",
        cards=cards,
        labels=LABELS,
        meanings=MEANINGS,
        payload=payload,
    )


def _options(line: ErrorLine) -> tuple[tuple[str, str, str], ...]:
    def kind(text: str) -> str:
        return "right" if text == line.answer else "picked" if text == line.picked else ""

    return tuple((ascii_uppercase[k % 26], text, kind(text)) for k, text in enumerate(line.choices))


def labels_table(found: Labelled, titles: Mapping[str, str], model: str) -> Table:
    """Return what people said: a row over all, and one a task, a column a label."""
    rows = []
    for task in _tasks(found, titles):
        cells = [found.shares[task, label] for label in LABELS]
        shown = (with_interval(c.value, c.low, c.high) for c in cells)
        rows.append((titles.get(task, task) if task else "All", *shown, str(cells[0].n)))
    notes = [
        "share of the wrong answers in % [95 % interval, clustered by scene]; an answer counts for all wrong "
        "ones of its task and kind of scene that it stands for"
    ]
    if found.unlabelled:
        notes.append(f"{found.unlabelled} answers have no label yet")
    if found.agreement is not None:
        notes.append(
            f"{len(found.reviewers)} reviewers; two who labelled the same answer agree in "
            f"{100 * found.agreement:.0f} % of the cases"
        )
    return Table(
        f"Why answers of {model} are wrong",
        ("", *LABELS.values(), "answers"),
        tuple(rows),
        tuple(notes),
        (1, len(rows) - 1) if len(rows) > 1 else (1,),
    )


def _tasks(found: Labelled, titles: Mapping[str, str]) -> list[str]:
    tasks = {task for task, _ in found.shares} - {""}
    order = [t for t in titles if t in tasks]
    return ["", *order, *sorted(tasks - set(order))]


def labels_figure(found: Labelled, titles: Mapping[str, str], model: str) -> Figure:
    """Return the shares over all with their intervals, and the parts of each task below one another.

    Ref: STI-Bench Figure 7.
    """
    from matplotlib.figure import Figure

    tasks = _tasks(found, titles)[1:]
    with style():
        figure = Figure(figsize=(6.6, 1.75 + 0.3 * len(tasks) + 0.5))
        (top,), (bottom,) = figure.subfigures(
            2, 1, squeeze=False, height_ratios=(1.75, 0.3 * len(tasks) + 0.5)
        )
        _draw_all(top.subplots(), found)
        _draw_tasks(bottom.subplots(), found, tasks, titles)
        top.suptitle(
            f"{model}: why {found.labelled} wrong answers are wrong", x=0.01, ha="left", fontsize=8.5,
            fontweight="bold",
        )  # fmt: skip
    return figure


def _draw_all(ax: Axes, found: Labelled) -> None:
    """Draw a bar a label, with its interval."""
    for row, label in enumerate(LABELS):
        cell = found.shares["", label]
        low, high = 100 * (cell.low or 0.0), 100 * (cell.high or 0.0)
        ax.barh(row, 100 * (cell.value or 0.0), height=0.62, color=COLORS[label], alpha=0.9)
        ax.plot([low, high], [row, row], color=INK, linewidth=1.1)
        ax.text(high + 1.5, row, f"{100 * (cell.value or 0):.0f} %", va="center", fontsize=7, color=INK)
    ax.set_yticks(range(len(LABELS)), list(LABELS.values()))
    ax.set_ylim(len(LABELS) - 0.5, -0.5)
    ax.set_xlim(0, 100)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


def _draw_tasks(ax: Axes, found: Labelled, tasks: Sequence[str], titles: Mapping[str, str]) -> None:
    """Draw a bar a task, a part a label, each with its share where there is room."""
    for row, task in enumerate(tasks):
        start = 0.0
        for label in LABELS:
            share = 100 * (found.shares[task, label].value or 0.0)
            ax.barh(row, share, left=start, height=0.66, color=COLORS[label])
            if share >= 8:
                ax.text(
                    start + share / 2,
                    row,
                    f"{share:.0f}",
                    ha="center",
                    va="center",
                    fontsize=6.5,
                    color="white",
                )
            start += share
        ax.text(101, row, f"n {found.shares[task, 'other'].n}", va="center", fontsize=6.5, color=SOFT)
    ax.set_yticks(range(len(tasks)), [titles.get(t, t) for t in tasks])
    ax.set_ylim(len(tasks) - 0.5, -0.5)
    ax.set_xlim(0, 107)
    ax.set_xticks([0, 25, 50, 75, 100])
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("share of wrong answers, %")

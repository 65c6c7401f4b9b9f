"""The figure and the table of why answers are wrong, as people said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fathom.english import rounded
from fathom.pages.figures import INK, SERIES, SOFT, style
from fathom.pages.names import number_of
from fathom.pages.tables import Table, with_interval
from fathom.records import OTHER_ERROR, ErrorLabel
from fathom.review.errors import Labelled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def colors_of(labels: Sequence[ErrorLabel]) -> dict[str, str]:
    """Return the colour of each label, gray for what fits none of the others."""
    return {
        label.name: SOFT if label.name == OTHER_ERROR.name else SERIES[k % len(SERIES)]
        for k, label in enumerate(labels)
    }


def labels_table(found: Labelled, titles: Mapping[str, str], model: str) -> Table:
    """Return what people said: a row over all, and one a task, a column a label."""
    rows = []
    for task in _tasks(found, titles):
        cells = [found.shares[task, label.name] for label in found.labels]
        shown = (with_interval(c.value, c.low, c.high) for c in cells)
        rows.append((titles.get(task, task) if task else "All", *shown, str(cells[0].n)))
    notes = [
        "share of the wrong answers in % [95 % interval, clustered by scene]; an answer counts for all wrong "
        "ones of its task and kind of scene that it stands for"
    ]
    if found.unlabelled:
        notes.append(f"{number_of(found.unlabelled, 'answer has', 'answers have')} no label yet")
    if found.agreement is not None:
        notes.append(
            f"{len(found.reviewers)} reviewers; two who labeled the same answer agree in "
            f"{rounded(100 * found.agreement, 0)} % of the cases"
        )
    return Table(
        f"Why answers of {model} are wrong",
        ("", *(label.title for label in found.labels), "answers"),
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
        height = 0.35 + 0.35 * len(found.labels)
        figure = Figure(figsize=(6.6, height + 0.3 * len(tasks) + 0.5))
        (top,), (bottom,) = figure.subfigures(
            2, 1, squeeze=False, height_ratios=(height, 0.3 * len(tasks) + 0.5)
        )
        _draw_all(top.subplots(), found)
        _draw_tasks(bottom.subplots(), found, tasks, titles)
        said = f"{number_of(found.labelled, 'wrong answer')} {'is' if found.labelled == 1 else 'are'} wrong"
        top.suptitle(f"{model}: why {said}", x=0.01, ha="left", fontsize=8.5, fontweight="bold")
    return figure


def _draw_all(ax: Axes, found: Labelled) -> None:
    """Draw a bar a label, with its interval."""
    colors = colors_of(found.labels)
    for row, label in enumerate(found.labels):
        cell = found.shares["", label.name]
        low, high = 100 * (cell.low or 0.0), 100 * (cell.high or 0.0)
        ax.barh(row, 100 * (cell.value or 0.0), height=0.62, color=colors[label.name], alpha=0.9)
        ax.plot([low, high], [row, row], color=INK, linewidth=1.1)
        ax.text(
            high + 1.5, row, f"{rounded(100 * (cell.value or 0), 0)} %", va="center", fontsize=7, color=INK
        )
    ax.set_yticks(range(len(found.labels)), [label.title for label in found.labels])
    ax.set_ylim(len(found.labels) - 0.5, -0.5)
    ax.set_xlim(0, 100)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


def _draw_tasks(ax: Axes, found: Labelled, tasks: Sequence[str], titles: Mapping[str, str]) -> None:
    """Draw a bar a task, a part a label, each with its share where there is room."""
    colors = colors_of(found.labels)
    for row, task in enumerate(tasks):
        start = 0.0
        for label in colors:
            share = 100 * (found.shares[task, label].value or 0.0)
            ax.barh(row, share, left=start, height=0.66, color=colors[label])
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
        ax.text(
            101,
            row,
            f"n {found.shares[task, found.labels[-1].name].n}",
            va="center",
            fontsize=6.5,
            color=SOFT,
        )
    ax.set_yticks(range(len(tasks)), [titles.get(t, t) for t in tasks])
    ax.set_ylim(len(tasks) - 0.5, -0.5)
    ax.set_xlim(0, 107)
    ax.set_xticks([0, 25, 50, 75, 100])
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_xlabel("share of wrong answers, %")

"""How many views and frames it takes to see what answers the questions of a built 4D-Bench.

    python perf/views.py DATASET [--draws N] [--seed S]

Prints for which share of the questions the shown frames have the evidence: of the protocol's views, of those
between them, of views drawn at random, by number; and of the protocol's views by the number of frames.

Ref: 4D-Bench §5.2 (numbers of views and frames).
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from fathom.benchmarks.fourdbench.protocol import PAPER
from fathom.benchmarks.fourdbench.tasks import OFFICIAL_VIEWS
from fathom.media.sampling import sample
from fathom.pages.tables import Table, as_text
from fathom.programs.needs import met, one_time_is_enough, one_view_is_enough
from fathom.records import Question
from fathom.store.datasets import open_dataset
from fathom.store.seeds import rng

COUNTS = (1, 2, 3, 6, 12, 24)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--draws", type=int, default=20, help="choices of views for each number")
    parser.add_argument("--seed", default="0")
    args = parser.parse_args()
    dataset = open_dataset(args.dataset)
    questions = [q for q in dataset.questions() if q.evidence and q.evidence.needs]
    film = next(m for m in map(dataset.media, questions[0].media) if m.kind == "video")
    views = len(dataset.scene(questions[0].scene).cameras)
    six, every = sample(film.frames, PAPER.frames, PAPER.sampling), tuple(range(film.frames))
    between = tuple(round((k + 0.5) * views / PAPER.views) % views for k in range(PAPER.views))
    print(as_text(_needs(questions)))
    print(as_text(_fixed(questions, {"the protocol's": OFFICIAL_VIEWS, "between them": between}, six)))
    print(as_text(_drawn(questions, views, {"6": six, "all": every}, args.draws, args.seed)))
    print(as_text(_by_frames(questions, OFFICIAL_VIEWS, film.frames)))


def _share(questions: Sequence[Question], views: Sequence[int], frames: Sequence[int]) -> str:
    """Return the share of questions that these frames of these views answer, in per cent."""
    shown = dict.fromkeys(views, frames)
    right = [met(q.evidence.needs, shown) for q in questions if q.evidence]
    return f"{100 * float(np.mean(right)):.1f}"


def _needs(questions: Sequence[Question]) -> Table:
    found = [q.evidence.needs for q in questions if q.evidence]
    views = [not one_view_is_enough(n) for n in found]
    times = [not one_time_is_enough(n) for n in found]
    both = [v and t for v, t in zip(views, times, strict=True)]
    cells = [f"{100 * float(np.mean(each)):.1f}" for each in (views, times, both)]
    return Table(
        "What it takes", ("questions", "several views, %", "several times, %", "both, %"),
        ((str(len(found)), *cells),),
    )  # fmt: skip


def _fixed(
    questions: Sequence[Question], sets: Mapping[str, tuple[int, ...]], frames: tuple[int, ...]
) -> Table:
    rows = [(n, ", ".join(map(str, views)), _share(questions, views, frames)) for n, views in sets.items()]
    return Table("Three views, six frames", ("which", "views", "answered, %"), tuple(rows))


def _drawn(
    questions: Sequence[Question], views: int, frames: Mapping[str, tuple[int, ...]], draws: int, seed: str
) -> Table:
    """Return the table of views drawn for each question."""
    counts = [n for n in COUNTS if n <= views]
    rows = []
    for name, shown in frames.items():
        cells = []
        for n in counts:
            rights = []
            for draw in range(draws if n < views else 1):
                for q in questions:
                    chosen = rng(seed, "views", q.id, n, draw).choice(views, n, replace=False)
                    assert q.evidence is not None
                    rights.append(met(q.evidence.needs, {int(v): shown for v in chosen}))
            cells.append(f"{100 * float(np.mean(rights)):.1f}")
        rows.append((name, *cells))
    return Table(
        f"Views drawn at random, answered in % ({draws} draws)",
        ("frames of each", *(str(n) for n in counts)),
        tuple(rows),
    )


def _by_frames(questions: Sequence[Question], views: tuple[int, ...], length: int) -> Table:
    counts = [n for n in COUNTS if n <= length]
    cells = [_share(questions, views, sample(length, n, PAPER.sampling)) for n in counts]
    return Table(
        "The protocol's views, answered in %", ("frames of each", *map(str, counts)), (("", *cells),)
    )


if __name__ == "__main__":
    main()

"""What an error of an extractor costs in wrong questions, by dimension and rate.

    fathom build pulsecheck457 --out set --scenes 300 --renderer none
    python perf/extractor_noise.py set [--rates 0 0.02 0.05 0.1 0.2 0.4] [--figures FOLDER]

A writer by rule asks of every picture what its visual information tells: how many of a class there are, what
is there, what colour the one of its class has, in which quarter of the picture it is, and which of two is
farther to the left. It believes the information. Each question is compared with what the perfect extractor
knows: it is wrong where the answer is another one, or where it speaks of what is not there, or not alone
there. One kind of error at a time, and all at once; in per cent, with 95 % intervals clustered by picture.
The figures show the same: FOLDER/seed-bench-errors.svg each kind of error over all questions, and
FOLDER/seed-bench-confused.svg each dimension where classes are confused.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from fathom.authoring.information.noisy import NoiseRates, noisy_information, vocabulary_of
from fathom.authoring.information.perfect import described, seen_in
from fathom.authoring.information.pictures import GivenPicture, pictures_in
from fathom.authoring.information.record import SeenInstance, VisualInformation
from fathom.datasets.visible_scenes import scenes_by_cell
from fathom.pages.charts import Bar, Cell, Panel
from fathom.pages.figures import lines_figure, save_figure
from fathom.pages.tables import Table, as_text
from fathom.stats.intervals import Interval, accuracy_interval

Asked = tuple[str, tuple[str, ...]]
"""The dimension, and what is asked about."""

CLEAR = 0.02
"""How far a middle is from the edge of a quarter, or from another middle, to be told."""

KINDS = {
    "labels": "classes confused",
    "missed": "objects missed",
    "attributes": "attributes confused",
    "boxes": "boxes shaken (share of the picture)",
    "all": "classes, objects and attributes at once",
}

LINES = {
    "labels": "classes confused",
    "missed": "objects missed",
    "boxes": "boxes shaken",
    "attributes": "attributes confused",
}
"""The kinds of error that are drawn."""


def written(found: VisualInformation) -> Iterator[tuple[Asked, str]]:
    """Yield what a writer asks who knows no more than this, and what it takes for the answer."""
    counts = Counter(i.label for i in found.instances)
    single = [i for i in found.instances if counts[i.label] == 1]
    for label, n in counts.items():
        yield ("instance identity", (label,)), "there"
        yield ("instances counting", (label,)), str(n)
    for one in single:
        if color := one.attributes.get("color"):
            yield ("instance attributes", (one.label,)), color
        if where := quarter(one):
            yield ("instance location", (one.label,)), where
    for one, other in combinations(sorted(single, key=lambda i: i.label), 2):
        apart = middle(one)[0] - middle(other)[0]
        if abs(apart) >= CLEAR:
            yield ("spatial relation", (one.label, other.label)), "left" if apart < 0 else "right"


def middle(seen: SeenInstance) -> tuple[float, float]:
    """Return the middle of an object's box as shares of the picture."""
    left, top, right, bottom = seen.box
    return (left + right) / 2, (top + bottom) / 2


def quarter(seen: SeenInstance) -> str:
    """Return in which quarter of the picture an object is; "" where that is not clear."""
    x, y = middle(seen)
    if min(abs(x - 0.5), abs(y - 0.5)) < CLEAR:
        return ""
    return f"{'upper' if y < 0.5 else 'lower'} {'left' if x < 0.5 else 'right'}"


def rates_of(kind: str, rate: float, seed: str) -> NoiseRates:
    """Return the rates of one kind of error, or of all but those of boxes."""
    names = ("labels", "missed", "attributes") if kind == "all" else (kind,)
    return NoiseRates(**dict.fromkeys(names, rate), seed=seed)


def wrong_shares(pictures: Sequence[GivenPicture], kind: str, rate: float, seed: str) -> dict[str, Interval]:
    """Return which share of the questions is wrong, by dimension and of all."""
    words, rates = vocabulary_of(pictures), rates_of(kind, rate, seed)
    wrong: dict[str, list[float]] = defaultdict(list)
    places: dict[str, list[str]] = defaultdict(list)
    for picture in pictures:
        truth = dict(written(described(picture.id, seen_in(picture), "truth")))
        for asked, answer in written(noisy_information(picture, rates, words)):
            for dimension in (asked[0], "all"):
                wrong[dimension].append(float(truth.get(asked) != answer))
                places[dimension].append(picture.id)
    return {d: accuracy_interval(v, places[d]) for d, v in wrong.items()}


Found = dict[str, dict[float, dict[str, Interval]]]
"""Kind of error → rate → dimension → share of wrong questions."""


def measured(pictures: Sequence[GivenPicture], rates: Sequence[float], seed: str) -> Found:
    """Return which share of the questions is wrong, by kind of error, rate and dimension."""
    return {kind: {rate: wrong_shares(pictures, kind, rate, seed) for rate in rates} for kind in KINDS}


def tables(found: Found) -> Iterator[Table]:
    """Yield a table for each kind of error."""
    for kind, by_rate in found.items():
        rows = [
            (d, *(_cell(shares[d]) if d in shares else "–" for shares in by_rate.values()))
            for d in (*dimensions_of(by_rate), "all")
        ]
        columns = ("", *(f"{r:g}" for r in by_rate))
        yield Table(title=f"Wrong questions, %: {KINDS[kind]}", columns=columns, rows=tuple(rows))


def dimensions_of(by_rate: Mapping[float, Mapping[str, Interval]]) -> list[str]:
    """Return the dimensions of which there are questions at any rate."""
    return sorted({d for shares in by_rate.values() for d in shares} - {"all"})


def write_figures(found: Found, folder: Path) -> list[Path]:
    """Write both figures and return the SVG files."""
    confused = found["labels"]
    drawn = {
        "seed-bench-errors": (
            [_line(found[kind], "all", name) for kind, name in LINES.items()],
            "share of objects, or of the picture's side (boxes)",
        ),
        "seed-bench-confused": (
            [_line(confused, d, d) for d in dimensions_of(confused)],
            "share of objects of which the class is confused",
        ),
    }
    return [
        save_figure(lines_figure(panels, label, values="wrong questions, %"), folder / name)[0]
        for name, (panels, label) in drawn.items()
    ]


def _line(by_rate: Mapping[float, Mapping[str, Interval]], dimension: str, title: str) -> Panel:
    """Return the share of wrong questions of a dimension over the rates."""
    cells = {r: shares.get(dimension) for r, shares in by_rate.items()}
    return Panel(
        title,
        tuple(Bar(f"{100 * r:g} %", Cell(c.value, c.low, c.high)) for r, c in cells.items() if c is not None),
    )


def _cell(share: Interval) -> str:
    return f"{100 * share.value:.1f} [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--rates", type=float, nargs="+", default=[0.0, 0.02, 0.05, 0.1, 0.2, 0.4])
    parser.add_argument("--seed", default="0")
    parser.add_argument("--figures", type=Path)
    arguments = parser.parse_args()
    _, pictures = pictures_in(arguments.dataset, scenes_by_cell)
    found = measured(pictures, arguments.rates, arguments.seed)
    for table in tables(found):
        print(as_text(table), flush=True)
    if arguments.figures:
        print(*write_figures(found, arguments.figures), sep="\n")


if __name__ == "__main__":
    main()

"""How well and how fast each extractor reads: python perf/extraction.py

Prints the tables of docs/extraction.md. Labels are those of tests/extraction/labels; the real answers are
read from the samples beside $FATHOM_ASSETS (../shared/samples if not set), and left out where there are none.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.extraction.labelled import Labelled, measure, read_labels
from tests.extractors import EXTRACTORS

from fathom.benchmarks.pulsecheck457.extraction import EXTRACTOR as WITHOUT_OPTIONS

ROOT = Path(__file__).resolve().parents[1]
LABELS = ROOT / "tests" / "reading" / "labels"
HEADER = "| extractor | precision | recall | abstains | wrong | invented |\n|---|---|---|---|---|---|"


def samples() -> list[str]:
    """Return the real answers of two video models to 4D-Bench, as published; none where they are not here."""
    assets = Path(os.environ.get("FATHOM_ASSETS", ROOT.parent / "shared" / "assets"))
    file = assets.parent / "samples" / "model-outputs" / "4d-bench.jsonl"
    if not file.is_file():
        return []
    return [json.loads(line)["output"] for line in file.read_text().splitlines()]


def table(labelled: Sequence[Labelled]) -> str:
    """Return a table with a row for each extractor that reads options."""
    rows = []
    for name, extractor in EXTRACTORS.items():
        if name == WITHOUT_OPTIONS.name:
            continue
        m = measure(extractor, labelled)
        rows.append(
            f"| `{name}` | {_per_cent(m.precision)} | {_per_cent(m.recall)} | {_per_cent(m.abstention)} "
            f"| {m.wrong} | {m.invented} |"
        )
    return "\n".join([HEADER, *rows])


def speed(labelled: Sequence[Labelled]) -> str:
    """Return the CPU time of an answer, under the default extractor."""
    extractor = EXTRACTORS["fathom"]
    start = time.process_time()
    for one in labelled:
        extractor.read(one.question, one.text)
    micro = 1e6 * (time.process_time() - start) / len(labelled)
    return (
        f"{micro:.0f} µs CPU an answer ({sum(len(x.text) for x in labelled) / len(labelled):.0f} characters)"
    )


def main() -> None:
    """Print a table for each set of labels and each half of it."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter).parse_args()
    sets: dict[str, list[Labelled]] = {}
    texts = samples()
    if texts:
        real = read_labels(LABELS / "4d-bench.jsonl", texts)
        wordy = [one for one in real if len(one.text) > 60]
        for half in ("written", "held out"):
            sets[f"Real answers, {half} half"] = [one for one in real if one.half == half]
        sets["Real answers of more than 60 characters, held out half"] = [
            one for one in wordy if one.half == "held out"
        ]
    invented = [one for one in read_labels(LABELS / "invented.jsonl") if one.question.choices]
    for half in ("written", "held out"):
        sets[f"Invented hard cases, {half} half"] = [one for one in invented if one.half == half]
    sets["Cases invented after the rules"] = read_labels(LABELS / "later.jsonl")
    for title, labelled in sets.items():
        stated = sum(one.stated is not None for one in labelled)
        print(f"**{title}** ({len(labelled)}, of which {stated} state an option)\n\n{table(labelled)}\n")
    for title, labelled in sets.items():
        print(f"{title}: {speed(labelled)}")


def _per_cent(share: float) -> str:
    return "–" if share != share else f"{100 * share:.1f}"


if __name__ == "__main__":
    main()

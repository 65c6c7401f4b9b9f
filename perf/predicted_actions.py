"""What can be guessed of the actions that are to be predicted, over annotations of EPIC-KITCHENS-100.

    python perf/predicted_actions.py ANNOTATIONS [--predictions exchanged drawn] [--seeds 0 1 2] [--no-forest]

ANNOTATIONS is a CSV, or a folder that holds it, as for `fathom import seed-bench --layout annotations`. No
video is needed. For each way to find wrong options and each seed: how often each guesser of the table of
shortcuts is right, and the blind stress test's forest, in per cent with 95 % intervals by video.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from fathom.benchmarks.seedbench.videos.balancing import with_wrong_options
from fathom.benchmarks.seedbench.videos.prediction import prediction_drafts
from fathom.benchmarks.seedbench.videos.settings import VideoQuestionSettings
from fathom.benchmarks.seedbench.videos.shortcuts import shortcut_table
from fathom.benchmarks.seedbench.videos.writing import question_of
from fathom.datasets.checks import blind_table
from fathom.formats.actions.reading import read_actions
from fathom.formats.import_findings import ImportFindings
from fathom.pages.tables import as_text
from fathom.stats.blind import stress_test


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("annotations", type=Path)
    parser.add_argument("--predictions", nargs="+", choices=("exchanged", "drawn"), default=["exchanged"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0])
    parser.add_argument("--forest", action=argparse.BooleanOptionalAction, default=True)
    given = parser.parse_args()
    annotations = read_actions(given.annotations, ImportFindings())
    for predictions in given.predictions:
        for seed in given.seeds:
            settings = replace(VideoQuestionSettings(), predictions=predictions, seed=seed)
            findings = ImportFindings()
            drafts = list(prediction_drafts(annotations, settings, findings))
            asked = with_wrong_options(drafts, settings, findings)
            left = "; ".join(f"{f.reason}: {f.count:,}" for f in findings.listed())
            print(f"\npredictions={predictions} seed={seed}: {len(asked):,} questions; left out: {left}\n")
            print(shortcut_table({"right": asked}, seed), flush=True)
            if given.forest:
                print(as_text(blind_table(stress_test([question_of(one, seed, ()) for one in asked]))))


if __name__ == "__main__":
    main()

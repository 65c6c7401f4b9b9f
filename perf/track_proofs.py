"""How often the two derivations of answers about videos agree: all that can be asked of a built set.

    python perf/track_proofs.py videos                      # ten videos of each kind
    python perf/track_proofs.py videos --each 30 --only desktop

Programs for all operators, about objects by their ids and by what they are called, and those of all questions
that could be asked; counted is what the first derivation holds firm.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.truth_tracks.programs import Film, compared, programs

from fathom.benchmarks.stibench.construction import questions as recipe_for
from fathom.ground_truth.cell_files import TruthCells
from fathom.questions.contexts.video_visibility import sights_in
from fathom.questions.sampling.video import drafted
from fathom.records import Scene
from fathom.store.datasets import open_dataset
from fathom.verify.observed.video import observed_video

VERDICTS = ("agree", "differ", "cannot decide")
Found = Counter[str]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("dataset", type=Path, help="a set that `fathom build sti-bench` made")
    words.add_argument("--each", type=int, default=10, help="how many videos of each kind")
    words.add_argument(
        "--rounds", type=int, default=8, help="how many times each operator is asked about one"
    )
    words.add_argument("--only", choices=("desktop", "indoor", "outdoor"), help="videos of one kind")
    given = words.parse_args()
    dataset = open_dataset(given.dataset)
    kinds: dict[str, list[Scene]] = {}
    for scene in dataset.scenes():
        kinds.setdefault(scene.source["setting"], []).append(scene)
    print(f"{'videos':12} {'programs':22} {'agree':>7} {'differ':>7} {'cannot decide':>14}")
    every = Counter[str]()
    for kind, scenes in kinds.items():
        if given.only not in (None, kind):
            continue
        scenes = sorted(scenes, key=lambda s: s.id)[: given.each]
        by_op, of_drafts = Counter[str](), Counter[str]()
        for scene in scenes:
            one, other = _of_one(dataset.path, scene, given.rounds)
            by_op.update(one)
            of_drafts.update(other)
        every.update(by_op)
        for name, found in (("all operators", by_op), ("of drafted questions", of_drafts)):
            count = [sum(n for k, n in found.items() if k.endswith(v)) for v in VERDICTS]
            cell = f"{count[2]} ({100 * count[2] / max(sum(count), 1):.0f} %)"
            print(
                f"{f'{len(scenes)} {kind}':12} {name:22} {count[0]:7,} {count[1]:7,} {cell:>14}", flush=True
            )
    print(f"\n{'operator':20} {'agree':>7} {'differ':>7} {'cannot decide':>14}")
    for op in sorted({name.split()[0] for name in every}):
        count = [every[f"{op} {v}"] for v in VERDICTS]
        print(f"{op:20} {count[0]:7,} {count[1]:7,} {count[2]:14,}")


def _of_one(path: Path, scene: Scene, rounds: int) -> tuple[Found, Found]:
    """Return how the programs for all operators come out, and those of drafted questions."""
    recipe = recipe_for("proofs")
    with TruthCells(path / scene.truth) as cells:
        visibility = sights_in(scene, cells)
        film = Film(scene, tuple(cells.read(*at) for at in cells.cells))
    tracks, video = film.tracks(), observed_video(scene, film.cells)
    asked = [p for by_words in (False, True) for p in programs(tracks, rounds, by_words)]
    return compared(tracks, video, asked), compared(
        tracks, video, [d.program for d in drafted(scene, visibility, recipe)]
    )


if __name__ == "__main__":
    main()

"""CPU seconds for drafting everything that could be asked of a film of a built 4D-Bench.

    python perf/film_drafting.py DATASET --assets FOLDER [--films N]

Another checkout is measured beside it with PYTHONPATH; the number of candidates says whether both draft the
same. Measure on a machine that is otherwise idle.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import mean, median

from fathom.assets.animated.lexicon import lexicon_of
from fathom.benchmarks.fourdbench.films import films
from fathom.datasets.generators.animated_proofs import library_of_film
from fathom.questions.sampling.animated import offer
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.visibility_files import read_visibility_grid
from fathom.store.datasets import open_dataset


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--assets", type=Path, help="the folder of models that it was built from")
    parser.add_argument("--films", type=int, default=0, help="only so many films; 0: all")
    args = parser.parse_args()
    dataset = open_dataset(args.dataset)
    stage = str(dataset.manifest.settings.get("staging.stage", "alone"))
    library = library_of_film(dataset.manifest, args.assets) or built_in_animated()
    made = films(str(dataset.manifest.seed), library, lexicon_of(args.assets, None), stage).questions
    taken, candidates = [], 0
    for scene in [*dataset.scenes()][: args.films or None]:
        visibility = read_visibility_grid(dataset.path / "visibility" / f"{scene.id}.npz")
        begun = time.process_time()
        candidates += len(offer(scene, visibility, made).candidates)
        taken.append(time.process_time() - begun)
    print(f"{len(taken)} films, {candidates} candidates")
    print(f"CPU seconds a film: {mean(taken):.2f} (median {median(taken):.2f}, most {max(taken):.2f})")


if __name__ == "__main__":
    main()

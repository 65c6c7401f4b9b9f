"""Why what could be asked of the films of a built 4D-Bench is not: what becomes of each form's fillings.

    python perf/film_supply.py DATASET --assets FOLDER [--films N]

The candidates of every film are drafted again from what the dataset keeps, form by form. Prints for each task
and form how many films offer it, how many candidates there are, and for which reasons fillings fell out, the
commonest first; then the same reasons over everything.

Ref: docs/benchmarks/4d-bench-questions.md, "What is asked, and how much".
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fathom.assets.animated.lexicon import lexicon_of
from fathom.benchmarks.fourdbench.films import films
from fathom.datasets.generators.animated_proofs import library_of_film
from fathom.pages.tables import Table, as_text
from fathom.questions.animated_candidate import AnimatedQuestionRecipe
from fathom.questions.sampling.animated import offer
from fathom.questions.templates import Template
from fathom.records import Scene
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.visibility_files import read_visibility_grid
from fathom.store.datasets import Dataset, open_dataset

REASONS = 4
"""So many reasons are told of a form."""


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
    scenes = [*dataset.scenes()][: args.films or None]
    tried: dict[str, Counter[str]] = defaultdict(Counter)
    offers: dict[str, Counter[str]] = defaultdict(Counter)
    for form, scene, why, count in _tried(dataset, scenes, made):
        tried[form.id] += why
        offers[form.id][scene.id] += count
    for task in dict.fromkeys(f.task for f in made.forms):
        forms = [f for f in made.forms if f.task == task and tried[f.id]]
        print(as_text(_table(task, forms, tried, offers)))
    every = sum(tried.values(), Counter[str]())
    rows = tuple((reason, str(n)) for reason, n in every.most_common())
    print(as_text(Table("All fillings", ("what became of them", "fillings"), rows)))


def _tried(
    dataset: Dataset, scenes: list[Scene], made: AnimatedQuestionRecipe
) -> Iterator[tuple[Template, Scene, Counter[str], int]]:
    """Yield what became of the fillings of each form in each film, and how many candidates there are."""
    for scene in scenes:
        visibility = read_visibility_grid(dataset.path / "visibility" / f"{scene.id}.npz")
        for form in made.forms:
            lot = offer(scene, visibility, replace(made, forms=(form,)))
            yield form, scene, lot.tried, len(lot.candidates)


def _table(
    task: str, forms: list[Template], tried: dict[str, Counter[str]], offers: dict[str, Counter[str]]
) -> Table:
    rows = []
    for form in sorted(forms, key=lambda f: -sum(offers[f.id].values())):
        reasons = [(r, n) for r, n in tried[form.id].most_common() if r != "accepted"][:REASONS]
        told = ", ".join(f"{r} ({n})" for r, n in reasons)
        films_with = sum(n > 0 for n in offers[form.id].values())
        rows.append((form.id, str(films_with), str(sum(offers[form.id].values())), told))
    return Table(task, ("form", "films", "candidates", "fell out"), tuple(rows))


if __name__ == "__main__":
    main()

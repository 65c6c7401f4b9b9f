"""Build and check datasets, and what is learnt for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fathom.api.names import BENCHMARKS, Progress, benchmark_named, silent
from fathom.api.paths import takes_paths
from fathom.records import InputError

if TYPE_CHECKING:
    from fathom.datasets.findings import Checks

_TRAIN = "/train"


@takes_paths
def build_dataset(
    benchmark: str,
    out: Path,
    *,
    scenes: int = 100,
    seed: str = "0",
    assets: Path | None = None,
    renderer: str = "mitsuba",
    quality: str = "final",
    workers: int = 0,
    train_scenes: int = 0,
    settings: Mapping[str, object] | object | None = None,
    generator: str = "",
    strict: bool = False,
    progress: Progress = silent,
) -> Checks:
    """Build a dataset in `out` and return what was found about it; `train_scenes` builds a second split.

    `generator` makes the scenes: one of the benchmark's by name, or "module:attribute" of one of its kind.
    `settings` are those of the generator: its settings dataclass, or names with texts or values. Raises
    InputError, AssetError or UnfitError; started again with the same arguments it carries on.
    """
    from fathom.datasets.pipeline import build
    from fathom.datasets.requests import plan_asked
    from fathom.render.paint import QUALITIES
    from fathom.render.variants import RENDERERS

    found = benchmark_named(benchmark, general=False)
    if not found.generators:
        raise InputError(f"{benchmark}: can be imported and run, but not built")
    if scenes < 1 or train_scenes < 0:
        raise InputError(
            f"--scenes {scenes}, --train-scenes {train_scenes}: expected at least 1, and at least 0"
        )
    if seed.endswith(_TRAIN):
        raise InputError(
            f"--seed {seed}: {_TRAIN} at its end belongs to training splits; choose another seed"
        )
    for name, value, known in (("renderer", renderer, RENDERERS), ("quality", quality, tuple(QUALITIES))):
        if value not in known:
            raise InputError(f"--{name} {value}: there is {', '.join(known)}")

    # By this the other stages find the benchmark again.
    name = found.name if found.name in BENCHMARKS else benchmark
    splits = [(out, "test", scenes, seed)]
    if train_scenes:
        named = out if out.name not in ("", "..") else out.resolve()
        splits.append((named.with_name(f"{named.name}-train"), "train", train_scenes, seed + _TRAIN))
    checks = []
    for folder, split, number, its_seed in splits:
        common = {
            "out": folder, "benchmark": name, "benchmark_version": found.version, "scenes": number,
            "seed": its_seed, "split": split, "assets": assets, "renderer": renderer, "quality": quality,
            "text_reader": found.text_reader, "operators": found.operators,
            "verification": found.verification, "strict": strict,
        }  # fmt: skip
        plan = plan_asked(found, common, {} if settings is None else settings, workers, generator)
        checks.append(build(plan, workers, progress))
    return checks[0]


@dataclass(frozen=True)
class Checked:
    """What `fathom check` found, in words, and whether all of it is well."""

    text: str
    passed: bool


@takes_paths
def check_dataset(
    dataset: Path,
    *,
    blind: bool = True,
    prune: str = "",
    assets: Path | None = None,
    progress: Progress = silent,
) -> Checked:
    """Check files and records of a dataset, derive every answer again, and repeat the blind stress test.

    `prune` (50, 10%) writes verdicts that reject as many of the questions that are guessed blind most easily.
    `assets` is the folder of models that films were built from. Raises DataError for a file that was changed
    or does not validate, InputError for other models.
    """
    from fathom.datasets.generator import GENERATOR
    from fathom.datasets.recheck import recheck
    from fathom.store.datasets import open_dataset

    opened = open_dataset(dataset)
    benchmark = opened.manifest.benchmark
    built = benchmark_named(benchmark) if opened.manifest.command == "build" else None
    reader, generators = (built.text_reader, tuple(built.generators)) if built else ("", ())
    if named := opened.manifest.settings.get(GENERATOR):
        generators = (str(named), *generators)
    text, passed = recheck(opened, blind, progress, prune, assets, reader, generators)
    return Checked(text, passed)


@takes_paths
def index_assets(
    folder: Path,
    out: Path | None = None,
    *,
    animated: bool | None = None,
    lexicon: Path | None = None,
    progress: Progress = silent,
) -> str:
    """Propose a manifest for a folder of models, draw its contact sheets, and say what was found.

    Models of other formats are made into GLB first, where Blender is at hand. Whether they are `animated` is
    found out where it is not said; then `lexicon` is a file of verbs beside the project's.

    Raises AssetError where nothing can be used.
    """
    from fathom.assets.blender.converting import convert_folder
    from fathom.indexing.animated import index_animated, mostly_animated
    from fathom.indexing.still import index_folder

    converted = convert_folder(folder, progress)
    if mostly_animated(folder) if animated is None else animated:
        return index_animated(folder, out, lexicon, progress, converted)
    return index_folder(folder, out, progress, converted)


@takes_paths
def review_assets(
    folder: Path, out: Path | None = None, *, lexicon: Path | None = None, progress: Progress = silent
) -> str:
    """Write pages and a table of what is believed of a folder's animated models, and say where they are.

    Raises AssetError where the folder was not indexed.
    """
    from fathom.indexing.review_page import review

    return review(folder, out, lexicon, progress)


@takes_paths
def accept_assets(folder: Path, table: Path, *, lexicon: Path | None = None) -> str:
    """Write a folder's manifest of animated models, corrected by a reviewed table, and say what it holds.

    Raises AssetError that names the row, where something does not fit.
    """
    from fathom.indexing.review_table import accept

    return accept(folder, table, lexicon)


@takes_paths
def train_classifier(
    dataset: Path,
    verdicts: Path,
    clip: Path,
    out: Path,
    *,
    settings: Mapping[str, object] | object | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> str:
    """Train a classifier of quality on what people decided about objects, and say how good it is.

    `clip` is the folder of a CLIP model; `out` is what a build is given. Started again it carries on. Raises
    InputError where there is too little to learn from, MissingExtraError without transformers.
    """
    from fathom.curation.training import TrainingSettings
    from fathom.datasets.curating import train_on, training_text
    from fathom.settings import with_settings
    from fathom.store.datasets import open_dataset

    chosen = with_settings(TrainingSettings(), settings or {}, " of a training")
    return training_text(train_on(open_dataset(dataset), verdicts, clip, out, chosen, say))

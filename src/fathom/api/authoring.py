"""Questions that models write, and captions that people write, among those of a dataset."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fathom.api.names import BENCHMARKS, Progress, benchmark_named, silent
from fathom.api.paths import takes_paths
from fathom.named import attribute_of
from fathom.records import InputError

if TYPE_CHECKING:
    from fathom.authoring.information.extracting import ExtractionReport
    from fathom.authoring.protocol import Authoring
    from fathom.formats.import_findings import ImportReport
    from fathom.store.datasets import Dataset


@takes_paths
def extract_information(
    images: Path,
    out: Path,
    *,
    extractors: Sequence[str],
    benchmark: str = "seed-bench",
    progress: Progress = silent,
) -> ExtractionReport:
    """Make a folder of visual information of pictures, and return what came of it.

    `images` is a folder of pictures, or a dataset; `extractors` are NAME or NAME=WHAT. Questions can be
    written to the folder as to a dataset of `benchmark`. Raises InputError, or MissingExtraError.
    """
    from fathom.authoring.information.extracting import extract
    from fathom.datasets.visible_scenes import scenes_by_cell
    from fathom.datasets.vision_extractors import opened_extractors

    if not extractors:
        raise InputError("extract: expected at least one extractor; say it with --extractors")
    version = benchmark_named(benchmark).version
    return extract(
        images,
        out,
        lambda pictures: opened_extractors(extractors, pictures),
        benchmark,
        version,
        progress,
        scenes_by_cell,
    )


@takes_paths
def ask_of_pictures(images: Path, out: Path, *, benchmark: str = "seed-bench") -> tuple[int, list[str]]:
    """Write requests, one a picture, for a model that sees pictures and says what it sees in them.

    `fathom run OUT` puts them to a model, and its run is the extractor `replies=RUN` of
    `extract_information`. Returns how many requests, and a sentence for each picture left out. Raises
    InputError where there is no picture to show, or `out` holds something else.
    """
    from fathom.authoring.information.replies import ask_of_pictures

    return ask_of_pictures(images, out, benchmark, benchmark_named(benchmark).version)


@takes_paths
def write_questions(
    dataset: Path,
    work: Path,
    *,
    responses: Sequence[Path] = (),
    decisions: Sequence[Path] = (),
    settings: Mapping[str, object] | object | None = None,
    out: Path | None = None,
) -> str:
    """Go on having models write questions of a dataset, or wrong options, and say what is next.

    `work` holds requests, what came of them, and the file that people review; `responses` are runs that
    answer the requests, `decisions` what people decided on the pages of a review (files, or folders of its
    export). With `out`, the dataset and the questions that were kept become a new one. Raises
    InputError where the folder is of other work, or a review cannot be read.
    """
    from fathom.authoring.adding import with_written
    from fathom.authoring.engine import next_step
    from fathom.settings import with_settings
    from fathom.store.datasets import open_dataset

    opened = open_dataset(dataset)
    authoring = authoring_of(opened)
    told = [_decided(authoring, work, path) for path in decisions]
    chosen = with_settings(authoring.settings, settings, " of this work") if settings else None
    found = next_step(authoring, opened, work, responses, chosen)
    said = (
        "".join(f"{line}\n" for line in told)
        + f"{found.table}\n\nsteps, in their order: {', '.join(authoring.steps)}\n{found.say}"
    )
    if out is None:
        return said
    added = with_written(authoring, opened, out, found.questions)
    return f"{said}\n{out}: {added:,} questions that models wrote are among its questions"


def _decided(authoring: Authoring[Any], work: Path, path: Path) -> str:
    """Fill the review file of some work in with what people decided elsewhere; say what was new."""
    from fathom.authoring.review import FILE, read_decisions, take_decisions

    if authoring.line is None:
        raise InputError(f"--decisions {path}: nobody is asked to decide in this work; leave it out")
    decided = read_decisions(path)
    new = take_decisions(work / FILE, authoring.line, decided)
    return f"{path}: {len(decided):,} decisions, {new:,} of them new"


def authoring_of(dataset: Dataset) -> Authoring[Any]:
    """Return how questions about a dataset are written: as its own benchmark's, else as another's that fits.

    Raises InputError where none fits.
    """
    own = dataset.manifest.benchmark
    needs = []
    for name in dict.fromkeys([*([own] if own in BENCHMARKS or ":" in own else []), *BENCHMARKS]):
        for where in benchmark_named(name).authoring:
            found: Authoring[Any] = attribute_of(where)
            if found.fits(dataset):
                return found
            needs.append(found.needs)
    raise InputError(
        f"{dataset.path}: expected {', or '.join(needs)}, found a set of {own} that has none "
        "of this; give one that does"
    )


@takes_paths
def take_captions(
    dataset: Path, path: Path, out: Path, *, add: bool = False, writer: str = ""
) -> ImportReport:
    """Make a dataset in `out` with captions that people wrote or revised, and return what was left out.

    Those that were written take the place of an object's own, or stand behind them with `add`; `writer` is
    who wrote those of which the file does not say it. Raises InputError where the file is not one.
    """
    from fathom.authoring.captions.people import with_captions
    from fathom.store.datasets import open_dataset

    return with_captions(open_dataset(dataset), path, out, "add" if add else "replace", writer)

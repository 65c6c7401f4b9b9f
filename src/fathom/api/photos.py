"""A dataset of photographs: people write its questions in the forms of a benchmark."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fathom.api.exchange import import_dataset
from fathom.api.names import benchmark_named
from fathom.api.paths import takes_paths
from fathom.api.review_sources import ReviewPlan
from fathom.api.reviewing import Review, begin_review, is_review, open_review
from fathom.api.scoring import Say, unheard
from fathom.records import InputError

REVIEW, WRITTEN, SETS = "review", "written", "sets"
"""In OUT: what people write in, what they wrote, and the datasets of it, numbered from 1."""


@dataclass(frozen=True)
class PhotosBuilt:
    """What became of photographs, in words; tokens of new links by name, and the dataset that was made."""

    text: str
    links: Mapping[str, str] = field(default_factory=dict)
    dataset: Path | None = None


@takes_paths
def build_from_photos(
    benchmark: str,
    photos: Path,
    out: Path,
    *,
    people: Sequence[str] = (),
    instances: Path | None = None,
    say: Say = unheard,
) -> PhotosBuilt:
    """Prepare a folder of photographs for people to write questions about; later make a dataset of these.

    The first call makes OUT/review with every photograph in every form of the benchmark. A call when
    something was written makes OUT/sets/N of it, unless nothing is new. `instances` are COCO's, offered to
    people as words and marks; `say` is told of what cannot be used. Raises InputError where the benchmark has
    no forms, or there is no photograph.
    """
    if not benchmark_named(benchmark).written_forms:
        raise InputError(f"--photos: {benchmark} has no forms in which people write questions")
    work = out / REVIEW
    if not is_review(work):
        return _begun(benchmark, photos, work, tuple(people), instances, say)
    review = open_review(work)
    if review.plan.source.resolve() != photos.resolve():
        raise InputError(f"--photos {photos}: {work} is about {review.plan.source}; give another --out")
    links = {name: review.add(name) for name in people if name not in {p.name for p in review.store.people()}}
    if not any(label == "written" for said in review.results().labels.values() for label in said.values()):
        return PhotosBuilt(f"{work}: no question is written yet; its pages: fathom review {work}", links)
    return _made(benchmark, review, out, links)


def _begun(
    benchmark: str, photos: Path, work: Path, people: tuple[str, ...], instances: Path | None, say: Say
) -> PhotosBuilt:
    plan = ReviewPlan(
        photos, "forms", work, people or ("person 1",), benchmark=benchmark, instances=instances
    )
    review, links = begin_review(plan, say)
    items = list(review.store.items())
    shown, forms = {i.about for i in items}, {i.group for i in items}
    known = len({i.about for i in items if i.offered})
    help_ = f"; of {known:,} the objects are known" if instances else ""
    return PhotosBuilt(
        f"{work}: {len(shown):,} photographs, each in {len(forms)} forms{help_}\n"
        f"next: fathom review {work} serves the pages; when questions are written, start this command again",
        links,
    )


def _made(benchmark: str, review: Review, out: Path, links: Mapping[str, str]) -> PhotosBuilt:
    files = {path.name: path for path in review.export(out / WRITTEN)}
    made = sorted((int(p.name), p) for p in (out / SETS).glob("*") if p.name.isdigit())
    place = out / SETS / str(made[-1][0] + 1 if made else 1)
    report = import_dataset(benchmark, files["questions.jsonl"], place, media=review.plan.source)
    if made and _identity(made[-1][1]) == _identity(place):
        shutil.rmtree(place)
        place = made[-1][1]
    said = [review.status(), "", str(report), f"{place}: the dataset of what is written so far"]
    said.append(f"next: fathom review {place} --task verify --out {out}/checked has it reviewed by others")
    return PhotosBuilt("\n".join(said), links, place)


def _identity(dataset: Path) -> str:
    from fathom.store.datasets import open_dataset

    return open_dataset(dataset).manifest.identity

"""Answers about films derived again, from what a dataset keeps of them and the models that they show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from fathom.assets.animated.library import AnimatedLibrary
from fathom.assets.animated.manifest import manifest_in
from fathom.authoring.captions.book import asks_for_captions, read_book, wrong_captions
from fathom.authoring.captions.claims import Caption
from fathom.datasets.generator import NO_MODELS, Again, AnswerPair
from fathom.datasets.generators.animated_library import clips_left_out
from fathom.datasets.generators.animated_motions import motion_library_of
from fathom.datasets.generators.animated_settings import library_of
from fathom.ground_truth.cell_files import TruthCells
from fathom.programs.engine import run
from fathom.programs.views.animated import animated_view
from fathom.records import InputError, Manifest, Question, Scene
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.visibility_files import read_visibility_grid
from fathom.store.datasets import Dataset
from fathom.verify.engine import derived_text
from fathom.verify.observed.animation import observed_animation

VISIBILITY_FOLDER = "visibility"
"""Where a dataset keeps what the first derivation saw of each film."""


_MODEL = "model:"


def library_of_film(manifest: Manifest, assets: Path | None) -> AnimatedLibrary | None:
    """Return the actors of a dataset's films, None where their models are not at hand.

    Raises InputError where `assets` has not all of them, or other ones of their names.
    """
    wanted = {k.removeprefix(_MODEL): v for k, v in manifest.inputs.items() if k.startswith(_MODEL)}
    if assets is None:
        known = built_in_animated()
        fits = {a.name: a.sha256 for a in known.assets}.items() >= wanted.items()
        return known if fits else None
    others = tuple((a.name, "") for a in manifest_in(assets).assets if a.name not in wanted)
    library = library_of(assets, others)
    # A model without the clips that a build leaves out, since they hardly move, has another hash.
    less = tuple(a.name for a in library.assets if a.sha256 != wanted[a.name])
    if less and (clips := clips_left_out(assets, less)):
        library = library_of(assets, (*others, *clips))
    found = {a.name: a.sha256 for a in library.assets}
    for name, sha256 in wanted.items():
        if found.get(name) != sha256:
            what = "not there" if name not in found else f"another one ({found[name][:12]}…)"
            raise InputError(
                f"{assets}: the model {name} of the dataset ({sha256[:12]}…) is {what}; name the folder that "
                "it was built from"
            )
    return library


def derivation(dataset: Dataset, assets: Path | None) -> Again:
    """Return what derives the answers about films again; without their models only from the record.

    Raises InputError where `assets` are other models than those of the dataset.
    """
    library = library_of_film(dataset.manifest, assets)

    def again(scene: Scene, asked: Sequence[Question]) -> Iterator[AnswerPair]:
        first = from_the_record(dataset, scene, asked)
        if library is None:
            yield from (AnswerPair(answer, None, NO_MODELS) for answer in first)
            return
        second = from_the_cells(dataset, scene, asked, library)
        yield from (AnswerPair(a, b) for a, b in zip(first, second, strict=True))

    return again


def from_the_record(dataset: Dataset, scene: Scene, asked: Sequence[Question]) -> list[str]:
    """Return the answers that the first derivation gives, from record and stored play; "" for none."""
    timeline = animated_view(
        scene, read_visibility_grid(dataset.path / VISIBILITY_FOLDER / f"{scene.id}.npz")
    )
    return [_text(q, run(q.program, timeline).answer or "") for q in asked]


def checked_captions(dataset: Dataset, asked: Sequence[Question]) -> Iterator[tuple[str, list[str] | None]]:
    """Yield each caption of built objects, and what the second check finds wrong with it.

    That is None for captions of a dataset from before claims were kept, and for what people wrote.
    """
    book = read_book(dataset.path)
    by_object: dict[str, dict[str, Caption]] = {}
    for caption in book.captions if book else ():
        by_object.setdefault(caption.object, {})[caption.text] = caption
    for q in asked:
        if book is None or not asks_for_captions(q):
            yield from ((text, None) for text in q.references)
            continue
        scene = dataset.scene(q.scene)
        visibility = read_visibility_grid(dataset.path / VISIBILITY_FOLDER / f"{scene.id}.npz")
        found = dict(wrong_captions(q, by_object.get(q.scene, {}), scene, book.lexicon, visibility))
        yield from ((text, found.get(text)) for text in q.references)


def from_the_cells(
    dataset: Dataset, scene: Scene, asked: Sequence[Question], library: AnimatedLibrary
) -> list[str | None]:
    """Return the answers that the second derivation gives, "" for none, None where it cannot decide."""
    with TruthCells(dataset.truth_path(scene)) as cells:
        film = observed_animation(scene, cells, motion_library_of(scene, library))
    found = [derived_text(q.program, film) for q in asked]
    return [None if key is None else _text(q, key) for q, key in zip(asked, found, strict=True)]


def _text(question: Question, key: str) -> str:
    """Return the choice that a key stands for: they follow one another alike."""
    keys = question.program[-1].args
    return question.choices[keys.index(key)] if key in keys else key

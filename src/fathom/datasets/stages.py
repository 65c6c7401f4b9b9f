"""The work on one scene, each stage a function that any process can do, and that leaves its part on disk.

A part is written last and whole: where it exists, the stage is done and is not done again.
"""

from __future__ import annotations

from typing import Any

import msgspec

from fathom.datasets.generator import made_by
from fathom.datasets.plan import DRAWN, PICTURES, PROOFS, SCENES, AnyPlan
from fathom.datasets.proofs import Proof, ScenePart, ScenePictures
from fathom.datasets.texts import texts_read
from fathom.records import Media
from fathom.render.variants import Engine
from fathom.store.files import read_json, write_json


def draw(plan: AnyPlan, index: int) -> int:
    """Draw scene `index` and look whether it may stay. Returns its index."""
    write_json(plan.part(DRAWN, index), made_by(plan).drawn(plan, index))
    return index


def read_drawn(plan: AnyPlan, index: int) -> Any:
    """Return what came of drawing a scene."""
    return read_json(plan.part(DRAWN, index), made_by(plan).drawn_type)


def observe(plan: AnyPlan, index: int) -> int:
    """Make scene `index`: its world, its truth, and what can be asked. Returns its index."""
    generator = made_by(plan)
    scene = read_drawn(plan, index).scene if generator.curates else generator.draw(plan, index)
    write_json(plan.part(SCENES, index), generator.observe(plan, index, scene))
    return index


def read_scene(plan: AnyPlan, index: int) -> ScenePart[Any]:
    """Return a scene that is done."""
    found: ScenePart[Any] = read_json(plan.part(SCENES, index), made_by(plan).part_type)
    return found


def offer(plan: AnyPlan, index: int) -> tuple[int, Any]:
    """Return all that a scene offers to ask, and its index."""
    return index, made_by(plan).offers(plan, read_scene(plan, index))


def prove(plan: AnyPlan, work: tuple[int, Any]) -> int:
    """Write the questions chosen for a scene, and derive each answer a second time. Returns its index."""
    index, chosen = work
    part = read_scene(plan, index)
    proof = made_by(plan).prove(plan, part, chosen)
    texts = texts_read(plan.text_reader, part.scene, proof.questions)
    write_json(plan.part(PROOFS, index), msgspec.structs.replace(proof, texts=texts))
    return index


def read_proof(plan: AnyPlan, index: int) -> Proof:
    """Return the questions of a scene that is proved."""
    return read_json(plan.part(PROOFS, index), Proof)


def paint(plan: AnyPlan, engine: Engine, work: tuple[int, bool]) -> int:
    """Paint what is shown of a scene that is done, of some all frames. Returns its index."""
    index, whole = work
    media = made_by(plan).paint(plan, read_scene(plan, index), engine, whole)
    write_json(plan.part(PICTURES, index), ScenePictures(media=media))
    return index


def read_media(plan: AnyPlan, index: int) -> tuple[Media, ...]:
    """Return the media of a scene whose pictures are done."""
    return read_json(plan.part(PICTURES, index), ScenePictures).media

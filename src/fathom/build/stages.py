"""The work on one scene, each stage a function that any process can do, and that leaves its part on disk.

A part is written last and whole: where it exists, the stage is done and is not done again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fathom.build.plan import Plan, library_of, light_for, recipe_of
from fathom.build.questions.asking import Candidate, Lot
from fathom.build.questions.making import deeper, offer, write
from fathom.build.questions.selection import Chosen, blocks
from fathom.build.render.lights import light_of
from fathom.build.render.paint import paint
from fathom.build.render.tone import png
from fathom.build.render.variants import Engine
from fathom.build.texts import texts_read
from fathom.build.truth.evidence import witnesses
from fathom.build.truth.files import read_truth, write_truth
from fathom.build.truth.second import derive
from fathom.build.truth.trace import trace
from fathom.build.worlds.placing import models_of
from fathom.build.worlds.scatter import draw_scene
from fathom.media.outlines import outlines_of
from fathom.records import Environment, Media, Outline, Question, Record, Scene, TextReading
from fathom.store.files import read_json, sha256_file, write_bytes, write_json


class ScenePart(Record, frozen=True, kw_only=True):
    """A scene that is done: the record, where its things are in the picture, and what could be asked."""

    scene: Scene
    outlines: tuple[Outline, ...]
    truth_sha256: str
    candidates: tuple[Candidate, ...]
    tried: dict[str, int]

    @property
    def lot(self) -> Lot:
        """What the scene offers, as selection takes it."""
        return Lot(self.scene.id, self.candidates, Counter(self.tried))


def make_scene(plan: Plan, lights: Sequence[Environment], index: int) -> str:
    """Make scene `index`: world, truth and candidates. Returns its id."""
    library = library_of(plan.assets)
    scene = draw_scene(index, plan.seed, library, plan.world, light_for(plan.seed, lights))
    truth = trace(scene, models_of(scene, library))
    write_truth(plan.out / scene.truth, truth)
    names = tuple(t.id for t in scene.things)
    recipe = recipe_of(plan.construct, plan.seed, plan.rules, plan.assets)
    block = next(b for b in blocks(plan.scenes, recipe.block) if index in b)
    lot = offer(scene, deeper(recipe, len(block)))
    part = ScenePart(
        scene=scene,
        outlines=tuple(outlines_of(truth.ids, names, scene.id)),
        truth_sha256=sha256_file(plan.out / scene.truth),
        candidates=lot.candidates,
        tried=dict(lot.tried),
    )
    write_json(plan.scene_part(scene.id), part)
    return scene.id


def read_scene(plan: Plan, name: str) -> ScenePart:
    """Return a scene that is done."""
    return read_json(plan.scene_part(name), ScenePart)


class Proof(Record, frozen=True, kw_only=True):
    """The questions of a scene, what the last check of each found, what the pixels answer, and whether the
    words of each mean its program.
    """

    questions: tuple[Question, ...]
    found: dict[str, int]
    second: dict[str, str | None]
    texts: dict[str, TextReading] = {}


def prove(plan: Plan, work: tuple[Scene, tuple[Chosen, ...]]) -> str:
    """Write the questions chosen for a scene, and derive each answer a second time. Returns its id."""
    scene, _ = work
    questions, found = write(work, recipe_of(plan.construct, plan.seed, plan.rules, plan.assets))
    seen = witnesses(read_truth(plan.out / scene.truth))
    second = {q.id: derive(q.program, scene, seen, plan.rules) for q in questions}
    texts = texts_read(plan.text_reader, scene, questions)
    proof = Proof(questions=tuple(questions), found=dict(found), second=second, texts=texts)
    write_json(plan.proof_part(scene.id), proof)
    return scene.id


def read_proof(plan: Plan, name: str) -> Proof:
    """Return the questions of a scene that is proved."""
    return read_json(plan.proof_part(name), Proof)


def make_picture(plan: Plan, engine: Engine, name: str) -> str:
    """Paint a scene that is done. Returns its id."""
    scene = read_scene(plan, name).scene
    light = light_of(scene.environment, plan.environment)
    pixels = paint(scene, models_of(scene, library_of(plan.assets)), light, engine, plan.quality)
    path = f"media/{name}.png"
    write_bytes(plan.out / path, png(pixels))
    height, width, _ = pixels.shape
    media = Media(
        id=name,
        path=path,
        kind="image",
        size=(width, height),
        sha256=sha256_file(plan.out / path),
        scene=name,
    )
    write_json(plan.picture_part(name), media)
    return name

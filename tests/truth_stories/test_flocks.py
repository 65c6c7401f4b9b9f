"""Several objects alike in one file are one film, and are counted: by what hangs together, and by gaps."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import pytest

from fathom.assets.animated.library import AnimatedLibrary, asset_of
from fathom.assets.animated.manifest import AnimatedEntry, AnimatedManifest, ClipEntry
from fathom.benchmarks.fourdbench.construction import templates
from fathom.benchmarks.fourdbench.sentences import read_text
from fathom.benchmarks.fourdbench.words import LANGUAGE, VERBS
from fathom.datasets.generators.animated_motions import motion_library_of
from fathom.ground_truth.cells import cells_of
from fathom.programs.engine import run
from fathom.programs.needs import needs_of, one_view_is_enough
from fathom.programs.views.animated import AnimatedView, animated_view
from fathom.questions.contexts.animated import AnimatedContext
from fathom.records import Animation, AssetRef, Environment, Question, Scene, SceneObject
from fathom.scenes.pieces import bodies_of
from fathom.scenes.scene_at_time import limbs_of, model_at, models_at
from fathom.scenes.visibility_grids import grid_of, visibility_grid_of
from fathom.verify.engine import derived_text
from fathom.verify.observed.animation import ObservedAnimation, observed_animation
from tests.animated.moving_gltf import clip, primitive
from tests.assets.tiny_gltf import POINTS, Tiny, f4, wedge
from tests.truth_stories.test_pieces import CUBE, SHELL
from tests.truth_stories.yard import FPS, VIEWS, Shots, at, close_up, program

PLACES = ((0.0, 3.0, 0.0), (9.0, 2.0, 4.0), (-8.0, 3.5, 5.0), (3.0, 4.0, -9.0), (-6.0, 2.5, -7.0))
FRAMES = 8


def flock(skinned: bool) -> Tiny:
    """Return a file of five birds, each with a node, or a skeleton, of its own, which rise in turn."""
    tiny = wedge()
    birds = [{"name": f"bird {k}", "translation": list(p)} for k, p in enumerate(PLACES)]
    if not skinned:
        tiny.json["nodes"] = [b | {"mesh": 0} for b in birds]
    else:
        primitive(tiny)["attributes"] |= {
            "JOINTS_0": tiny.add(np.zeros((len(POINTS), 4), np.uint8)),
            "WEIGHTS_0": tiny.add(np.tile(f4([1, 0, 0, 0]), (len(POINTS), 1))),
        }
        bind = tiny.add(np.eye(4, dtype=np.float32).reshape(1, 16))
        tiny.json["skins"] = [{"joints": [k], "inverseBindMatrices": bind} for k in range(len(birds))]
        tiny.json["nodes"] = [
            *birds,
            *({"name": f"skin {k}", "mesh": 0, "skin": k} for k in range(len(birds))),
        ]
    tiny.json["scenes"] = [{"nodes": [*range(len(tiny.json["nodes"]))]}]
    rise = [[0, 0, 0], [0, 1.0, 0], [0, 0, 0]]
    tracks = [(k, "translation", [0, 0.3 + 0.1 * k, 1], f4(rise) + f4(p)) for k, p in enumerate(PLACES)]
    return clip(tiny, "Fly", *tracks)


def filmed(folder: Path, skinned: bool) -> tuple[Scene, AnimatedView, ObservedAnimation]:
    """The flock, as both derivations know it."""
    flock(skinned).write(folder / "flock.gltf")
    entry = AnimatedEntry(
        file="flock.gltf", name="flock", noun="flock of birds", category="animal", size_m=2.0, reviewed=True,
        clips=(ClipEntry(name="Fly", verb="fly", end_s=1.0, duration_s=1.0, loops=True),),
    )  # fmt: skip
    asset = asset_of(folder, entry, AnimatedManifest(name="made", assets=(entry,)))
    library = AnimatedLibrary("made", (asset,))
    actor = SceneObject(
        id="actor", category=asset.category, subtype=asset.noun, size_m=asset.extents_m,
        poses=(at(0.0, 0.0),), asset=AssetRef(name=asset.name, sha256=asset.sha256),
        attributes={"name": asset.noun},
        animations=(Animation(clip="Fly", start_s=0, end_s=FRAMES / FPS, loop=True, verb="fly"),),
    )  # fmt: skip
    scene = Scene(
        id="f1" * 16, generator="stories", version="1", seed="flock", objects=(actor,),
        cameras=close_up(asset.extents_m, 256), environment=Environment(name="white"),
        times_s=tuple(k / FPS for k in range(FRAMES)),
    )  # fmt: skip
    grid, models = grid_of(FRAMES), partial(models_at, scene, library)
    view = animated_view(scene, visibility_grid_of(scene, models, grid, limbs_of(scene, library)))
    stance = model_at(actor, library, 0.0)
    assert stance is not None
    seen = [c for f in grid for c in cells_of(scene, models(f), f, range(VIEWS), {actor.id: stance}, 1500)]
    shots = Shots({(c.view, c.frame): c for c in seen})
    return scene, view, observed_animation(scene, shots, motion_library_of(scene, library))


@pytest.mark.parametrize("skinned", [False, True])
def test_the_birds_of_a_flock_are_counted_and_the_words_ask_for_them(tmp_path: Path, skinned: bool) -> None:
    scene, view, observed = filmed(tmp_path, skinned)
    form = next(f for f in templates() if f.id == "counting.bodies")
    (birds,) = AnimatedContext(scene, view, LANGUAGE, VERBS).fills(form.slots["N"])
    assert birds.key == "birds"
    steps = program("bodies|birds", "3", "4", "5", "6")
    found = run(steps, view)
    assert (found.answer, derived_text(steps, observed)) == ("5", "5") and found.least.ratio >= 1
    needs = needs_of(steps, found, view)
    assert all(n.cells for n in needs) and not one_view_is_enough(needs)
    for text in form.texts:
        asked = Question(
            id="q", task=form.task, text=text.replace("{N}", "birds"), answer="5",
            choices=("3", "4", "5", "6"), program=steps,
        )  # fmt: skip
        assert read_text(asked, scene).verdict == "agree"
        assert read_text(replace_text(asked, "birds", "fish"), scene).verdict != "agree"
    px = view.visibility.piece_px
    assert px is not None
    fewer = replace(view.visibility, pieces=view.visibility.pieces[1:], piece_px=px[:, :, 1:])
    assert run(steps, replace(view, visibility=fewer)).answer == "4" != derived_text(steps, observed)


def replace_text(question: Question, word: str, other: str) -> Question:
    return msgspec.structs.replace(question, text=question.text.replace(word, other))


def of_cubes(starts: list[float], sizes: list[float]) -> set[int] | None:
    """Return as which objects cubes in a row are counted, None where they are not."""
    points = np.concatenate([CUBE * s + np.array([x, 0, 0]) for x, s in zip(starts, sizes, strict=True)])
    found = bodies_of(points, np.concatenate([SHELL + 8 * k for k in range(len(starts))]))
    return None if found is None else set(found.tolist())


def test_only_what_lies_apart_and_is_alike_is_several_objects() -> None:
    assert of_cubes([0, 2, 4], [1, 1, 1]) == {0, 1, 2}
    assert of_cubes([0], [1]) is None
    assert of_cubes([0, 2, 4], [1, 1, 0.5]) is None, "a body with two hands that hover"
    assert of_cubes([0, 1.01, 4, 5.01], [1, 1, 1, 1]) == {0, 1}, "a body and its head"
    assert of_cubes([0, 1.1, 4], [1, 1, 1]) is None, "two or three: nobody can say"

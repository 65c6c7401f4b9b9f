"""What an actor could do and plainly does not: what others with such a body do, and no clip shows."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import numpy as np

from fathom.assets.animated.lexicon import read_lexicon
from fathom.assets.animated.library import AnimatedLibrary
from fathom.benchmarks.fourdbench.rivals import _able, rivals_of
from fathom.records import Scene
from fathom.scenes.actions import shown_clips
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.designs import SceneDraft
from fathom.scenes.scene_at_time import Staging
from fathom.scenes.visibility_grids import _middles

LEXICON = read_lexicon().by_key


def showing(scene: Scene, *clips: str) -> Scene:
    """Return a scene whose actor plays these clips."""
    actor = scene.objects[0]
    acts = tuple(msgspec.structs.replace(actor.animations[0], clip=c) for c in clips)
    return msgspec.structs.replace(scene, objects=(msgspec.structs.replace(actor, animations=acts),))


def test_others_with_such_a_body_do_what_it_could_do(library: AnimatedLibrary) -> None:
    find = rivals_of(library, LEXICON)
    for k in range(4):
        scene = draw_animated_scene(k, "rivals", library, Staging(views=4))
        asset = library.asset(scene.objects[0].asset.name)
        own = {c.verb for c in shown_clips(asset)}
        found = find(scene)
        assert not own & {*found} and {*found} <= LEXICON.keys()
        if not any(n.endswith("arm") for n in asset.limbs):
            assert not {"wave", "punch"} & {*found}
        if not any(n.endswith("leg") for n in asset.limbs):
            assert not {"walk", "kick"} & {*found}


def test_no_animal_does_what_takes_the_hands_of_people(library: AnimatedLibrary) -> None:
    robot = library.asset("Robot")
    beast = replace(robot, category="dinosaur")
    assert _able(robot, robot, LEXICON["punch"]) and _able(beast, beast, LEXICON["punch"])
    assert not _able(beast, robot, LEXICON["punch"]) and not _able(robot, beast, LEXICON["punch"])
    assert _able(beast, robot, LEXICON["nod"]), "a head nods on any body"


def test_what_a_clip_of_the_film_looks_like_is_no_rival(library: AnimatedLibrary) -> None:
    asset = library.asset("Robot")
    others = AnimatedLibrary(library.name, tuple(a for a in library.assets if a.name != "Robot"))
    known = {v for a in others.assets for c in shown_clips(a) if (v := c.verb)}
    one = next(s for k in range(12) if (s := draw_animated_scene(k, "rivals", library, Staging(views=4)))
               .objects[0].asset.name == "Robot")  # fmt: skip
    find = rivals_of(library, LEXICON)
    still = {*find(showing(one))}
    assert still <= known
    for clip in asset.clips:
        assert {*find(showing(one, clip.name))} <= still


def test_what_follows_in_a_film_is_unlike_what_was_before(drafts: tuple[SceneDraft, ...]) -> None:
    many = 0
    for acts in (d.actor.animations for d in drafts):
        verbs = [a.verb for a in acts if a.verb in LEXICON]
        many += len(verbs) > 1
        assert not [(a, b) for a in verbs for b in verbs if b in LEXICON[a].alike]
    assert many > 3


def test_the_middle_of_a_surface_does_not_hang_on_how_finely_it_is_meshed() -> None:
    flat = np.array([[[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 0, 3], [4, 0, 3], [0, 4, 3]]], dtype=np.float64)
    a, b, c = flat[1]
    ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
    finer = np.array([flat[0], [a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]])
    coarse, fine = _middles(flat, np.zeros(2, np.int64), 2), _middles(finer, np.zeros(5, np.int64), 2)
    assert np.allclose(coarse[0], fine[0]) and np.allclose(coarse[0], [4 / 3, 4 / 3, 1.5])
    assert np.isnan(coarse[1]).all()

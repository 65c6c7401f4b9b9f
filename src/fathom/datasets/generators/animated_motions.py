"""What the second derivation may look up of a story's actor: its clips, limbs and shape, whatever it does."""

from __future__ import annotations

import numpy as np

from fathom.assets.animated.library import AnimatedLibrary
from fathom.assets.gltf.moving import Towards
from fathom.assets.model import Points
from fathom.records import Scene
from fathom.scenes.edits import edited
from fathom.scenes.paint import with_paint
from fathom.scenes.scene_at_time import limbs_of, model_at
from fathom.verify.observed.motion_library import MotionClip, MotionLibrary


def motion_library_of(scene: Scene, library: AnimatedLibrary) -> MotionLibrary | None:
    """Return the repertoire of a story's actor as it is edited; None where there is none at the beginning.

    Its stance is that of the film's first frame, as the rest positions of the truth are.
    """
    actor = scene.objects[0]
    asset = library.asset(actor.asset.name)
    stance = model_at(actor, library, scene.times_s[0])
    if stance is None:
        return None
    starts = np.cumsum([0] + [len(p.vertices) for p in stance.parts])[:-1]

    def posed(clip: str, time_s: float, towards: Towards | None = None) -> Points:
        model = with_paint(asset.model_at(clip, time_s, towards), actor.asset.edits, asset)
        return np.concatenate([p.vertices for p in model.parts])

    def mixed(clip: str, time_s: float, other: str, other_s: float, share: float) -> Points:
        return posed(clip, time_s, Towards(other, other_s, share))

    limbs = limbs_of(scene, library)[actor.id]
    shape = edited(asset.model_at("", 0.0), actor.asset.edits, asset)
    parts = tuple(dict.fromkeys(p.name for p in shape.parts))
    return MotionLibrary(
        routines=tuple(MotionClip(c.name, c.verb, c.start_s, c.end_s, c.loops) for c in asset.clips),
        limbs=limbs.names,
        limb_of_vertex=np.concatenate(limbs.of_vertex).astype(np.int64),
        faces=np.concatenate([p.faces + s for p, s in zip(shape.parts, starts, strict=True)]),
        stance_m=np.concatenate([p.vertices for p in stance.parts]),
        posed=posed,
        mixed=mixed,
        parts=parts,
        part_of_face=np.repeat(
            [parts.index(p.name) for p in shape.parts], [len(p.faces) for p in shape.parts]
        ),
    )

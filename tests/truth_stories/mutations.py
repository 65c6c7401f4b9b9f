"""Faults planted in the record of the yard: each is something that its cells do not show."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fathom.geometry.poses import pose_at
from fathom.programs.views.animated import AnimatedView
from fathom.records import SceneObject
from tests.truth_stories.yard import Change, event, looking, moved_to, mutated, told, with_events, yard


def _other_way(actor: SceneObject) -> SceneObject:
    """Going back instead of ahead, and turning right instead of left."""
    poses = [pose_at(actor.poses, f) for f in range(len(actor.poses))]
    back = tuple(
        msgspec.structs.replace(
            p,
            position_m=(-p.position_m[0], p.position_m[1], p.position_m[2]),
            rotation_wxyz=(p.rotation_wxyz[0], 0.0, 0.0, -p.rotation_wxyz[3]),
        )
        for p in poses
    )
    return msgspec.structs.replace(actor, poses=back)


def _other_deeds(actor: SceneObject) -> SceneObject:
    """The same clips, in the other order."""
    one, other = actor.animations
    first = msgspec.structs.replace(other, start_s=0.0, end_s=other.end_s - other.start_s)
    second = msgspec.structs.replace(one, start_s=first.end_s, end_s=other.end_s)
    return msgspec.structs.replace(actor, animations=(first, second))


def _one_leg(actor: SceneObject) -> SceneObject:
    asset = msgspec.structs.replace(actor.asset, edits=("remove:left leg",))
    return msgspec.structs.replace(actor, asset=asset)


def _let_go(sword: SceneObject) -> SceneObject:
    kept = {k: v for k, v in sword.attributes.items() if k != "held_in"}
    return msgspec.structs.replace(sword, attributes=kept)


def _other_parts(actor: SceneObject) -> SceneObject:
    parts = {**actor.parts, "chest": {"color": "black", "word": "chest"}}
    return msgspec.structs.replace(actor, parts=parts, events=(event("recolours", 10, "body=blue"),))


MUTATIONS: Mapping[str, Mapping[str, Change]] = {
    "times": {
        "prop2": with_events(event("recolours", 2, "blue")),
        "prop3": with_events(),
        "prop4": with_events(event("appears", 38)),
        "prop5": with_events(event("swaps", 20, "bucket")),
    },
    "deeds": {"actor": _other_deeds},
    "ways": {"actor": _other_way},
    "limbs": {"actor": _one_leg},
    "positions": {
        "prop1": moved_to(1.4, -2.6),
        "prop2": moved_to(0.5, -3.9),
        "prop4": moved_to(-3.5, -2.0),
        "prop7": moved_to(2.2, -1.4),
    },
    "looks": {
        "actor": _other_parts,
        "worn0": looking(worn_on="back"),
        "worn1": looking(held_in="right hand"),
        "prop2": lambda t: looking(color="brown")(with_events(event("recolours", 26, "green"))(t)),
        "prop3": looking(color="red"),
        "prop6": looking(name="ball", color="red"),
    },
    "numbers": {"worn1": _let_go},
}


def wrong(name: str) -> AnimatedView:
    """Return what the record with a fault tells; where it only says other words, it shows the same."""
    record = mutated(yard(), MUTATIONS[name])
    return told(record, yard() if name in ("looks", "numbers") else None)

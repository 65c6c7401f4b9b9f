"""Objects made by hand and by chance, as the builder of stories would record them."""

from __future__ import annotations

import math

from fathom.authoring.captions.english import CaptionLexicon, VerbForms
from fathom.geometry.poses import yaw_quaternion
from fathom.geometry.views import orbit
from fathom.records import Animation, AssetRef, Environment, Event, Pose, Scene, SceneObject
from fathom.store.seeds import rng, short_hash

FRAMES, FPS = 48, 12

LEXICON = CaptionLexicon(
    verbs={
        "gallop": VerbForms("gallops", "galloping"),
        "eat": VerbForms("eats", "eating"),
        "sit down": VerbForms("sits down", "sitting down"),
        "attack": VerbForms("attacks", "attacking"),
        "jump": VerbForms("jumps", "jumping"),
        "stir": VerbForms("moves a little", "moving a little"),
    },
    plurals={"cactus": "cacti"},
)
COLORS = ("red", "blue", "orange", "yellow", "gray", "")
PROPS = ("crate", "cone", "ball", "cactus", "wolf", "gift box", "fox")
PLACES = {
    "front": (2.0, 0.0),
    "behind": (-2.0, 0.1),
    "left": (0.0, 2.0),
    "right": (0.2, -2.0),
    "": (1.5, 1.5),
}


def pose(x: float = 0.0, y: float = 0.0, heading: float = 0.0, valid: bool = True) -> Pose:
    return Pose(position_m=(x, y, 0.0), rotation_wxyz=yaw_quaternion(heading), valid=valid)


def obj(
    name: str,
    noun: str,
    color: str = "",
    *,
    poses: tuple[Pose, ...] = (),
    acts: tuple[str, ...] = (),
    events: tuple[Event, ...] = (),
    edits: tuple[str, ...] = (),
    parts: dict[str, dict[str, str]] | None = None,
    **attributes: str,
) -> SceneObject:
    """Return an object; `acts` share the film's time evenly, and one that begins with "-" plays backwards."""
    length = FRAMES / FPS / max(1, len(acts))
    animations = tuple(
        Animation(
            clip=verb,
            start_s=i * length,
            end_s=(i + 1) * length,
            rate=-1.0 if verb.startswith("-") else 1.0,
            verb=verb.removeprefix("-"),
        )
        for i, verb in enumerate(acts)
    )
    return SceneObject(
        id=name,
        category=noun,
        subtype=noun,
        size_m=(1.0, 0.5, 0.8),
        poses=poses or (pose(),),
        asset=AssetRef(name=noun, sha256="", edits=edits),
        attributes={"name": noun, **({"color": color} if color else {}), **attributes},
        parts=parts or {},
        animations=animations,
        events=events,
    )


SIX = {"about": "number of legs", "actual": "six", "expected": "eight"}
TWO_LESS = ("remove:left leg 2", "remove:right leg 2")
"""What the record of a spider says that has lost two of its legs."""


def scene(*objects: SceneObject, name: str = "object", source: dict[str, str] | None = None) -> Scene:
    return Scene(
        id=short_hash(name, length=32),
        generator="stories",
        version="1",
        seed="0",
        objects=objects,
        cameras=orbit((0.0, 0.0, 0.4), 8.0, math.radians(15), 24, (64, 64), math.radians(50)),
        environment=Environment(name="white"),
        times_s=tuple(i / FPS for i in range(FRAMES)),
        source=source or {},
    )


def appears(at_s: float) -> tuple[Event, ...]:
    return (Event(what="appears", start_s=at_s, end_s=at_s),)


def drawn_scene(number: int) -> Scene:
    """Return an object drawn by chance: any number of acts, parts, props, and of what becomes of them."""
    draws = rng("captions", number)

    def pick(*options: str) -> str:
        return options[int(draws.integers(len(options)))]

    verbs = [*(verb for verb in LEXICON.verbs if verb != "stir"), "flinch"]
    acts = tuple(pick("", "", "", "-") + pick(*verbs) for _ in range(1 + int(draws.integers(4))))
    parts = {
        f"M{k}": {"word": pick("hooves", "tail", "fur", "belly"), "color": pick(*COLORS)} for k in range(3)
    }
    path = {
        0: (pose(),),
        1: tuple(pose(x=0.05 * i) for i in range(FRAMES)),
        2: tuple(pose(x=-0.05 * i) for i in range(FRAMES)),
        3: tuple(pose(heading=0.03 * i) for i in range(FRAMES)),
    }[int(draws.integers(4))]
    noun, color = pick("fox", "ox", "robot"), pick(*COLORS)
    edits = TWO_LESS if draws.integers(3) == 0 else ()
    turns = Event(what="recolours", start_s=1.5, end_s=2.0, detail=pick("green", "coat=green"))
    change = (turns,) if draws.integers(3) == 0 else ()
    actor = obj("t0", noun, color, poses=path, acts=acts, parts=parts, edits=edits, events=change)
    props = []
    for k in range(1, 1 + int(draws.integers(6))):
        at = 0.5 * (1 + int(draws.integers(6)))
        events: tuple[Event, ...] = {
            "appears": appears(at),
            "both": (*appears(at), Event(what="vanishes", start_s=at + 0.5, end_s=at + 0.5)),
            "turns": (Event(what="recolours", start_s=at, end_s=at + 0.5, detail="purple"),),
            "swaps": (Event(what="swaps", start_s=at, end_s=at, detail="lantern"),),
        }.get(pick("appears", "both", "turns", "swaps", "", "", ""), ())
        place = PLACES[pick(*PLACES)]
        prop = obj(f"t{k}", pick(*PROPS), pick(*COLORS), poses=(pose(*place),), events=events)
        props.append(prop)
    swap = Event(what="swaps", start_s=2.0, end_s=2.0, detail="flag")
    for carried in ({"worn_on": "head"}, {"held_in": "right hand"}):
        worn = pick("hat", "wings", "mushroom") if "worn_on" in carried else "sword"
        becomes: tuple[Event, ...] = ((swap,), appears(1.5), (), ())[int(draws.integers(4))]
        if draws.integers(2):
            props.append(obj(worn, worn, pick(*COLORS), events=becomes, **carried))  # type: ignore[arg-type]
    if draws.integers(3) == 0:
        props.append(obj("other", "wolf", "gray", acts=(pick(*verbs),), poses=(pose(*PLACES["left"]),)))
    return scene(actor, *props, name=f"drawn {number}", source=SIX if edits else {})

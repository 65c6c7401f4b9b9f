"""Actors as they are not found: edited so that world knowledge gives the wrong answer.

What each edit says, and what somebody who has not looked would say instead, stands in the scene's source.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from colorsys import rgb_to_hsv
from dataclasses import dataclass

import numpy as np

from fathom.assets.animated.library import AnimatedAsset, AssetPart
from fathom.assets.palette import BODY_COLORS
from fathom.assets.props.catalogue import BACK, BELLY
from fathom.english import number
from fathom.scenes.actions import shown_clips
from fathom.scenes.animated_assets import hovers, upright
from fathom.scenes.attachments import Anchor
from fathom.scenes.courses import gets_along

LIVING = ("animal", "fish", "dinosaur", "insect")
"""What has a colour, limbs and a way of going by nature."""

WEIGHTS = {
    "unnatural colour": 1.0, "exchanged colours": 3.7, "missing legs": 16.0, "reversed playback": 0.13,
    "wheels": 1.25, "growth": 0.55, "wings": 0.55,
}  # fmt: skip
"""How likely a kind is beside the others: likelier where few actors suit it, so that all are as often."""

COMMON, ALONE = "reversed playback", 0.4
"""A kind that suits nearly all, and how often an actor is edited that nothing else suits."""

UNNATURAL = ("red", "blue", "green", "purple", "cyan")
GROWTHS = ("mushroom", "cactus", "tree")
UNLIKE = 0.3
"""How far apart two colours are, in sRGB, whose exchange anybody would see."""

BROWNEST_DEG = 40.0
"""Of a greater hue than this, what is dark yellow is not brown."""


@dataclass(frozen=True)
class Twist:
    """One way in which an actor is not as it would be.

    kind : its name; `about` what it concerns ("color of the coat"), `actual` what is so, `expected` what
        world knowledge would say
    edits : those of the asset
    attached : a prop and the place it is fixed at, or ""
    backwards : whether its clips play backwards
    """

    kind: str
    about: str
    actual: str
    expected: str
    edits: tuple[str, ...] = ()
    attached: tuple[str, str] = ("", "")
    backwards: bool = False

    def source(self) -> dict[str, str]:
        """Return what a scene's source says of it."""
        return {
            "counterfactual": self.kind,
            "about": self.about,
            "actual": self.actual,
            "expected": self.expected,
        }


def twist_of(asset: AnimatedAsset, anchors: Sequence[Anchor], g: np.random.Generator) -> Twist | None:
    """Return how an actor is edited; None where it is to be left as it is."""
    found = twists_of(asset, anchors, g)
    if not found or ([t.kind for t in found] == [COMMON] and g.random() >= ALONE):
        return None
    weights = np.array([WEIGHTS[t.kind] for t in found])
    return found[int(g.choice(len(found), p=weights / weights.sum()))]


def twists_of(asset: AnimatedAsset, anchors: Sequence[Anchor], g: np.random.Generator) -> tuple[Twist, ...]:
    """Return one twist of every kind that this actor can be given, in a stable order."""
    made = (_unnatural, _exchanged, _fewer_legs, _reversed, _wheeled, _grown, _winged)
    found = (make(asset, anchors, g) for make in made)
    return tuple(t for t in found if t is not None)


Maker = Callable[[AnimatedAsset, Sequence[Anchor], np.random.Generator], Twist | None]


def main_part(asset: AnimatedAsset) -> str:
    """Return the named part that makes up most of an actor; "" where there is none.

    One whose colour can be painted comes before a larger one, unless it is less than half as large.
    """
    model = asset.model_at("", 0.0)
    colors = {p.word: p.color for p in asset.parts if p.word}
    area: dict[str, float] = {}
    for p in model.parts:
        if p.name in colors:
            t = p.vertices[p.faces]
            cross = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
            area[p.name] = area.get(p.name, 0.0) + float(np.linalg.norm(cross, axis=1).sum())
    if not area:
        return ""
    most = max(area.values())
    large = [n for n in area if area[n] >= most / 2 and colors[n] in BODY_COLORS]
    return max(large or list(area), key=lambda n: area[n])


def part_colors(asset: AnimatedAsset) -> dict[str, str]:
    """Return the colour of each named part of an actor, as questions say it."""
    return {p.word: "" if _tan(asset, p) else p.color for p in asset.parts if p.word}


def _tan(asset: AnimatedAsset, part: AssetPart) -> bool:
    """Return whether a part that is called brown is rather tan: no one name fits it."""
    if part.color != "brown":
        return False
    paints = [p.material for p in asset.model_at("", 0.0).parts if p.name == part.word]
    plain = [m.color for m in paints if m.texture is None]
    return any(rgb_to_hsv(*c)[0] * 360 > BROWNEST_DEG for c in plain)


def many_legged(asset: AnimatedAsset) -> bool:
    """Return whether an actor has so many legs that two fewer are a matter of counting."""
    return len(_legs(asset, "left")) == len(_legs(asset, "right")) >= 3


def _legs(asset: AnimatedAsset, side: str) -> list[str]:
    return [n for n in asset.limbs if re.search(r"\bleg\b", n) and side in n]


def _unnatural(asset: AnimatedAsset, anchors: Sequence[Anchor], g: np.random.Generator) -> Twist | None:
    main = main_part(asset)
    color = part_colors(asset).get(main, "")
    if asset.category not in LIVING or not color:
        return None
    free = [c for c in UNNATURAL if c != color]
    new = free[int(g.integers(len(free)))]
    return Twist("unnatural colour", f"color of the {main}", new, color, (f"color:{main}={new}",))


def _exchanged(asset: AnimatedAsset, anchors: Sequence[Anchor], g: np.random.Generator) -> Twist | None:
    """Return two parts with each other's colours, of which one is the largest."""
    main, colors = main_part(asset), part_colors(asset)
    paints = {p.name: np.array(p.material.color) for p in reversed(asset.model_at("", 0.0).parts)}
    others = [
        n
        for n, c in colors.items()
        if n != main and c and c != colors.get(main) and "eye" not in n
        if main in paints and n in paints and np.linalg.norm(paints[n] - paints[main]) >= UNLIKE
    ]
    if asset.category not in LIVING or not others or not colors.get(main):
        return None
    other = others[int(g.integers(len(others)))]
    return Twist(
        "exchanged colours",
        f"color of the {other}",
        colors[main],
        colors[other],
        (f"exchange:{main}={other}",),
    )


def _fewer_legs(asset: AnimatedAsset, anchors: Sequence[Anchor], g: np.random.Generator) -> Twist | None:
    """Return an actor of six or more legs without one pair, neither the first nor the last."""
    left, right = _legs(asset, "left"), _legs(asset, "right")
    if not many_legged(asset):
        return None
    k = int(g.integers(1, len(left) - 1))
    partner = left[k].replace("left", "right")
    gone = (left[k], partner if partner in right else right[k])
    count = 2 * len(left)
    return Twist(
        "missing legs",
        "number of legs",
        number(count - 2),
        number(count),
        tuple(f"remove:{n}" for n in gone),
    )


def _reversed(asset: AnimatedAsset, anchors: Sequence[Anchor], g: np.random.Generator) -> Twist | None:
    if not any(gets_along(asset, c) for c in shown_clips(asset)):
        return None
    return Twist(
        "reversed playback", "direction it goes", "backward", "forward", ("reverse",), backwards=True
    )


def _wheeled(asset: AnimatedAsset, anchors: Sequence[Anchor], g: np.random.Generator) -> Twist | None:
    if not hovers(asset) or asset.category not in LIVING or not any(a.place == BELLY for a in anchors):
        return None
    return Twist("wheels", "what it rests on", "wheels", "nothing", attached=("wheels", BELLY))


def _grown(asset: AnimatedAsset, anchors: Sequence[Anchor], g: np.random.Generator) -> Twist | None:
    if asset.category not in LIVING or upright(asset) or not any(a.place == BACK for a in anchors):
        return None
    what = GROWTHS[int(g.integers(len(GROWTHS)))]
    return Twist("growth", "what grows out of its back", what, "nothing", attached=(what, BACK))


def _winged(asset: AnimatedAsset, anchors: Sequence[Anchor], g: np.random.Generator) -> Twist | None:
    if asset.category not in (*LIVING, "character") or not any(a.place == BACK for a in anchors):
        return None
    if hovers(asset) or any("wing" in n for n in asset.limbs):
        return None
    return Twist("wings", "what it has on its back", "wings", "nothing", attached=("wings", BACK))

"""Limbs that are alike and spoken of together: the legs of an actor, its arms and legs, its wings."""

from __future__ import annotations

from collections.abc import Iterable

from fathom.english import plural

KINDS = ("arm", "leg", "wing", "flipper")
"""What a limb of a group is: the last word of its name."""


TOOLS = ("gun", "sword")
"""Last words of what who has arms holds by its model: no part of a body, and it goes where the arm goes."""


def tools(names: Iterable[str]) -> frozenset[str]:
    """Return the limbs of an actor that are tools in its hands: a gun of who has arms, and none of a tank.

    >>> sorted(tools(["left arm", "sword"])), sorted(tools(["gun", "turret"]))
    (['sword'], [])
    """
    names = tuple(names)
    armed = any(n.split(" ")[-1] == "arm" for n in names)
    return frozenset(n for n in names if armed and n.split(" ")[-1] in TOOLS)


def members(group: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the limbs of a group, which is called by its kinds in the plural: "arms and legs"."""
    kinds = {word.removesuffix("s") for word in group.split(" and ")}
    return tuple(n for n in names if n.split(" ")[-1] in kinds)


def group_of(names: Iterable[str]) -> str:
    """Return the group of two or more limbs that an actor has: its arms and legs, its legs, its wings; "" for
    none.
    """
    names = tuple(names)
    there = [k for k in KINDS if len(members(f"{k}s", names)) > 1]
    if there[:2] == ["arm", "leg"]:
        return "arms and legs"
    return next((f"{k}s" for k in ("leg", "wing", "flipper", "arm") if k in there), "")


def pairs(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return the limbs of which there is one on each side, by what both are called: "wings", "front legs"."""
    names, found = tuple(names), {}
    for name in names:
        words = name.split(" ")
        other = " ".join("right" if w == "left" else w for w in words)
        if "left" in words and other in names:
            *before, last = (w for w in words if w != "left")
            found[" ".join((*before, plural(last)))] = (name, other)
    return found

"""Words that name an object, as its noun, its colour, its motion, and its relation to another one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from fathom.benchmarks.stibench.sentences.meaning import NamedObject
from fathom.records import Scene, UnreadableError

COLORS = (
    "beige", "black", "blue", "brown", "cyan", "gold", "gray", "green", "grey", "navy", "olive", "orange",
    "pink", "purple", "red", "silver", "teal", "turquoise", "violet", "white", "yellow",
)  # fmt: skip

CLAUSES = {
    "that moves": "moves",
    "that does not move": "rests",
    "that turns left": "turns left",
    "that turns right": "turns right",
    "to the left of": "left",
    "to the right of": "right",
    "above": "above",
    "below": "below",
    "on": "on",
    "that is closer to the camera than": "nearer",
    "that is farther from the camera than": "farther",
    "closest to": "closest",
}
"""What is said behind a noun; that with "of", "than" or "to", and "on", "above" and "below", goes on with
another object."""

_ODD = re.compile(r"[^\w' -]|(?<= )and(?= )")

MOTIONS = ("moves", "rests", "turns left", "turns right")


def plain(noun: str) -> str:
    """Return a noun in small letters, without what sentences are taken apart by: "salt _ pepper set"."""
    return _ODD.sub("_", noun.casefold())


@dataclass(frozen=True)
class Names:
    """How the objects of a scene are called: (id, plain noun, colour) of each, the structure left out.

    `odd` are the nouns that are written otherwise than they are plain.
    """

    objects: tuple[tuple[str, str, str], ...]
    odd: frozenset[str] = frozenset()

    def plainly(self, text: str) -> str:
        """Return a text with all nouns plain."""
        for noun in sorted(self.odd, key=len, reverse=True):
            text = re.sub(re.escape(noun), plain(noun), text, flags=re.IGNORECASE)
        return text

    @property
    def nouns(self) -> tuple[str, ...]:
        """All nouns, the longest first."""
        return tuple(sorted({noun for _, noun, _ in self.objects}, key=lambda n: (-len(n), n)))

    @property
    def has_camera(self) -> bool:
        """Whether an object is a camera itself."""
        return any(noun.split()[-1:] == ["camera"] for _, noun, _ in self.objects)


def names_of(scene: Scene) -> Names:
    """Return how the objects of a scene are called."""
    found, odd = [], set()
    for obj in scene.objects:
        if obj.category == "structure":
            continue
        noun = (obj.attributes.get("name") or obj.category).casefold()
        if plain(noun) != noun:
            odd.add(noun)
        found.append((obj.id, plain(noun), obj.attributes.get("color", "").casefold()))
    return Names(tuple(found), frozenset(odd))


@lru_cache(maxsize=256)
def _phrase(nouns: Sequence[str], colors: Sequence[str]) -> re.Pattern[str]:
    color, noun = ("|".join(map(re.escape, words)) for words in (colors, nouns))
    clause = "|".join(CLAUSES)
    return re.compile(
        rf"the (?:(?P<color>{color}) )?(?P<noun>{noun})(?: in (?P<worn>{color}))?"
        rf"(?: (?P<clause>{clause})(?: (?P<other>the .+))?)?"
    )


def read_name(text: str, names: Names) -> NamedObject:
    """Return the object that words in small letters name. Raises UnreadableError."""
    own = {color for _, _, color in names.objects if color}
    found = _phrase(names.nouns, tuple(sorted(own.union(COLORS)))).fullmatch(text)
    if found is None or (found["color"] and found["worn"]):
        raise UnreadableError(f"{text!r} names no object of the scene")
    said = CLAUSES.get(found["clause"] or "", "")
    color = found["color"] or found["worn"] or ""
    if said in MOTIONS or not said:
        if found["other"]:
            raise UnreadableError(f"{text!r}: nothing is expected behind {found['clause']!r}")
        return NamedObject(found["noun"], color, motion=said)
    if not found["other"]:
        raise UnreadableError(f"{text!r}: expected another object behind {found['clause']!r}")
    return NamedObject(found["noun"], color, relation=said, other=read_name(found["other"], names))

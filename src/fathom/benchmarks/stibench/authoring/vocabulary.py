"""The words of which descriptions are made, and what each of them means to a program.

The nouns and colours of a video come from its record; what else people call the same is listed here. A word
that is in none of these lists is not understood, and is never guessed at.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fathom.programs.synonyms import ALIKE, COLORS_ALIKE

NOUNS: Mapping[str, str] = MappingProxyType(
    {
        "couch": "sofa", "settee": "sofa", "bike": "bicycle", "push bike": "bicycle", "automobile": "car",
        "trash can": "rubbish bin", "garbage can": "rubbish bin", "dustbin": "rubbish bin",
        "waste bin": "rubbish bin", "streetlight": "street lamp", "street light": "street lamp",
        "traffic signal": "traffic light", "stoplight": "traffic light", "traffic lights": "traffic light",
        "fridge": "refrigerator", "television": "tv", "hydrant": "fire hydrant", "cone": "traffic cone",
        "mailbox": "post box", "postbox": "post box", "tea pot": "teapot", "tea kettle": "kettle",
        "houseplant": "potted plant", "fir": "fir tree", "pine tree": "fir tree", "stop-sign": "stop sign",
        "coffee mug": "mug", "teacup": "cup", "walker": "pedestrian", "motorbike": "motorcycle",
        "pick-up truck": "pickup truck", "bookcase": "bookshelf", "chest of drawers": "dresser",
    }
)  # fmt: skip
"""Other nouns → the record's, where these mean the same object to everybody."""

COLORS: Mapping[str, str] = MappingProxyType(
    {
        "grey": "gray", "golden": "gold", "violet": "purple", "crimson": "red", "scarlet": "red",
        "navy": "blue", "turquoise": "teal", "lime": "green", "silvery": "silver", "whitish": "white",
        "red-colored": "red", "blue-colored": "blue", "white-colored": "white", "black-colored": "black",
    }
)  # fmt: skip
"""Other colours → the record's."""

BASIC_COLORS = frozenset(
    {"red", "green", "blue", "yellow", "orange", "purple", "pink", "brown", "beige", "black", "white",
     "gray", "silver", "gold", "cyan", "teal"}
    | {c for group in COLORS_ALIKE for c in group}
)  # fmt: skip

RELATIONS: Mapping[str, str] = MappingProxyType(
    {
        "to the left of": "left", "on the left of": "left", "left of": "left",
        "to the right of": "right", "on the right of": "right", "right of": "right",
        "above": "above", "below": "below", "under": "below", "beneath": "below", "underneath": "below",
        "on": "on", "on top of": "on", "resting on": "on", "standing on": "on", "lying on": "on",
        "sitting on": "on",
        "closer to the camera than": "front", "nearer to the camera than": "front",
        "nearer the camera than": "front", "farther from the camera than": "behind",
        "further from the camera than": "behind", "farther away from the camera than": "behind",
        "further away from the camera than": "behind",
        "closest to": "closest", "nearest to": "closest", "nearest": "closest",
    }
)  # fmt: skip
"""Phrase → relation to the object that is named behind it; sides are those of the camera's view."""

OF_ITS_OWN: Mapping[str, str] = MappingProxyType({"in front of": "front", "behind": "behind"})
"""Phrases that could mean an object's own front: certain only where it has none."""

MOTIONS: Mapping[str, str] = MappingProxyType(
    {
        "moves": "moves", "moving": "moves", "in motion": "moves", "driving": "moves", "walking": "moves",
        "moved": "moves", "turns left": "turns left", "turning left": "turns left",
        "turns to the left": "turns left", "turns right": "turns right", "turning right": "turns right",
        "turns to the right": "turns right", "does not move": "stands still", "doesn't move": "stands still",
        "never moves": "stands still", "not moving": "stands still", "stands still": "stands still",
        "standing still": "stands still", "stays still": "stands still", "staying still": "stands still",
        "remains still": "stands still", "stationary": "stands still", "motionless": "stands still",
        "parked": "stands still", "at rest": "stands still",
    }
)  # fmt: skip
"""Phrase → motion, behind "that", "which" or "who", with or without "is"; some also before the noun."""

SIZES: Mapping[str, tuple[str, float]] = MappingProxyType(
    {
        "largest": ("volume", 1.0), "biggest": ("volume", 1.0), "smallest": ("volume", -1.0),
        "tallest": ("height", 1.0), "shortest": ("height", -1.0), "widest": ("side", 1.0),
        "longest": ("side", 1.0), "narrowest": ("side", -1.0),
    }
)  # fmt: skip
"""Word → what it compares, and whether the most or the least of it is meant."""

VAGUE = frozenset(
    {"large", "big", "small", "little", "tiny", "huge", "tall", "short", "long", "wide", "narrow", "low",
     "high", "first", "second", "third", "last", "other", "old", "new", "shiny", "round", "wooden", "metal",
     "plastic", "ceramic", "glass", "dark", "light", "bright", "pale"}
)  # fmt: skip
"""Words before a noun that are understood, and of which only a person can say whether they fit."""

ORDERS: Mapping[str, str] = MappingProxyType(
    {
        "leftmost": "left", "rightmost": "right", "nearest": "front", "closest": "front",
        "farthest": "behind", "furthest": "behind", "topmost": "above", "uppermost": "above",
        "lowest": "below",
    }
)  # fmt: skip
"""Word before a noun → the relation in which it stands to all others that are called the same."""

LAST: Mapping[str, str] = MappingProxyType(
    {
        "closest to the camera": "front", "nearest to the camera": "front", "nearest the camera": "front",
        "farthest from the camera": "behind", "furthest from the camera": "behind", "on the far left": "left",
        "on the far right": "right",
    }
)  # fmt: skip
"""The same, behind a noun."""

ARTICLES = frozenset({"the", "a", "an"})
LINKING = frozenset({"that", "which", "who"})
COPULAS = frozenset({"is", "are", "stands", "lies", "sits", "rests"})

UNITS: Mapping[str, str] = MappingProxyType(
    {
        "m": "m", "metre": "m", "metres": "m", "meter": "m", "meters": "m",
        "cm": "cm", "centimetre": "cm", "centimetres": "cm", "centimeter": "cm", "centimeters": "cm",
        "mm": "mm", "millimetres": "mm", "millimeters": "mm", "km": "km", "kilometres": "km",
        "kilometers": "km", "s": "s", "sec": "s", "second": "s", "seconds": "s", "minute": "min",
        "minutes": "min", "ms": "ms", "milliseconds": "ms", "°": "°", "degree": "°", "degrees": "°",
        "deg": "°", "radians": "rad", "rad": "rad", "inch": "in", "inches": "in", "foot": "ft", "feet": "ft",
        "yards": "yd", "miles": "mi", "mph": "mph", "kmh": "km/h", "km/h": "km/h", "kph": "km/h",
        "m/s": "m/s", "cm/s": "cm/s", "m/s²": "m/s²", "cm/s²": "cm/s²", "m/s^2": "m/s²", "cm/s^2": "cm/s²",
        "frames": "frames", "pixels": "px", "percent": "%", "%": "%",
    }
)  # fmt: skip
"""Word → unit; those of other measures are known so that they can be told."""


@dataclass(frozen=True)
class DescriptionVocabulary:
    """The nouns and colours that are understood in a dataset's videos: as they are said → the record's."""

    nouns: Mapping[str, str]
    colors: Mapping[str, str]

    @property
    def longest(self) -> int:
        """How many words the longest noun has."""
        return max((len(n.split()) for n in self.nouns), default=1)


def vocabulary_of(nouns: Iterable[str], colors: Iterable[str]) -> DescriptionVocabulary:
    """Return the vocabulary for records with these nouns and colours."""
    own = {n.casefold() for n in nouns if n}
    known = {w: w for group in ALIKE for w in group} | {n: n for n in own}
    # A synonym that is itself a noun of the record means what the record means by it.
    known |= {said: meant for said, meant in NOUNS.items() if said not in own}
    known |= {n.replace("-", " "): n for n in own if "-" in n}
    listed = {c: c for c in (*BASIC_COLORS, *(c.casefold() for c in colors if c))}
    return DescriptionVocabulary(known, {**COLORS, **listed})

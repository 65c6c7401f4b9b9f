"""Nouns and colours that one person or another would say of the same object."""

from __future__ import annotations

from functools import lru_cache

ALIKE = (
    {"mug", "cup"}, {"bowl", "dish"}, {"plate", "dish", "saucer"}, {"can", "tin"}, {"sofa", "couch"},
    {"armchair", "chair"}, {"table", "desk"}, {"coffee table", "table"}, {"cabinet", "cupboard", "wardrobe"},
    {"lamp", "light"}, {"shelf", "bookcase", "bookshelf"}, {"stool", "chair"}, {"bin", "basket"},
    {"car", "sedan", "suv", "hatchback", "taxi", "van", "minivan"}, {"truck", "lorry", "pickup"},
    {"van", "truck", "bus"}, {"person", "pedestrian", "man", "woman", "child"},
    {"bicycle", "bike", "cyclist"}, {"motorcycle", "motorbike", "scooter"}, {"tree", "bush"},
    {"cactus", "potted plant", "plant"},
)  # fmt: skip
"""Nouns that one person or another would use for the same object."""

NARROWER = {
    "chair": {"armchair", "stool"}, "table": {"desk"}, "plant": {"cactus", "potted plant", "potted tree"},
    "potted plant": {"cactus", "potted tree"}, "bin": {"basket"}, "van": {"minivan"},
    "car": {"sedan", "suv", "hatchback", "taxi", "minivan"}, "truck": {"lorry", "pickup", "pickup truck"},
    "person": {"pedestrian", "man", "woman", "child"}, "pedestrian": {"man", "woman", "child"},
}  # fmt: skip
"""Noun → nouns of objects that it is said of too, though theirs is not said of all that it is said of."""

SYNONYMS = (
    {"mug", "cup"}, {"bowl", "dish"}, {"plate", "dish", "saucer"}, {"can", "tin"}, {"sofa", "couch"},
    {"cabinet", "cupboard", "wardrobe"}, {"lamp", "light"}, {"shelf", "bookcase", "bookshelf"},
    {"bicycle", "bike"}, {"motorcycle", "motorbike"}, {"person", "pedestrian"}, {"car", "sedan", "hatchback"},
)  # fmt: skip
"""Nouns of which each is said of all objects that another one is said of."""

COLORS_ALIKE = (
    {"gray", "silver"}, {"gray", "black"}, {"white", "beige"}, {"white", "silver"}, {"brown", "beige"},
    {"orange", "red"}, {"orange", "brown"}, {"orange", "yellow"}, {"purple", "pink"}, {"purple", "blue"},
    {"cyan", "blue"}, {"teal", "green"}, {"cyan", "green"}, {"brown", "red"}, {"gold", "yellow"},
)  # fmt: skip
"""Colours that are told apart by some and not by others."""

COLORS_SAID = (
    {"gray", "silver"}, {"white", "silver"}, {"white", "beige"}, {"gold", "yellow"}, {"teal", "green"},
    {"cyan", "blue"},
)  # fmt: skip
"""Of those, the ones of which each is said of most objects that have the other."""

TAKEN_FOR = (
    {"cabinet", "TV stand", "dresser", "shelf", "nightstand", "kitchen cabinet"}, {"bookshelf", "shelf"},
    {"wardrobe", "cabinet"}, {"bench", "coffee table"}, {"stool", "pouf", "side table"},
    {"pouf", "floor cushion"}, {"cardboard box", "box", "basket"}, {"box", "biscuit tin", "toy block"},
    {"basket", "bin"}, {"television", "monitor"}, {"floor lamp", "table lamp", "desk lamp"},
    {"desk", "dining table", "round table", "coffee table", "side table"}, {"sofa", "armchair"},
    {"chair", "armchair", "office chair", "stool"}, {"bed", "single bed"}, {"oven", "washing machine"},
    {"bottle", "vase", "candle", "can"}, {"mug", "bowl"}, {"cactus", "potted plant", "potted tree"},
    {"street lamp", "globe lamp"}, {"bus", "double-decker bus"},
    {"parking sign", "speed limit sign", "warning sign", "stop sign"},
)  # fmt: skip
"""Nouns of objects of which somebody who looks at a picture may take one for the other."""

COUNTED_AMONG = {
    "table lamp": frozenset({"desk lamp"}),
    "car": frozenset({"pickup truck"}),
    "tree": frozenset({"fir tree", "bush"}),
}
"""Noun → nouns of objects that some people count among those of it, and others do not."""

STRETCHED = {"car": {"truck"}, "jet": {"fighter", "airliner"}, "double bus": {"articulated bus"}}
"""Word for a shape → shapes of which some people say it and others do not."""


def is_kind_of(word: str, noun: str) -> bool:
    """Return whether a noun says what something of a longer one is.

    A compound says so at its end, and a part before what it is of: an office chair is a chair, and the screen
    of the monitor a screen, but no monitor.
    """
    head, _, _ = word.partition(" of the ")
    return word == noun or f" {head}".endswith(f" {noun}")


@lru_cache(maxsize=65536)
def confused(one: str, other: str) -> bool:
    """Return whether somebody might take an object of one noun for one of another."""
    kin = is_kind_of(one, other) or is_kind_of(other, one)
    return kin or any(one in group and other in group for group in ALIKE)


@lru_cache(maxsize=4096)
def colors_confused(one: str, other: str) -> bool:
    """Return whether somebody might not tell two colours apart."""
    return one == other or any(one in group and other in group for group in COLORS_ALIKE)


def calls(noun: str, own: str) -> bool:
    """Return whether somebody may well say a noun of an object that has another one of its own.

    An office chair is a chair, and a mug a cup; but no car is a police car.
    """
    wider = is_kind_of(own, noun) or own in NARROWER.get(noun, ())
    return wider or any(noun in group and own in group for group in SYNONYMS)


def taken_for(noun: str, own: str) -> bool:
    """Return whether somebody may well take an object that has one noun for one that has another."""
    return noun != own and any(noun in group and own in group for group in TAKEN_FOR)


def counted_among(noun: str, own: str) -> bool:
    """Return whether some people count an object of one noun among those of another, and others do not."""
    return own in COUNTED_AMONG.get(noun, ())


def paints(color: str, own: str) -> bool:
    """Return whether somebody may well say a colour of an object that has another nameable one.

    Silver may be called gray; but what is plainly red makes nobody ask which of two orange objects is meant.
    """
    return color == own or any(color in group and own in group for group in COLORS_SAID)

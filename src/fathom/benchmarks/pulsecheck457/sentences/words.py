"""The words of questions as a reader knows them: sizes, colors, nouns with their plurals, directions.

Written from the benchmark's description, and not taken from what writes the questions.
"""

from __future__ import annotations

from collections.abc import Iterable

from fathom.records import Scene

SIZE_WORDS = frozenset({"large", "small"})
COLOR_WORDS = frozenset({"gray", "red", "blue", "green", "brown", "purple", "cyan", "yellow"})

CLASS_NOUNS = ("car", "bus", "motorbike", "aeroplane", "bicycle")
KIND_NOUNS = (
    "suv", "wagon", "minivan", "sedan", "truck", "chopper", "dirtbike", "scooter", "cruiser",
    "jet", "fighter", "biplane", "airliner",
)  # fmt: skip
BUSES = ("articulated", "regular", "double", "school")
BICYCLES = ("road", "utility", "mountain", "tandem")
ANYTHING = "object"

ATTRIBUTE_WORDS = ("size", "color", "shape")

CAMERA_FRAME = ("as seen from the camera ,", "from the camera's point of view ,")
OWN_FRAME = (
    "going by the direction in which each object itself faces , and dividing the ground into halves "
    "( ahead or behind , left or right ) ,",
    "taking left , right , ahead and behind from each object's own point of view , each as a whole half "
    "of the ground ,",
    # As datasets of the benchmark's first version say it, which leaves open how wide "ahead" is.
    "going by the direction in which each object itself faces ,",
    "taking left , right , ahead and behind from each object's own point of view ,",
)

SEEN_FROM_CAMERA = {
    "to the left of": "left",
    "to the right of": "right",
    "closer to the camera than": "front",
    "farther from the camera than": "behind",
}
SEEN_FROM_OBJECT = {
    "on the left-hand side of": "left",
    "on the right-hand side of": "right",
    "ahead of": "front",
    "behind": "behind",
}
AS_PUBLISHED = {
    "to the left of": "left",
    "to the right of": "right",
    "in front of": "front",
    "behind": "behind",
}

FACING = {
    "towards the camera": "front",
    "away from the camera": "back",
    "to the left , as seen from the camera": "left",
    "to the right , as seen from the camera": "right",
}
FACING_OPTIONS = "left , right , front ( towards the camera ) or back ( away from the camera )"
FOUR_WAYS = frozenset({"left", "right", "front", "back"})

LIKENESS = {
    "the same size as": "size",
    "the same color as": "color",
    "exactly the same shape as": "shape",
}
TURNS = {
    "the same way as": "same_pose",
    "the opposite way to": "opposite_pose",
    "at a right angle to": "vertical_pose",
}

AMOUNTS = {
    "more": ("greater_than", "than"),
    "fewer": ("less_than", "than"),
    "exactly as many": ("equal_integer", "as"),
    "at least as many": ("at_least", "as"),
    "at most as many": ("at_most", "as"),
    "no more": ("at_most", "than"),
    "no fewer": ("at_least", "than"),
}
"""What is said of two numbers, and the word before the second; no program says "at least" or "at most"."""

GROUPS_COMPARED = {
    "does the first group have more objects": "greater_than",
    "does the first group have fewer objects": "less_than",
    "do both groups have the same number of objects": "equal_integer",
    "does the first group have at least as many objects": "at_least",
    "does the first group have at most as many objects": "at_most",
    "does the second group have more objects": "less_than",
    "does the second group have fewer objects": "greater_than",
}
"""The same of two groups that are named before."""

BOUNDARIES = frozenset(
    {
        "that", "is", "are", "in", "can", "would", "to", "closer", "farther", "on", "ahead", "behind", "and",
        "or", "than", "as", "the", "exactly", "itself", "partly", "hide", "hides", "facing", "moved", "only",
        "have", "has", ",", ":", "?", "(", ")",
    }
)  # fmt: skip
"""Words that end a noun that is not known."""

_IRREGULAR = {
    "aircraft": "aircraft", "sheep": "sheep", "fish": "fish", "deer": "deer", "man": "men", "woman": "women",
    "person": "people", "child": "children", "mouse": "mice", "goose": "geese", "foot": "feet",
    "tooth": "teeth", "ox": "oxen",
}  # fmt: skip


def plurals_of(noun: str) -> frozenset[str]:
    """Return the forms that an English reader takes for the plural of a noun; its last word is bent."""
    *before, last = noun.split(" ")
    forms = {last + "s"}
    if last.endswith(("s", "x", "z", "ch", "sh", "o")):
        forms.add(last + "es")
    if last.endswith("y"):
        forms.add(last[:-1] + "ies")
    if last.endswith("f"):
        forms.add(last[:-1] + "ves")
    if last.endswith("fe"):
        forms.add(last[:-2] + "ves")
    for one, many in _IRREGULAR.items():
        if last == one or (one in ("man", "woman") and last.endswith(one)):
            forms.add(last[: len(last) - len(one)] + many)
    return frozenset(" ".join([*before, form]) for form in forms)


def singular_of(plural: str) -> str:
    """Return the likeliest noun of which this is a plural, "" where there is none."""
    last = plural.rsplit(" ", 1)[-1]
    guesses = [plural[: len(plural) - len(last)] + one for one, many in _IRREGULAR.items() if last == many]
    guesses += [plural[:-3] + "y", plural[:-3] + "f", plural[:-2], plural[:-1]]
    sibilant = plural.endswith(("ses", "xes", "zes", "ches", "shes"))
    found = [g for g in guesses if g and plural in plurals_of(g)]
    return next((g for g in found if sibilant or not plural.endswith("es") or g != plural[:-2]), "")


def spoken_kind(subtype: str) -> str:
    """Return what a subtype is called: buses and bicycles are known by a word that needs its noun."""
    if subtype in BUSES:
        return f"{subtype} bus"
    return f"{subtype} bike" if subtype in BICYCLES else "regular car" if subtype == "addi" else subtype


def nouns_of(scene: Scene, also: Iterable[str] = ()) -> frozenset[str]:
    """Return the nouns that may stand in questions about a scene."""
    kinds = {*KIND_NOUNS, *(spoken_kind(word) for word in (*BUSES, *BICYCLES)), *CLASS_NOUNS, *also}
    for obj in scene.objects:
        kinds |= {spoken_kind(obj.subtype), obj.category}
    return frozenset(kind.lower() for kind in kinds)


def attribute_words(scene: Scene, attribute: str, usual: frozenset[str]) -> frozenset[str]:
    """Return the words for sizes, or colors: the usual ones, and those of the scene's objects."""
    own = {obj.attributes.get(attribute, "") for obj in scene.objects}
    return usual | frozenset(word.lower() for word in own if word)

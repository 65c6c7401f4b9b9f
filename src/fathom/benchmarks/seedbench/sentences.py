"""Reading the sentences of a built SEED-Bench back, by a grammar that shares no table with the writer.

Each wording is a pattern of its own. What is read is what it asks, whom it names, and what every option says;
that is compared with the program, the objects that it selects, and the outcomes that options stand for.

Ref: SEED-Bench §3.1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fathom.records import (
    ContradictionError,
    Question,
    Scene,
    SceneObject,
    TextReading,
    UnreadableError,
    reading_of,
)

NAME = r"(the [a-z][a-z -]*?)"

PATTERNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "kind of room": ("what kind of room is this", "which room of a home does the picture show"),
        "use of room": (
            "what is this room furnished for",
            "what do people mainly do in the room that the picture shows",
        ),
        "what is there": (
            "which of these can be seen in the picture",
            "only one of these is in the picture. which one",
        ),
        "what is on it": (
            f"what is the object that stands on {NAME}",
            f"look at the top of {NAME}. what stands there",
            f"if {NAME} were taken away at once, what would fall to the floor",
            f"suppose {NAME} vanished. what would drop",
        ),
        "its color": (f"what color is {NAME}", f"which of these is the color of {NAME}"),
        "quarter": (f"in which quarter of the picture is {NAME}", f"where in the picture is {NAME}"),
        "what is under it": (f"on what does {NAME} stand", f"what is directly under {NAME}"),
        "how many": (
            r"how many ([a-z -]+) can be seen in the picture",
            r"count the ([a-z -]+) in the picture. how many are there",
        ),
        "side in the view": (
            f"as the camera looks into the room, where is {NAME} mainly, relative to {NAME}",
            f"seen from the camera, where is {NAME} mainly, relative to {NAME}",
        ),
        "relation": (
            f"how is {NAME} turned, relative to {NAME}. left and right are its own, as it faces",
            f"which side does {NAME} turn to {NAME}. left and right are its own, as it faces",
        ),
        "way of somebody": (
            f"what is {NAME} walking towards",
            f"to what does the way of {NAME}, straight ahead, lead first",
        ),
        "beside somebody": (
            f"what is {NAME} right beside",
            f"of what stands on the floor, what is nearest to {NAME}",
        ),
        "in the hand": (f"what does {NAME} hold", f"what does {NAME} have in one hand"),
        "posture": (f"what is {NAME} doing", f"which of these is {NAME} seen doing"),
        "in the way": (
            f"somebody walks in a straight line over the floor from {NAME} to {NAME}. what would they bump "
            "into first",
            f"a toy train is to run straight over the floor from {NAME} to {NAME}. what has to be moved out "
            "of its way",
        ),
        "writing on the poster": (
            "what does the poster on the wall say",
            "which word is written on the poster",
        ),
        "writing on the screen": ("what does the screen show", "which word can be read on the screen"),
        "writing on the box": (
            "what is printed on the cardboard box",
            "which word can be read on the side of the cardboard box",
        ),
        "writing on the sign": (
            "what does the sign over the pavement say",
            "which word is written on the sign that hangs at the building",
        ),
        "weather": ("what is the weather like", "what weather does the picture show"),
        "time of day": (
            "at what time of day was this picture taken",
            "what time of day does the picture show",
        ),
        "handling": (f"what is done with {NAME} in this video", f"what happens to {NAME} during the video"),
        "goal": (
            f"the video stops while {NAME} is being moved. right next to what will it be put down",
            f"when the video ends, {NAME} is still on its way. judging by its way so far, beside what "
            "will it come to rest",
        ),
        "order of moves": (
            f"in which order are {NAME}, {NAME} and {NAME} moved",
            f"{NAME}, {NAME} and {NAME}: which is moved first, which second, which last",
        ),
    }
)
"""What a sentence asks → its wordings, in small letters, every sentence with a full stop but the last."""

WRITINGS = {f"writing on the {what}": what for what in ("poster", "screen", "box", "sign")}
"""What is asked about a word → on what the word stands, as programs say it."""

ASKS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "room_kind": frozenset({"kind of room"}),
        "room_use": frozenset({"use of room"}),
        "shown_noun": frozenset({"what is there"}),
        "carried_by": frozenset({"what is on it"}),
        "color_of": frozenset({"its color"}),
        "quarter_of_picture": frozenset({"quarter"}),
        "carrier_of": frozenset({"what is under it"}),
        "how_many": frozenset({"how many"}),
        "view_side": frozenset({"side in the view"}),
        "dealing": frozenset({"relation"}),
        "in_the_way": frozenset({"in the way"}),
        "heads_for": frozenset({"way of somebody"}),
        "right_beside": frozenset({"beside somebody"}),
        "held_by": frozenset({"in the hand"}),
        "posture": frozenset({"posture"}),
        "written": frozenset(WRITINGS),
        "weather": frozenset({"weather"}),
        "daytime": frozenset({"time of day"}),
        "handling": frozenset({"handling"}),
        "ends_beside": frozenset({"goal"}),
        "moved_order": frozenset({"order of moves"}),
    }
)
"""A program's last operator → what its words may ask."""

SAID: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "kind of room": {
            f"a {kind}": kind for kind in ("living room", "bedroom", "study", "dining room", "kitchen")
        },
        "use of room": {
            "cooking": "kitchen",
            "sleeping": "bedroom",
            "sitting together on a sofa": "living room",
            "working at a desk": "study",
            "eating at a table with others": "dining room",
        },
        "quarter": {
            f"in the {v} {h} quarter": f"{v} {h}" for v in ("top", "bottom") for h in ("left", "right")
        },
        "side in the view": {
            "to the left of it": "left",
            "to the right of it": "right",
            "in front of it, closer to the camera": "nearer",
            "behind it, farther from the camera": "farther",
        },
        "relation": {
            "it faces it": "front",
            "it has its back turned to it": "back",
            "it has its left side turned to it": "left",
            "it has its right side turned to it": "right",
        },
        "posture": {
            "walking": "walks",
            "standing with empty hands": "stands",
            "standing with something in one hand": "holds",
            "sitting on the floor": "sits",
        },
        "weather": {
            "it is sunny": "sunny",
            "it is overcast, and dry": "overcast",
            "it is raining": "rain",
            "it is snowing": "snow",
            "it is foggy": "fog",
        },
        "time of day": {
            "around noon, with the sun high": "noon",
            "in the early morning or the evening, with a low sun": "low sun",
            "in twilight, just before sunrise or just after sunset": "twilight",
            "at night, long after sunset": "night",
        },
        "handling": {
            "it is slid across the table": "slid",
            "it is turned on the spot": "turned",
            "it is lifted and put down in another place": "lifted",
            "nothing: it stays as it is": "untouched",
        },
    }
)
"""What is asked → what its options say → the outcome that they stand for."""

COLORS = frozenset(
    {"red", "blue", "green", "yellow", "purple", "orange", "white", "black", "gray", "brown", "cyan", "pink"}
)

PERHAPS_ABSENT = frozenset({"in the way", "way of somebody", "beside somebody"})
"""What is asked → options are objects of the scene, or such as are not there."""

NAMED = frozenset(
    {
        "what is on it",
        "what is under it",
        "goal",
        "in the hand",
    }
)
"""What is asked → options are objects of the scene."""


@dataclass(frozen=True)
class _Asked:
    """A sentence as it was read: what it asks, and the words in its places."""

    asks: str
    names: tuple[str, ...]


def read_text(question: Question, scene: Scene) -> TextReading:
    """Return whether a question's words and options say what its program asks."""
    return reading_of(lambda: _compare(question, scene))


def _compare(question: Question, scene: Scene) -> None:
    last = question.program[-1]
    asked = _read(question.text)
    if asked.asks not in ASKS.get(last.op, frozenset()):
        raise ContradictionError(f"the words ask {asked.asks!r}, the program {last.op}")
    _check_time(question)
    if asked.asks in WRITINGS and (WRITINGS[asked.asks],) != last.args:
        raise ContradictionError(f"the words ask about {asked.asks}, the program about {last.args[0]}")
    if asked.asks == "how many":
        if _singular(asked.names[0]) != last.args[0]:
            raise ContradictionError(f"the words count {asked.names[0]}, the program each {last.args[0]}")
    elif asked.asks != "what is there":
        _check_objects(question, scene, asked)
    meant = question.tags.get("options_mean", "").split(", ")
    said = [_outcome(asked, option.casefold(), scene) for option in question.choices]
    if [outcome.casefold() for outcome in said] != [outcome.casefold() for outcome in meant]:
        raise ContradictionError(f"its options say {', '.join(said)}, and are to mean {', '.join(meant)}")
    if question.answer not in question.choices or len(set(question.choices)) < len(question.choices):
        raise ContradictionError("its answer is none of its options, or two of them are the same")


def _read(text: str) -> _Asked:
    """Return what a sentence asks, and the words in its places. Raises UnreadableError."""
    said = text.casefold().replace("?", ".").removesuffix(".")
    for asks, patterns in PATTERNS.items():
        for pattern in patterns:
            if found := re.fullmatch(pattern.replace(". ", r"\. "), said):
                return _Asked(asks, found.groups())
    raise UnreadableError(f"nothing is known of the sentence {text!r}")


def _check_time(question: Question) -> None:
    """Raise ContradictionError where the program looks at another time than what is shown ends at."""
    at = [float(s.args[0]) for s in question.program if s.op == "at"]
    shown = [question.span_s[1]] if question.span_s else [0.0] if at else []
    if at != shown:
        raise ContradictionError(f"its program looks at {at} s, and the words mean {shown} s")


def _check_objects(question: Question, scene: Scene, asked: _Asked) -> None:
    """Raise ContradictionError where the words name others than the program selects."""
    steps = question.evidence.steps if question.evidence else ()
    meant = [steps[i][0] for i in question.program[-1].inputs if i < len(steps) and len(steps[i]) == 1]
    named = [_singled_out(name, scene).id for name in asked.names]
    if named != meant:
        raise ContradictionError(f"the words speak of {', '.join(named)}, the program of {', '.join(meant)}")


def _outcome(asked: _Asked, option: str, scene: Scene) -> str:
    """Return the outcome that an option stands for. Raises UnreadableError where it says none."""
    if asked.asks in SAID:
        found = SAID[asked.asks].get(option)
    elif asked.asks in PERHAPS_ABSENT:
        found = _there_or_not(option, scene)
    elif asked.asks in NAMED:
        found = "floor" if option == "the floor" else _singled_out(option, scene).id
    else:
        found = READERS[asked.asks](asked, option, scene)
    if found is None:
        raise UnreadableError(f"the option {option!r} says nothing about {asked.asks}")
    return found


def _color(asked: _Asked, option: str, scene: Scene) -> str | None:
    return option if option in COLORS else None


def _number(asked: _Asked, option: str, scene: Scene) -> str | None:
    return option if option.isdecimal() and int(option) > 0 else None


def _word(asked: _Asked, option: str, scene: Scene) -> str | None:
    return option.upper() if option.isalpha() else None


def _order(asked: _Asked, option: str, scene: Scene) -> str | None:
    """Return the places that a list of objects has among those that the question names: "2 1 3"."""
    parts = option.split(", then ")
    if sorted(parts) != sorted(asked.names):
        return None
    return " ".join(str(asked.names.index(part) + 1) for part in parts)


def _there(asked: _Asked, option: str, scene: Scene) -> str | None:
    """Return the one object of a noun, or that there is none of it."""
    noun = re.sub(r"^an? ", "", option)
    found = [o for o in scene.objects if o.category != "structure" and _noun(o) == noun]
    if len(found) > 1:
        raise ContradictionError(f"{len(found)} objects of the scene are {option!r}")
    return found[0].id if found else f"none:{noun}"


def _there_or_not(option: str, scene: Scene) -> str:
    """Return the one object that is called so, or that there is none."""
    words = option.removeprefix("the ")
    if any(o.category != "structure" and _is_called(words, o) for o in scene.objects):
        return _singled_out(option, scene).id
    return f"none:{words}"


READERS: Mapping[str, Callable[[_Asked, str, Scene], str | None]] = MappingProxyType(
    {
        "its color": _color,
        "how many": _number,
        **dict.fromkeys(WRITINGS, _word),
        "order of moves": _order,
        "what is there": _there,
    }
)


def _singular(words: str) -> str:
    """Return the noun of which some words are the plural.

    >>> _singular("shelves"), _singular("boxes"), _singular("candles"), _singular("rubber ducks")
    ('shelf', 'box', 'candle', 'rubber duck')
    """
    for end, instead in (
        ("shelves", "shelf"),
        ("ches", "ch"),
        ("xes", "x"),
        ("sses", "ss"),
        ("cactuses", "cactus"),
        ("ies", "y"),
    ):
        if words.endswith(end):
            return words.removesuffix(end) + instead
    return words.removesuffix("s")


def _singled_out(name: str, scene: Scene) -> SceneObject:
    """Return the one object that is called so. Raises ContradictionError where it is not one."""
    words = name.removeprefix("the ")
    found = [o for o in scene.objects if o.category != "structure" and _is_called(words, o)]
    if len(found) != 1:
        raise ContradictionError(f"{len(found)} objects of the scene are {name!r}")
    return found[0]


def _noun(obj: SceneObject) -> str:
    return obj.attributes.get("name", obj.category).casefold()


def _is_called(words: str, obj: SceneObject) -> bool:
    return words in (_noun(obj), f"{obj.attributes.get('color', '')} {_noun(obj)}")

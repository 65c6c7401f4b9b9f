"""Which sentences of a built SEED-Bench ask what, and what their options say: tables of the reader alone.

Ref: SEED-Bench §3.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

NAME = r"(the [a-z][a-z -]*?)"

PATTERNS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # What ends in "the video" goes first: names take in whatever they can.
        "what is done with it": (
            f"what does {NAME} do with {NAME} in this video",
            f"in the video, what does {NAME} do with {NAME}",
        ),
        "use of a seat": (
            f"what does {NAME} do with {NAME} during this video",
            f"how does {NAME} use {NAME} in the video",
        ),
        "deed": (
            f"which of these does {NAME} do in the video",
            f"which of these things does {NAME} do in this video",
        ),
        "next deed": (
            f"what is {NAME} about to do when the video ends",
            f"what will {NAME} do right after the video ends",
        ),
        "end of a walk": (
            f"where is {NAME} walking to when the video ends",
            f"which of these is {NAME} walking towards when the video ends",
        ),
        "order of deeds": (
            f"in which order does {NAME} do these things",
            f"what does {NAME} do in this video, and in which order",
        ),
        "kind of room": ("what kind of room is this", "what type of room does the picture show"),
        "use of room": (
            "what is this room mainly used for",
            "what do people mainly do in this room",
        ),
        "what is there": (
            "which of these can be seen in the picture",
            "which of these is in the picture",
        ),
        "what is on it": (
            f"what is the object that stands on {NAME}",
            f"look at the top of {NAME}. what stands there",
            f"if {NAME} were taken away, what would fall to the floor",
            f"without {NAME}, what would fall to the floor",
        ),
        "its color": (f"what color is {NAME}", f"what is the color of {NAME}"),
        "quarter": (f"in which part of the picture is {NAME}", f"where in the picture is {NAME}"),
        "what is under it": (f"what is {NAME} placed on", f"what is {NAME} standing on"),
        "how many": (
            r"how many ([a-z -]+) can be seen in the picture",
            r"how many ([a-z -]+) are there in the picture",
        ),
        "side in the view": (
            f"where is {NAME} in relation to {NAME}, as seen from the camera",
            f"seen from the camera, where is {NAME} in relation to {NAME}",
        ),
        "relation": (
            f"if somebody sat on {NAME} and looked straight ahead, where would {NAME} be",
            f"for somebody who sits on {NAME} and looks straight ahead, where is {NAME}",
        ),
        "way of somebody": (
            f"what is {NAME} walking towards",
            f"which of these would {NAME} reach first by walking straight on",
        ),
        "beside somebody": (
            f"what is {NAME} right beside",
            f"of all that stands on the floor, what is nearest to {NAME}",
        ),
        "in the hand": (f"what is {NAME} holding", f"what is {NAME} holding in one hand"),
        "seat of somebody": (f"what is {NAME} sitting on", f"what does {NAME} sit on"),
        "pushed by somebody": (
            f"what is {NAME} pushing",
            f"what is {NAME} pressing both hands against",
        ),
        "looked at by somebody": (
            f"what is {NAME} looking at",
            f"what is {NAME} looking straight at",
        ),
        "done to it": (f"what is {NAME} doing to {NAME}", f"what does {NAME} do with {NAME}"),
        "posture": (f"what is {NAME} doing", f"which of these is {NAME} doing"),
        "in the way": (
            f"if somebody walked straight from {NAME} to {NAME}, what would they bump into first",
            f"what stands in the way between {NAME} and {NAME}",
        ),
        "out of place": (
            "somebody has put one of these where such a thing does not belong. which one",
            "which of these objects is in an unusual place",
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
            "which word is written on the sign on the building",
        ),
        "weather": ("what is the weather like", "what weather does the picture show"),
        "time of day": (
            "at what time of day was this picture taken",
            "what time of day is it in the picture",
        ),
        "handling": (f"what is done with {NAME} in this video", f"what happens to {NAME} during the video"),
        "goal": (
            f"{NAME} is still being moved when the video ends. next to what will it end up",
            f"next to which of these will {NAME} end up after the video ends",
        ),
        "order of moves": (
            f"in which order are {NAME}, {NAME} and {NAME} moved",
            f"in which order are {NAME}, {NAME} and {NAME} moved in the video",
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
        "out_of_place": frozenset({"out of place"}),
        "sat_on": frozenset({"seat of somebody"}),
        "pushed_by": frozenset({"pushed by somebody"}),
        "looked_at": frozenset({"looked at by somebody"}),
        "does_to": frozenset({"done to it"}),
        "written": frozenset(WRITINGS),
        "weather": frozenset({"weather"}),
        "daytime": frozenset({"time of day"}),
        "handling": frozenset({"handling"}),
        "ends_beside": frozenset({"goal"}),
        "moved_order": frozenset({"order of moves"}),
        "handled": frozenset({"what is done with it"}),
        "seat_use": frozenset({"use of a seat"}),
        "does_deed": frozenset({"deed"}),
        "next_deed": frozenset({"next deed"}),
        "walks_next": frozenset({"end of a walk"}),
        "deed_order": frozenset({"order of deeds"}),
    }
)
"""A program's last operator → what its words may ask."""

DEEDS = {
    "sit down": "sits",
    "pick something up": "picks",
    "put something down": "puts",
    "push something over the floor": "pushes",
    "wave": "waves",
    "crouch down": "crouches",
    "raise both arms": "stretches",
}
"""What somebody does in a video, said of what they do or are going to do → what is done."""

LISTED = {
    "sits down": "sits",
    "picks something up": "picks",
    "puts something down": "puts",
    "pushes something over the floor": "pushes",
    "waves": "waves",
    "crouches down": "crouches",
    "raises both arms": "stretches",
}
"""What somebody does in a list of what is done one after the other → what is done."""

SAID: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "kind of room": {
            f"a {kind}": kind for kind in ("living room", "bedroom", "study", "dining room", "kitchen")
        },
        "use of room": {
            "cooking": "kitchen",
            "sleeping": "bedroom",
            "relaxing together": "living room",
            "working at a desk": "study",
            "eating at a table with others": "dining room",
        },
        "quarter": {
            f"in the {v} {h} quarter": f"{v} {h}" for v in ("top", "bottom") for h in ("left", "right")
        },
        "side in the view": {
            "to the left": "left",
            "to the right": "right",
            "in front, closer to the camera": "nearer",
            "behind, farther from the camera": "farther",
        },
        "relation": {
            "in front": "front",
            "behind": "back",
            "on the left": "left",
            "on the right": "right",
        },
        "posture": {
            "walking": "walks",
            "standing with empty hands": "stands",
            "standing with something in one hand": "holds",
            "sitting on the floor": "sits",
            "sitting on a piece of furniture": "seated",
            "pushing something with both hands": "pushes",
            "lying on a bed": "lies",
        },
        "done to it": {
            "sitting on it": "sits",
            "pushing it with both hands": "pushes",
            "walking towards it": "walks",
            "standing still and looking at it": "looks",
        },
        "weather": {
            "it is sunny": "sunny",
            "it is overcast but dry": "overcast",
            "it is raining": "rain",
            "it is snowing": "snow",
            "it is foggy": "fog",
        },
        "time of day": {
            "around noon, under a high sun": "noon",
            "in the early morning or the evening, under a low sun": "low sun",
            "in twilight or at night, with the sun below the horizon": "dark",
            "by day, under a closed cover of clouds": "clouded",
        },
        "handling": {
            "it is slid across the table": "slid",
            "it is turned on the spot": "turned",
            "it is lifted and put down in another place": "lifted",
            "nothing: it stays as it is": "untouched",
        },
        "what is done with it": {
            "picks it up and keeps holding it": "kept",
            "holds it at first, then puts it down": "put",
            "picks it up and puts it down elsewhere": "carried",
            "does not touch it": "untouched",
        },
        "use of a seat": {
            "sits down on it and stays there": "stays",
            "sits on it at first, and gets up": "leaves",
            "sits down on it, and gets up again": "both",
            "does not sit on it": "unused",
        },
        "deed": DEEDS | {"get up from a seat": "rises"},
        "next deed": DEEDS | {"get up": "rises"},
    }
)
"""What is asked → what its options say → the outcome that they stand for."""

COLORS = frozenset(
    {"red", "blue", "green", "yellow", "purple", "orange", "white", "black", "gray", "brown", "cyan", "pink"}
)

DRESSED = frozenset({"pedestrian", "cyclist"})
"""Of whom a color is that of their clothes: the pedestrian in black."""

PERHAPS_ABSENT = frozenset(
    {
        "in the way",
        "way of somebody",
        "beside somebody",
        "in the hand",
        "seat of somebody",
        "pushed by somebody",
        "looked at by somebody",
        "end of a walk",
    }
)
"""What is asked → options are objects of the scene, or such as are not there."""

NAMED = frozenset(
    {
        "what is on it",
        "what is under it",
        "goal",
        "out of place",
    }
)
"""What is asked → options are objects of the scene."""

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
        "deed": (f"what does {NAME} do in the video", f"what does {NAME} do in this video"),
        "picked up": (f"what does {NAME} pick up in the video", f"what does {NAME} pick up"),
        "sat down on": (f"what does {NAME} sit down on in the video", f"what does {NAME} sit down on"),
        "got up from": (f"what does {NAME} get up from in the video", f"what does {NAME} get up from"),
        "put on it": (f"what does {NAME} put {NAME} on in the video", f"what does {NAME} put {NAME} on"),
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
            f"if {NAME} were not there, what would fall to the floor",
        ),
        "its color": (f"what color is {NAME}", f"what is the color of {NAME}"),
        "part of the picture": (f"in which part of the picture is {NAME}", f"where in the picture is {NAME}"),
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
            f"what is {NAME} next to",
            f"what is {NAME} right beside",
            f"which of these is closest to {NAME}",
        ),
        "in the hand": (f"what is {NAME} holding", f"what is {NAME} holding in one hand"),
        "seat of somebody": (
            f"what is {NAME} sitting on in the picture",
            f"what is {NAME} sitting on",
        ),
        "pushed by somebody": (
            f"what is {NAME} pushing in the picture",
            f"what is {NAME} pushing",
        ),
        "looked at by somebody": (
            f"what is {NAME} looking at in the picture",
            f"what is {NAME} looking at",
        ),
        "doing": (f"what is {NAME} doing in the picture", f"what is {NAME} doing"),
        "in the way": (
            f"if you walked in a straight line from {NAME} to {NAME}, what would you bump into",
            f"somebody wants to walk in a straight line from {NAME} to {NAME}. what is in their way",
        ),
        "out of place": ("which of these objects is in an unusual place",),
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
        "handling": (f"what happens to {NAME} in the video", f"what happens to {NAME} in this video"),
        "goal": (f"{NAME} is still moving when the video ends. which of these will it end up next to",),
        "order of moves": (
            f"in which order do {NAME}, {NAME} and {NAME} move in the video",
            f"in which order do {NAME}, {NAME} and {NAME} move",
            f"in which order do {NAME}, {NAME}, {NAME} and {NAME} move in the video",
            f"in which order do {NAME}, {NAME}, {NAME} and {NAME} move",
        ),
    }
)
"""What a sentence asks → its wordings, in small letters, every sentence with a full stop but the last."""

WRITINGS = {f"writing on the {what}": what for what in ("poster", "screen", "box", "sign")}
"""What is asked about a word → on what the word stands, as programs say it."""

USED = {"picked up": "picks", "sat down on": "sits", "got up from": "rises"}
"""What is asked about an object → what somebody does with it, as programs say it."""

ASKS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "room_kind": frozenset({"kind of room"}),
        "room_use": frozenset({"use of room"}),
        "shown_noun": frozenset({"what is there"}),
        "carried_by": frozenset({"what is on it"}),
        "color_of": frozenset({"its color"}),
        "quarter_of_picture": frozenset({"part of the picture"}),
        "part_of_picture": frozenset({"part of the picture"}),
        "carrier_of": frozenset({"what is under it"}),
        "how_many": frozenset({"how many"}),
        "view_side": frozenset({"side in the view"}),
        "dealing": frozenset({"relation"}),
        "in_the_way": frozenset({"in the way"}),
        "heads_for": frozenset({"way of somebody"}),
        "right_beside": frozenset({"beside somebody"}),
        "held_by": frozenset({"in the hand"}),
        "doing": frozenset({"doing"}),
        "out_of_place": frozenset({"out of place"}),
        "sat_on": frozenset({"seat of somebody"}),
        "pushed_by": frozenset({"pushed by somebody"}),
        "looked_at": frozenset({"looked at by somebody"}),
        "does_to": frozenset({"doing"}),
        "written": frozenset(WRITINGS),
        "weather": frozenset({"weather"}),
        "daytime": frozenset({"time of day"}),
        "handling": frozenset({"handling"}),
        "ends_beside": frozenset({"goal"}),
        "moved_order": frozenset({"order of moves"}),
        "deed_object": frozenset(USED),
        "put_on": frozenset({"put on it"}),
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
        "part of the picture": {
            **{f"in the {v} {h} quarter": f"{v} {h}" for v in ("top", "bottom") for h in ("left", "right")},
            **{f"in the {v} {h}": f"{v} {h}" for v in ("upper", "lower") for h in ("left", "right")},
            "at the top, in the middle": "top",
            "at the bottom, in the middle": "bottom",
            "on the left, halfway up": "left",
            "on the right, halfway up": "right",
            "in the center": "center",
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
        "weather": {
            "it is sunny": "sunny",
            "it is overcast but dry": "overcast",
            "it is raining": "rain",
            "it is snowing": "snow",
            "it is foggy": "fog",
        },
        "time of day": {
            "around noon, with the sun high in the sky": "noon",
            "in the morning or the evening, with the sun low in the sky": "low sun",
            "at dawn or dusk, with the sun below the horizon": "twilight",
            "at night": "night",
        },
        "handling": {
            "it slides to the left": "left",
            "it slides to the right": "right",
            "it slides towards the camera": "nearer",
            "it slides away from the camera": "farther",
            "it turns on the spot": "turned",
            "it rises and comes down in another place": "lifted",
        },
        "next deed": DEEDS | {"get up": "rises"},
    }
)
"""What is asked → what its options say → the outcome that they stand for."""

DOINGS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "doing": {
            "walking": "walks",
            "standing with empty hands": "stands",
            "sitting on the floor": "sits",
            "lying on a bed": "lies",
            f"holding {NAME}": "holds",
            f"sitting on {NAME}": "seated",
            f"pushing {NAME}": "pushes",
        },
        "doing to it": {
            f"sitting on {NAME}": "sits",
            f"pushing {NAME}": "pushes",
            f"walking towards {NAME}": "walks",
            f"standing still and looking at {NAME}": "looks",
        },
        "deed": {
            f"sits down on {NAME}": "sits",
            f"gets up from {NAME}": "rises",
            f"picks up {NAME}": "picks",
            f"puts down {NAME}": "puts",
            f"pushes {NAME} over the floor": "pushes",
            "waves": "waves",
            "crouches down": "crouches",
            "raises both arms": "stretches",
        },
    }
)
"""What is asked → what its options say, and with which object → what is done."""

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
        "put on it",
        *USED,
    }
)
"""What is asked → options are objects of the scene."""

"""The sentences that ask about limbs and parts of the object alone."""

from __future__ import annotations

from fathom.benchmarks.fourdbench.sentences.meaning import WHOLE, Node
from fathom.benchmarks.fourdbench.sentences.patterns import ParsedSentence, ask
from fathom.records import UnreadableError

TEMPORAL, COUNTING = "temporal_relationship", "object_counting"
SPATIAL, APPEARANCE = "spatial_relationship", "appearance"

GROUP = r"arms and legs|arms|legs|wings|flippers"
OWN_VIEW = r"from its own point of view"
DURING = r"(?:during which of its actions|while doing which of these|in which of these actions)"


def during(a: ParsedSentence) -> Node:
    """Return the course of the action that is named. Raises UnreadableError where none is."""
    if a.moment[0] != "while":
        raise UnreadableError("asked of an action, and no action is named")
    return a.moment


def _named(a: ParsedSentence) -> str:
    """Return the part of the actor that the words in the gap name."""
    word = a.gaps["what"]
    if word not in a.cast.parts:
        raise UnreadableError(f"{word!r}: no part of the {a.cast.actor}")
    return a.cast.parts[word]


def _shift(a: ParsedSentence) -> Node:
    """Return where a limb has got to. Raises UnreadableError where another time than the end is meant."""
    if a.moment != ("end",):
        raise UnreadableError("where a limb has got to, and not by the end")
    return ("limb_shift", a.gaps["limb"], WHOLE)


def _members(a: ParsedSentence) -> Node:
    """Return the question how many of something an actor is. Raises UnreadableError where it is not."""
    if not a.cast.actor.endswith(f" of {a.gaps['what']}"):
        raise UnreadableError(f"{a.gaps['what']!r}: not what the {a.cast.actor} is made up of")
    return ("bodies", a.gaps["what"])


LIMBS = (
    *ask(
        TEMPORAL,
        rf"where does <actor> hold its (?P<limb>.+), compared with the beginning, {OWN_VIEW}\?",
        r"compared with the beginning, where does <actor> hold its (?P<limb>.+)\?",
        build=_shift,
        moments=(1,),
    ),
    *ask(
        COUNTING,
        r"how many times does its (?P<limb>.+) go out and come back\?",
        build=lambda a: ("limb_swings", a.gaps["limb"], during(a)),
        moments=(1,),
    ),
    *ask(
        COUNTING,
        r"<actor> is (?P<verb>.+)\. how many times does its (?P<limb>.+) go out and come back\?",
        build=lambda a: ("limb_swings", a.gaps["limb"], ("while", a.act)),
    ),
    *ask(
        COUNTING,
        r"how many times does <actor> move its (?P<limb>.+) out and back in the video\?",
        build=lambda a: ("limb_swings", a.gaps["limb"], WHOLE),
    ),
    *ask(
        COUNTING,
        r"how many times does <actor> move its (?P<limb>.+) out and back\?",
        build=lambda a: ("limb_swings", a.gaps["limb"], during(a)),
        moments=(1,),
    ),
    *ask(
        SPATIAL,
        r"where does <actor> have its (?P<limb>.+), compared with its (?P<other>.+)\?",
        build=lambda a: ("limb_place", a.gaps["limb"], a.gaps["other"], a.moment),
        moments=(1,),
    ),
    *ask(
        APPEARANCE,
        r"what color (?:is|are) <actor>'s (?P<own>[^<>]+)\?",
        build=lambda a: ("color", ("thing", a.cast.named(a.gaps["own"])), WHOLE),
    ),
    *ask(
        APPEARANCE,
        r"what color is most of <actor>\?",
        r"what is the main color of <actor>\?",
        build=lambda a: ("color_most",),
    ),
    *ask(
        COUNTING,
        rf"how many (?P<group>{GROUP}) of <actor> are (?P<color>[a-z]+)\?",
        build=lambda a: ("limbs_painted", a.gaps["group"], a.gaps["color"]),
    ),
    *ask(
        APPEARANCE,
        rf"which of the (?P<group>{GROUP}) of <actor> is (?P<color>[a-z]+)\?",
        build=lambda a: ("limb_painted", a.gaps["group"], a.gaps["color"]),
    ),
    *ask(
        COUNTING,
        r"how many things does <actor> wear or carry\?",
        build=lambda a: ("worn",),
    ),
    *ask(
        SPATIAL,
        r"which of its legs does <actor> have (?P<where>off) the ground\?",
        r"which is the only leg that <actor> has (?P<where>on) the ground\?",
        r"which leg does <actor> have (?P<where>on) the ground\?",
        r"which of <actor>'s legs is (?P<where>on) the ground\?",
        build=lambda a: ("leg", a.gaps["where"], a.moment),
        moments=(1,),
    ),
    *ask(
        SPATIAL,
        r"which leg is <actor> lifting\?",
        build=lambda a: ("leg", "off", a.moment),
        moments=(1,),
    ),
    *ask(
        COUNTING,
        r"how many (?P<what>[^<>]+) does <actor> have\?",
        r"count the (?P<what>[^<>]+) of <actor>\. how many are there\?",
        build=lambda a: ("pieces", _named(a)),
    ),
    *ask(
        COUNTING,
        r"how many (?P<what>[^<>]+) are there in the video\?",
        build=_members,
    ),
)

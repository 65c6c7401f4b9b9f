"""The sentences that ask about limbs and parts of the object alone."""

from __future__ import annotations

from fathom.benchmarks.fourdbench.sentences.meaning import WHOLE, Node, narrowed, set_of
from fathom.benchmarks.fourdbench.sentences.patterns import ParsedSentence, ask
from fathom.records import UnreadableError

ACTION, TEMPORAL, COUNTING = "action", "temporal_relationship", "object_counting"
SPATIAL, APPEARANCE = "spatial_relationship", "appearance"

MAYBE = (0, 1)
OWN_VIEW = r"from its own point of view"
DURING = r"(?:during which of its actions|while doing which of these|in which of these actions)"
FLANKS = {"front": "front", "left side": "left", "right side": "right", "rear side": "behind"}
UNSEEN = (r"from which side of <actor> can its (?P<what>.+) not be seen\?",)


def _during(a: ParsedSentence) -> Node:
    if a.moment[0] != "while":
        raise UnreadableError("asked of an action, and no action is named")
    return a.moment


def _named(a: ParsedSentence) -> str:
    """Return the part of the actor that the words in the gap name."""
    word = a.gaps["what"]
    if word not in a.cast.parts:
        raise UnreadableError(f"{word!r}: no part of the {a.cast.actor}")
    return a.cast.parts[word]


def _members(a: ParsedSentence) -> Node:
    """Return the question how many of something an actor is. Raises UnreadableError where it is not."""
    if not a.cast.actor.endswith(f" of {a.gaps['what']}"):
        raise UnreadableError(f"{a.gaps['what']!r}: not what the {a.cast.actor} is made up of")
    return ("bodies", a.gaps["what"])


def _part(a: ParsedSentence) -> Node:
    return ("hidden_side", "part", _named(a), a.moment)


LIMBS = (
    *ask(
        TEMPORAL,
        rf"where does <actor> hold its (?P<limb>.+) at the end, compared with the beginning, {OWN_VIEW}\?",
        build=lambda a: ("limb_shift", a.gaps["limb"], WHOLE),
    ),
    *ask(
        COUNTING,
        r"how many times does its (?P<limb>.+) go out and come back\?",
        build=lambda a: ("limb_swings", a.gaps["limb"], _during(a)),
        moments=(1,),
    ),
    *ask(
        COUNTING,
        r"<actor> is (?P<verb>.+)\. how many times does its (?P<limb>.+) go out and come back\?",
        build=lambda a: ("limb_swings", a.gaps["limb"], ("while", a.act)),
    ),
    *ask(
        COUNTING,
        r"how many times does <actor> move its (?P<limb>.+) out and back in the film\?",
        build=lambda a: ("limb_swings", a.gaps["limb"], WHOLE),
    ),
    *ask(
        SPATIAL,
        r"where does <actor> have its (?P<limb>.+), compared with its (?P<other>.+)\?",
        build=lambda a: ("limb_place", a.gaps["limb"], a.gaps["other"], a.moment),
        moments=(1,),
    ),
    *ask(
        SPATIAL,
        *UNSEEN,
        build=lambda a: ("hidden_side", "limb", a.gaps["what"], a.moment),
        moments=MAYBE,
    ),
    *ask(APPEARANCE, *UNSEEN, build=_part, moments=MAYBE),
    *ask(
        APPEARANCE,
        r"what color is most of <actor>\?",
        build=lambda a: ("color_most",),
    ),
    *ask(
        COUNTING,
        r"how many patches of paint does <actor> have at the end\?",
        r"how many patches of paint are there on <actor> at the end\?",
        build=lambda a: ("patches",),
    ),
    *ask(
        APPEARANCE,
        r"what color is the patch of paint on the opposite side of <actor> from its (?P<what>.+)\?",
        r"<actor> has a (?P<what>.+)\. what color is the patch on the opposite side of it\?",
        build=lambda a: ("patch_across", _named(a)),
    ),
    *ask(
        SPATIAL,
        r"on which side of <actor> is its (?P<what>.+)\?",
        build=lambda a: ("patch_side", _named(a)),
    ),
    *ask(
        APPEARANCE,
        rf"what color is the patch of paint on the (?P<side>{'|'.join(FLANKS)}) of <actor>\?",
        build=lambda a: ("patch_on", FLANKS[a.gaps["side"]]),
    ),
    *ask(
        COUNTING,
        r"how many (?P<what>[^<>]+) does <actor> have\?",
        r"count the (?P<what>[^<>]+) of <actor>\. how many are there\?",
        build=lambda a: ("pieces", _named(a)),
    ),
    *ask(
        COUNTING,
        r"how many (?P<what>[^<>]+) are there in the film\?",
        build=_members,
    ),
    *ask(
        COUNTING,
        r"how many patches of paint appear on <actor> during the film\?",
        build=lambda a: ("patches_come",),
    ),
    *ask(
        TEMPORAL,
        r"what color is the (?P<place>first|last) patch of paint to appear on <actor>\?",
        r"(?:what|which) color of paint appears on <actor> (?P<place>first|last)\?",
        build=lambda a: ("patch_order", a.gaps["place"]),
    ),
    *ask(
        SPATIAL,
        r"on which side of <actor> does the (?P<place>first|last|only) patch of paint appear\?",
        build=lambda a: ("patch_come_side", a.gaps["place"]),
    ),
    *ask(
        TEMPORAL,
        r"what color is the next patch of paint to appear on <actor> after its (?P<what>.+)\?",
        build=lambda a: ("patch_then", _named(a)),
    ),
    *ask(
        ACTION,
        r"what is <actor> doing when its (?P<what>.+) appears\?",
        r"a (?P<what>.+) appears on <actor>\. what is <actor> doing at that time\?",
        build=lambda a: ("verb", ("the", narrowed(set_of("actions"), ("around", ("patch_time", _named(a)))))),
    ),
)

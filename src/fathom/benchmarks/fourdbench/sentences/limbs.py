"""The sentences that ask about limbs and parts of the object alone."""

from __future__ import annotations

from fathom.benchmarks.fourdbench.sentences.meaning import WHOLE, Node, narrowed, set_of
from fathom.benchmarks.fourdbench.sentences.patterns import ParsedSentence, ask
from fathom.records import UnreadableError

ACTION, TEMPORAL, COUNTING = "action", "temporal_relationship", "object_counting"
SPATIAL, APPEARANCE = "spatial_relationship", "appearance"

MAYBE = (0, 1)
OWN_VIEW = r"from its own point of view"
ARRIVAL = r"(?P<place>first|last|only) patch of paint to appear"
DURING = r"(?:during which of its actions|while doing which of these|in which of these actions)"
UNSEEN = (
    r"from which side of <actor> can its (?P<what>.+) not be seen\?",
    r"from which side of <actor> can nothing be seen of its (?P<what>.+)\?",
)


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
        ACTION,
        rf"{DURING} do <actor>'s limbs move (?P<pace>fastest|slowest)\?",
        build=lambda a: ("verb", ("pace", a.gaps["pace"], set_of("actions"))),
    ),
    *ask(
        ACTION,
        rf"compared with the beginning of the film, where does <actor> hold its (?P<limb>.+) at the end, "
        rf"{OWN_VIEW}\?",
        rf"the film ends\. where does <actor> hold its (?P<limb>.+) now, compared with "
        rf"the first frame, {OWN_VIEW}\?",
        build=lambda a: ("limb_shift", a.gaps["limb"], WHOLE),
    ),
    *ask(
        TEMPORAL,
        rf"{DURING} does <actor> hold its (?P<limb>.+) (?P<which>highest|lowest)\?",
        build=lambda a: ("verb", ("peak", a.gaps["limb"], a.gaps["which"], set_of("actions"))),
    ),
    *ask(
        TEMPORAL,
        r"(?:in which quarter of the film|when) does <actor> hold its (?P<limb>.+) "
        r"(?P<which>highest|lowest)\?",
        build=lambda a: ("limb_when", a.gaps["limb"], a.gaps["which"]),
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
        r"over the whole film, how many times does <actor> move its (?P<limb>.+) out and back\?",
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
        r"which of these does <actor> hold (?P<which>highest|lowest|farthest forward|farthest back)\?",
        build=lambda a: ("limb_extreme", a.gaps["which"], a.moment),
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
        r"going by how much of it shows, what color is most of <actor>\?",
        r"what color is most of <actor>\?",
        build=lambda a: ("color_most",),
    ),
    *ask(
        COUNTING,
        r"how many patches of paint are there on <actor> at the end, counted all around it\?",
        r"count the patches of paint on every side of <actor>\. how many are there at the end\?",
        build=lambda a: ("patches",),
    ),
    *ask(
        APPEARANCE,
        r"at the end, <actor> has a (?P<what>.+) on one side\. "
        r"what color is the patch on the opposite side then\?",
        r"at the end, what color is the patch on the side of <actor> that faces away from its (?P<what>.+)\?",
        build=lambda a: ("patch_across", _named(a)),
    ),
    *ask(
        SPATIAL,
        r"at the end, seen from above and going (?P<turn>(?:counter)?clockwise) around <actor>, "
        r"what color is the next patch after its (?P<what>.+)\?",
        r"go (?P<turn>(?:counter)?clockwise), as seen from above, around <actor> from its (?P<what>.+)\. "
        r"what color is the next patch at the end\?",
        build=lambda a: ("patch_next", _named(a), a.gaps["turn"]),
    ),
    *ask(
        SPATIAL,
        r"from which side of <actor> does one look straight at its (?P<what>.+)\?",
        r"from which side of <actor> does its (?P<what>.+) show best\?",
        build=lambda a: ("patch_side", _named(a)),
    ),
    *ask(
        COUNTING,
        r"how many (?P<what>[^<>]+) does <actor> have, counted all around it\?",
        r"count the (?P<what>[^<>]+) of <actor> on every side of it\. how many are there\?",
        build=lambda a: ("pieces", _named(a)),
    ),
    *ask(
        COUNTING,
        r"how many (?P<what>[^<>]+) are there in the film, counted all around\?",
        r"count the (?P<what>[^<>]+) in the film from every side\. how many are there\?",
        build=_members,
    ),
    *ask(
        COUNTING,
        r"how many patches of paint appear on <actor> while the film runs\?",
        r"count the patches of paint that come to <actor> during the film, on any side\. "
        r"how many are there\?",
        build=lambda a: ("patches_come",),
    ),
    *ask(
        TEMPORAL,
        r"patches of paint appear on <actor> one after another\. "
        r"what color is the (?P<place>first|last) one to appear\?",
        r"what color is the (?P<place>first|last) patch of paint to appear on <actor> while the film runs\?",
        build=lambda a: ("patch_order", a.gaps["place"]),
    ),
    *ask(
        SPATIAL,
        rf"from which side of <actor> does the {ARRIVAL} show best\?",
        rf"look for the {ARRIVAL} in the film\. "
        r"from which side of <actor> does it show best\?",
        build=lambda a: ("patch_come_side", a.gaps["place"]),
    ),
    *ask(
        TEMPORAL,
        r"a (?P<what>.+) appears on <actor>\. what color is the next patch to appear after it\?",
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

"""The sentences that ask how the object alone moves its limbs, how often, and what it does in order."""

from __future__ import annotations

from fathom.benchmarks.fourdbench.sentences.meaning import Node, set_of
from fathom.benchmarks.fourdbench.sentences.patterns import ParsedSentence, ask
from fathom.records import UnreadableError

ACTION, COUNTING = "action", "object_counting"

MAYBE = (0, 1)
OWN_VIEW = r"from its own point of view"
DURING = r"(?:during which of its actions|while doing which of these)"
QUARTER = r"(?:in which quarter of the film|when)"
WAYS = r"forward|backward|up|down|to its left|to its right"
PASSING = r"counting each time that one leg passes the other"


def _pair(a: ParsedSentence) -> Node:
    """Return the question about a limb on the left and its fellow. Raises UnreadableError for others."""
    left, right = a.gaps["limb"].split(" "), a.gaps["other"].split(" ")
    fellow = [{"left": "right"}.get(word, word) for word in left]
    if "left" not in left or fellow != right:
        raise UnreadableError(f"{a.gaps['limb']!r} and {a.gaps['other']!r} are not a left and a right limb")
    return ("limb_pair", a.gaps["limb"], a.moment)


LIMB_MOTION = (
    *ask(
        ACTION,
        r"in which direction does <actor> move its (?P<limb>.+)\?",
        r"which way does <actor> move its (?P<limb>.+)\?",
        build=lambda a: ("limb_line", a.gaps["limb"], a.moment),
        moments=MAYBE,
    ),
    *ask(
        ACTION,
        r"how does <actor> move its (?P<limb>.+) and its (?P<other>.+)\?",
        r"does <actor> move both its (?P<limb>.+) and its (?P<other>.+), and how\?",
        build=_pair,
        moments=MAYBE,
    ),
    *ask(
        ACTION,
        r"what does <actor> do with its (?P<limb>.+)\?",
        r"which of these does <actor> do with its (?P<limb>.+)\?",
        build=lambda a: ("limb_course", a.gaps["limb"], a.moment),
        moments=MAYBE,
    ),
    *ask(
        ACTION,
        rf"{DURING} does <actor> move its (?P<limb>.+) (?P<pace>fastest|slowest)\?",
        build=lambda a: ("verb", ("limb_pace", a.gaps["limb"], a.gaps["pace"], set_of("actions"))),
    ),
    *ask(
        ACTION,
        rf"{QUARTER} does <actor> move its (?P<limb>.+) (?P<amount>most|least)\?",
        build=lambda a: ("limb_busy", a.gaps["limb"], a.gaps["amount"]),
    ),
    *ask(
        ACTION,
        r"which of these does <actor> (?:keep still|hardly move)\?",
        build=lambda a: ("limbs_still", a.moment),
        moments=MAYBE,
    ),
    *ask(
        ACTION,
        rf"{DURING} does <actor> turn round to its own (?P<side>left|right), as seen from above\?",
        rf"{DURING} does <actor> turn to its own (?P<side>left|right)\?",
        build=lambda a: ("verb", ("turning", a.gaps["side"], set_of("actions"))),
    ),
    *ask(
        ACTION,
        r"what does <actor> do in the film, in the right order\?",
        r"which of these tells in the right order what <actor> does\?",
        build=lambda a: ("sequence", set_of("actions")),
    ),
    *ask(
        COUNTING,
        rf"how many steps does <actor> take, {PASSING}\?",
        rf"{PASSING}, how many steps does <actor> take\?",
        build=lambda a: ("steps", a.moment),
        moments=MAYBE,
    ),
    *ask(
        COUNTING,
        r"how many times does <actor> raise its (?P<limb>.+) above its (?P<other>.+)\?",
        r"count how many times <actor> raises its (?P<limb>.+) from below its (?P<other>.+) to above it\. "
        r"how many are there\?",
        build=lambda a: ("raises", a.gaps["limb"], a.gaps["other"], a.moment),
        moments=MAYBE,
    ),
    *ask(
        COUNTING,
        rf"{OWN_VIEW}, how many times does <actor> move its (?P<limb>.+?) (?P<way>{WAYS})\?",
        rf"how many times does <actor> move its (?P<limb>.+?) (?P<way>{WAYS}), {OWN_VIEW}\?",
        build=lambda a: ("strokes", a.gaps["limb"], a.gaps["way"].removeprefix("to its "), a.moment),
        moments=MAYBE,
    ),
    *ask(
        COUNTING,
        r"how many patches of paint does <actor> have, counted all around it\?",
        r"how many patches of paint are there on <actor>, counted all around it\?",
        build=lambda a: ("patches_there", a.moment),
        moments=(1,),
    ),
    *ask(
        COUNTING,
        r"the film is cut into four parts of the same length\. in how many of them does <actor> hold its "
        r"(?P<limb>.+) above its (?P<other>.+) at some time\?",
        r"in how many of the four quarters of the film is there a time at which <actor> holds its "
        r"(?P<limb>.+) above its (?P<other>.+)\?",
        build=lambda a: ("quarters_above", a.gaps["limb"], a.gaps["other"]),
    ),
    *ask(
        COUNTING,
        r"how many of its legs does <actor> have on the ground\?",
        build=lambda a: ("legs_down", a.moment),
        moments=(1,),
    ),
)

"""The sentences that ask how the object alone moves its limbs, how often, and what it does in order."""

from __future__ import annotations

from fathom.benchmarks.fourdbench.sentences.meaning import set_of
from fathom.benchmarks.fourdbench.sentences.patterns import ask

ACTION, COUNTING = "action", "object_counting"

MAYBE = (0, 1)
OWN_VIEW = r"(?:, from its own point of view)?"
QUARTER = r"(?:in which quarter of the video|when)"
WAYS = r"forward|backward|up|down|to its left|to its right"


LIMB_MOTION = (
    *ask(
        ACTION,
        r"in which direction does <actor> move its (?P<limb>.+)\?",
        r"how does <actor> move its (?P<limb>.+)\?",
        r"which way does <actor> move its (?P<limb>.+)\?",
        build=lambda a: ("limb_line", a.gaps["limb"], a.moment),
        moments=MAYBE,
    ),
    *ask(
        ACTION,
        r"what does <actor> do with its (?P<limb>.+)\?",
        build=lambda a: ("limb_course", a.gaps["limb"], a.moment),
        moments=MAYBE,
    ),
    *ask(
        ACTION,
        r"which of these does <actor> keep still\?",
        r"which part of <actor> keeps still\?",
        build=lambda a: ("limbs_still", a.moment),
        moments=MAYBE,
    ),
    *ask(
        ACTION,
        r"what is <actor> doing when it turns to its (?:own )?(?P<side>left|right)\?",
        build=lambda a: ("verb", ("turning", a.gaps["side"], set_of("actions"))),
    ),
    *ask(
        ACTION,
        r"what does <actor> do in the video, in the right order\?",
        r"which of these tells in the right order what <actor> does\?",
        r"what does <actor> do in the video, and in which order\?",
        r"in which order does <actor> perform its actions\?",
        build=lambda a: ("sequence", set_of("actions")),
    ),
    *ask(
        ACTION,
        r"what is <actor> seen doing in the video\?",
        r"what does <actor> do in the video\?",
        build=lambda a: ("deeds", set_of("actions")),
    ),
    *ask(
        COUNTING,
        r"how many steps does <actor> take\?",
        build=lambda a: ("steps", a.moment),
        moments=MAYBE,
    ),
    *ask(
        COUNTING,
        r"how many times does <actor> raise its (?P<limb>.+) above its (?P<other>.+)\?",
        build=lambda a: ("raises", a.gaps["limb"], a.gaps["other"], a.moment),
        moments=MAYBE,
    ),
    *ask(
        COUNTING,
        rf"how many times does <actor> move its (?P<limb>.+?) (?P<way>{WAYS}){OWN_VIEW}\?",
        build=lambda a: ("strokes", a.gaps["limb"], a.gaps["way"].removeprefix("to its "), a.moment),
        moments=MAYBE,
    ),
    *ask(
        COUNTING,
        r"how many (?:of its )?legs does <actor> have on the ground\?",
        build=lambda a: ("legs_down", a.moment),
        moments=(1,),
    ),
)

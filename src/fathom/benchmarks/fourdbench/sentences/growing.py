"""The sentences that ask about what grows on the object alone."""

from __future__ import annotations

from fathom.benchmarks.fourdbench.sentences.limbs import during
from fathom.benchmarks.fourdbench.sentences.meaning import Node, set_of
from fathom.benchmarks.fourdbench.sentences.patterns import ParsedSentence, ask
from fathom.records import ContradictionError

ACTION, COUNTING = "action", "object_counting"
SPATIAL, APPEARANCE = "spatial_relationship", "appearance"

GROWN = {
    "horns": "horn", "horn": "horn", "antennas": "antenna", "antenna": "antenna", "spikes": "spike",
    "spike": "spike", "fins": "fin", "fin": "fin", "mushrooms": "mushroom", "mushroom": "mushroom",
    "flowers": "flower", "flower": "flower", "crystals": "crystal", "crystal": "crystal",
    "cherries": "cherry", "cherry": "cherry", "lamps": "lamp", "lamp": "lamp",
}  # fmt: skip
"""Words for what grows on an actor → what each such object is."""

PLACES = {
    "left side": "left side", "right side": "right side", "back": "back", "top": "back", "head": "head",
    "chest": "chest", "front": "chest",
}  # fmt: skip

WHAT, PLACE = rf"(?P<what>{'|'.join(GROWN)})", rf"(?P<place>{'|'.join(PLACES)})"
OTHER_PLACE = rf"(?P<other>{'|'.join(PLACES)})"
NEW = r"(?P<new>new )?"
RANKED = rf"(?P<rank>the first|the last|the second|the only|the|an?) {NEW}{WHAT}"


def _growing(a: ParsedSentence, place: str = "") -> str:
    """Return what grows on the actor by its words. Raises ContradictionError where it does not grow there."""
    name = GROWN[a.gaps["what"]]
    found = [o.attributes.get("worn_on", "") for o in a.cast.scene.objects if o.subtype == name]
    if not found or (place and set(found) != {place}):
        raise ContradictionError(f"no {name} grows on the {place or 'actor'}")
    return name


def _all(a: ParsedSentence, *filters: Node, place: str = "anywhere") -> Node:
    """Return what grows on the actor, narrowed."""
    return set_of(f"growing {_growing(a)} {place}", *filters)


def _place(a: ParsedSentence) -> str:
    return PLACES[a.gaps["place"]]


def _events(a: ParsedSentence, what: str, *filters: Node) -> Node:
    """Return the comings or goings of what is named. Raises ContradictionError where others come and go."""
    name = _growing(a)
    others = [o.id for o in a.cast.scene.objects if o.events and o.subtype != name]
    if others:
        raise ContradictionError(f"no {name}, and it comes or goes as well: {', '.join(others)}")
    return set_of(f"sprouting {what}", *filters)


def _sprouts(a: ParsedSentence) -> Node:
    """Return the coming or going that is told by its rank, or that is the only one."""
    rank = a.gaps["rank"].removeprefix("the ") if not a.gaps.get("late") else "last"
    if rank == "second":
        return ("nth", "2", _events(a, _of(a)))
    return (rank if rank in ("first", "last") else "the", _events(a, _of(a)))


def _done(node: Node) -> Node:
    return ("verb", node)


def _actions(*filters: Node) -> Node:
    return set_of("actions", *filters)


TIME = rf"{RANKED} (?P<how>appears|disappears)(?P<late> for the last time)?"

GROWING = (
    *ask(
        COUNTING,
        rf"how many {WHAT} does <actor> have on its {PLACE}\?",
        build=lambda a: ("grown", _growing(a, _place(a))),
    ),
    *ask(
        APPEARANCE,
        rf"what color (?:is|are) <actor>'s {WHAT}\?",
        build=lambda a: ("grown_color", _growing(a)),
    ),
    *ask(
        APPEARANCE,
        rf"what color (?:is|are) the {WHAT} on <actor>'s {PLACE}\?",
        rf"what color (?:is|are) the only {WHAT} that <actor> has on its {PLACE}\?",
        build=lambda a: ("grown_color", _growing(a, _place(a))),
    ),
    *ask(
        APPEARANCE,
        rf"what does <actor> have growing on its {PLACE}\?",
        build=lambda a: ("grown_on", _place(a)),
    ),
    *ask(
        COUNTING,
        rf"how many {WHAT} does <actor> have\?",
        build=lambda a: ("count", _all(a, ("there", a.moment))),
        moments=(1,),
    ),
    *ask(
        COUNTING,
        rf"how many {WHAT} does <actor> have on its {PLACE}\?",
        build=lambda a: ("count", _all(a, ("there", a.moment), place=_place(a))),
        moments=(1,),
    ),
    *ask(
        COUNTING,
        rf"how many of <actor>'s {WHAT} are there all through the video\?",
        build=lambda a: ("count", _all(a, ("there", ("start",)), ("there", ("end",)))),
    ),
    *ask(
        COUNTING,
        rf"how many {WHAT} are seen on <actor> in all, counting also those that come or go\?",
        rf"how many {WHAT} in all are seen on <actor> over the whole video, if each is counted once\?",
        rf"how many {WHAT} in total are seen on <actor> during the video\?",
        rf"how many different {WHAT} are seen on <actor> over the whole video\?",
        build=lambda a: ("count", _all(a)),
    ),
    *ask(
        COUNTING,
        rf"how many {NEW}{WHAT} (?P<how>appear on|disappear from) <actor> (?:in|during) the video\?",
        build=lambda a: ("count", _events(a, _of(a))),
    ),
    *ask(
        COUNTING,
        rf"how many {NEW}{WHAT} (?P<how>appear on|disappear from) <actor>\?",
        build=lambda a: ("count", _events(a, _of(a), ("within", during(a)))),
        moments=(1,),
    ),
    *ask(
        ACTION,
        rf"what is <actor> doing when {TIME}\?",
        build=lambda a: _done(("the", _actions(("around", ("while", _sprouts(a)))))),
    ),
    *ask(
        ACTION,
        rf"what does <actor> (?:start to do|start doing|do) next, after {TIME}\?",
        rf"after {TIME}, what does <actor> start to do\?",
        build=lambda a: _done(("next", _actions(), _sprouts(a))),
    ),
    *ask(
        ACTION,
        rf"what is the last thing that <actor> finishes doing before {TIME}\?",
        build=lambda a: _done(("last", _actions(("earlier", _sprouts(a))))),
    ),
    *ask(
        SPATIAL,
        rf"where on <actor> does {RANKED} (?P<how>appear)\?",
        rf"where on <actor> (?:is|was) {RANKED} (?P<how>that disappears|to disappear)\?",
        build=lambda a: ("place_of", ("subject", _sprouts(a))),
    ),
    *ask(
        SPATIAL,
        r"where on <actor> is <thing>\?",
        build=lambda a: ("place_of", a.obj),
    ),
    *ask(
        COUNTING,
        rf"how many {WHAT} does <actor> have on its {PLACE} and (?:how many )?on its {OTHER_PLACE}\?",
        build=lambda a: (
            "side_counts",
            f"{_place(a)}+{PLACES[a.gaps['other']]}",
            _all(a, ("there", a.moment)),
        ),
        moments=(1,),
    ),
    *ask(
        APPEARANCE,
        rf"what colors are the {WHAT} on <actor>\?",
        rf"what colors of {WHAT} does <actor> have\?",
        build=lambda a: ("colors_of", _all(a, ("there", a.moment))),
        moments=(1,),
    ),
    *ask(
        APPEARANCE,
        rf"what are the colors of all the {WHAT} that are seen on <actor> over the whole video\?",
        rf"what colors of {WHAT} are seen on <actor> during the video\?",
        build=lambda a: ("colors_of", _all(a)),
    ),
    *ask(
        APPEARANCE,
        rf"what color is the only {WHAT} that <actor> has on its {PLACE}\?",
        build=lambda a: ("own_color", ("only", _all(a, ("there", a.moment), place=_place(a)))),
        moments=(1,),
    ),
    *ask(
        APPEARANCE,
        rf"what color is {RANKED} (?P<how>(?:that|to) (?:appears?|disappears?)) (?:on|from) <actor>\?",
        build=lambda a: ("own_color", ("subject", _sprouts(a))),
    ),
)


def _of(a: ParsedSentence) -> str:
    """Return what happens. Raises ContradictionError where what goes is called new, or what comes is not
    while others are there from the start: but "the last one to appear" is none of these.
    """
    comes, new = "disappear" not in a.gaps["how"], bool(a.gaps["new"])
    name = GROWN[a.gaps["what"]]
    own = [o for o in a.cast.scene.objects if o.subtype == name]
    besides = any(all(e.what != "appears" for e in o.events) for o in own)
    plain = a.gaps["how"] == "to appear"
    if (new and not comes) or (besides and comes and not new and not plain):
        raise ContradictionError("what comes besides others is new, and what goes is not")
    return "appears" if comes else "vanishes"

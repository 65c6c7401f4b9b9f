"""The sentences that ask how many there are, where they are, and what they look like."""

from __future__ import annotations

from fathom.benchmarks.fourdbench.sentences.meaning import WHOLE, Node, set_of
from fathom.benchmarks.fourdbench.sentences.patterns import ParsedSentence, ask
from fathom.records import UnreadableError

COUNTING, SPATIAL, APPEARANCE = "object_counting", "spatial_relationship", "appearance"

MAYBE = (0, 1)

CHANGE = {
    "appear": "appears", "vanish": "vanishes", "disappear": "vanishes", "change color": "recolours",
    "turn into something else": "swaps",
}  # fmt: skip
"""What several objects do → the kind of change."""

ANY = r"appear, (?:vanish|disappear), change color, or turn into something else"
ANY_PAST = r"appeared, (?:vanished|disappeared), changed color, or turned into something else"
COMING = r"counting also those that come or go"
NOT_THE_ACTOR = r"apart from <actor> and anything that it carries"
THING = r"(?:<thing>|it|they)"
IS = r"(?:is|are)"
HIDDEN = r"(?:mostly )?hidden"
OUT_OF_SIGHT = r"(?:mostly )?out of sight"

PLACES = {
    "on its head": "head", "on its back": "back", "under its belly": "belly",
    "in its left hand": "left hand", "in its right hand": "right hand",
}  # fmt: skip
PLACE = rf"(?P<place>{'|'.join(PLACES)})"


def _there(a: ParsedSentence) -> Node:
    return ("there", a.moment)


def _standing(*filters: Node) -> Node:
    return set_of("standing", *filters)


def _on_side(a: ParsedSentence) -> Node:
    return _standing(("side", a.side, a.moment))


def _unseen(a: ParsedSentence) -> Node:
    """Return what is hidden from in front of the actor, though it is there."""
    return _standing(_there(a), ("hidden", "front", a.moment))


def _carried(a: ParsedSentence, *filters: Node) -> Node:
    return ("only", set_of("carried", ("place", PLACES[a.gaps["place"]]), *filters))


def _extreme(a: ParsedSentence, which: str, obj: Node) -> Node:
    return (which, _standing(), obj, a.moment)


def _carried_name(a: ParsedSentence) -> Node:
    # Without a time, it is carried all the time.
    return ("name", _carried(a, *([_there(a)] if a.found.moments else [])), a.moment)


def _color(a: ParsedSentence) -> Node:
    """Return the colour of what is named: an object, or a part of the actor."""
    called = a.found.parts[0] if a.found.parts else "" if a.found.objects else a.found.antecedent()
    if a.found.parts or called.startswith("part "):
        return ("part_color", called.removeprefix("part "), a.moment)
    return ("color", a.obj, a.moment)


def _changed(*filters: Node) -> Node:
    return ("count", set_of("events", *filters))


def _course(a: ParsedSentence) -> Node:
    if a.moment[0] != "while":
        raise UnreadableError("asked of an action, and no action is named")
    return a.moment


NUMBERS = (
    *ask(
        COUNTING,
        r"how many (?P<kind>.+) are there around <actor>\?",
        r"count the (?P<kind>.+) that are there\. how many are there\?",
        r"whatever their color, how many (?P<kind>.+) can be counted\?",
        r"how many (?P<kind>.+) stand around <actor>\?",
        build=lambda a: ("count", a.kinds(_there(a))),
        moments=MAYBE,
    ),
    *ask(
        COUNTING,
        rf"{NOT_THE_ACTOR}, how many objects are there\?",
        build=lambda a: ("count", _standing(_there(a))),
        moments=MAYBE,
    ),
    *ask(
        COUNTING,
        rf"{NOT_THE_ACTOR}, how many objects are (?P<color>[^<>]+)\?",
        build=lambda a: ("count", _standing(_there(a), ("colored", a.gaps["color"], a.moment))),
        moments=MAYBE,
    ),
    *ask(
        COUNTING,
        r"how many objects stand around <actor> both <moment> and <moment>\?",
        r"of the objects that stand around <actor> <moment>, how many also stand there <moment>\?",
        build=lambda a: ("count", _standing(*(("there", m) for m in a.found.moments))),
        moments=(2,),
    ),
    *ask(
        COUNTING,
        rf"how many (?P<kind>.+) are there in the video, {COMING}\?",
        rf"{COMING}, how many (?P<kind>.+) does the video show in all\?",
        r"how many (?P<kind>.+) stand around <actor> at one time or another\?",
        rf"{COMING}, how many (?P<kind>.+) stand around <actor> in all\?",
        build=lambda a: ("count", a.kinds()),
    ),
    *ask(
        COUNTING,
        rf"how many things {ANY} in the video\?",
        rf"in all, how many things {ANY}\?",
        build=lambda a: _changed(),
    ),
    *ask(
        COUNTING,
        rf"how many objects (?P<change>{'|'.join(CHANGE)}) in the course of the video\?",
        build=lambda a: _changed(("filter_event", CHANGE[a.gaps["change"]])),
    ),
    *ask(
        COUNTING,
        rf"how many things {ANY}\?",
        build=lambda a: _changed(("within", _course(a))),
        moments=(1,),
    ),
    *ask(
        COUNTING,
        rf"how many things have {ANY_PAST} before <actor> starts (?P<verb>.+)\?",
        build=lambda a: _changed(("earlier", a.act)),
    ),
    *ask(
        COUNTING,
        rf"how many things {ANY} after <actor> has finished (?P<verb>.+)\?",
        build=lambda a: _changed(("later", a.act)),
    ),
    *ask(
        COUNTING,
        r"how many objects are <side>\?",
        r"count the objects <side>\. how many are there\?",
        build=lambda a: ("count", _on_side(a)),
        moments=MAYBE,
    ),
    *ask(
        COUNTING,
        rf"<front>, how many objects are {HIDDEN}\?",
        rf"how many objects are {OUT_OF_SIGHT} <front>\?",
        build=lambda a: ("count", _unseen(a)),
        moments=MAYBE,
    ),
    *ask(
        COUNTING,
        r"how many legs does <actor> have\?",
        r"count the legs of <actor>\. how many are there\?",
        build=lambda a: ("legs",),
    ),
)

PLACED = (
    *ask(
        SPATIAL,
        rf"from <actor>'s own point of view, (?:where|on which side) {IS} {THING}\?",
        r"find <thing>\. from <actor>'s own point of view, where is it\?",
        r"find <thing>\. where is it, from <actor>'s own point of view\?",
        build=lambda a: ("side_of", a.obj, a.moment),
        moments=MAYBE,
    ),
    *ask(
        SPATIAL,
        r"find <thing>\. which of the other objects is nearest to it\?",
        r"find <thing>\. apart from <actor>, what is closest to it\?",
        r"which of the other objects is nearest to <thing>\?",
        r"apart from <actor>, what is closest to <thing>\?",
        build=lambda a: ("name", _extreme(a, "nearest", a.obj), a.moment),
        moments=MAYBE,
    ),
    *ask(
        SPATIAL,
        r"find <thing>\. which object is on the opposite side of <actor> from it\?",
        r"find <thing>\. looking from it straight across <actor>, which object is on the other side\?",
        r"which object is on the opposite side of <actor> from <thing>\?",
        r"looking from <thing> straight across <actor>, which object is on the other side\?",
        build=lambda a: ("name", _extreme(a, "opposite", a.obj), a.moment),
        moments=MAYBE,
    ),
    *ask(
        SPATIAL,
        rf"seen from which side of <actor> {IS} {THING} {HIDDEN}\?",
        rf"from which side of <actor> {IS} {THING} {OUT_OF_SIGHT}\?",
        build=lambda a: ("hidden_from", a.obj, a.moment),
        moments=MAYBE,
    ),
    *ask(
        SPATIAL,
        r"(?:what|which object) is <side>\?",
        build=lambda a: ("name", ("only", _on_side(a)), a.moment),
        moments=MAYBE,
    ),
    *ask(
        SPATIAL,
        r"which object is nearest to <actor>\?",
        r"what stands closest to <actor>\?",
        build=lambda a: ("name", _extreme(a, "nearest", ("actor",)), a.moment),
        moments=MAYBE,
    ),
    *ask(
        SPATIAL,
        r"which object is farthest from <actor>\?",
        r"what stands farthest from <actor>\?",
        build=lambda a: ("name", _extreme(a, "farthest", ("actor",)), a.moment),
        moments=MAYBE,
    ),
    *ask(
        SPATIAL,
        r"(?:what stands on top of|which object is on) <thing>\?",
        build=lambda a: ("name", ("only", _standing(("on", a.obj, a.moment))), a.moment),
        moments=MAYBE,
    ),
    *ask(
        SPATIAL,
        rf"which of these is there, but {HIDDEN}, <front>\?",
        rf"which of these is there, but {OUT_OF_SIGHT} <front>\?",
        build=_unseen,
        moments=MAYBE,
    ),
)

LOOKS = (
    *ask(
        APPEARANCE,
        rf"what color {IS} (?:<part>|{THING})\?",
        r"find <thing>\. what color is it\?",
        r"find <thing>\. what is its color\?",
        build=_color,
        moments=MAYBE,
    ),
    *ask(
        APPEARANCE,
        r"which (?:part|of these parts) of <actor> is (?P<color>[^<>]+)\?",  # as in schema 1
        build=lambda a: ("part_colored", a.gaps["color"], WHOLE),
    ),
    *ask(
        APPEARANCE,
        r"what color is the object that is nearest to <thing>, apart from <actor>\?",
        r"what color is the object that is closest to <thing>, not counting <actor>\?",
        build=lambda a: ("color", _extreme(a, "nearest", a.obj), a.moment),
        moments=MAYBE,
    ),
    *ask(
        APPEARANCE,
        r"what color is the object that is (?:nearest|closest) to <actor>\?",
        build=lambda a: ("color", _extreme(a, "nearest", ("actor",)), a.moment),
        moments=MAYBE,
    ),
    *ask(
        APPEARANCE,
        r"what color is the object that is <side>\?",
        build=lambda a: ("color", ("only", _on_side(a)), a.moment),
        moments=MAYBE,
    ),
    *ask(
        APPEARANCE,
        rf"<front>, one object is {HIDDEN}\. what color is it\?",
        rf"what color is the object that is {HIDDEN} <front>\?",
        build=lambda a: ("color", ("only", _unseen(a)), a.moment),
        moments=MAYBE,
    ),
    *ask(
        APPEARANCE,
        r"what color is the object on the opposite side of <actor> from <thing>\?",
        r"looking from <thing> straight across <actor>, what color is the object on the other side\?",
        build=lambda a: ("color", _extreme(a, "opposite", a.obj), a.moment),
        moments=MAYBE,
    ),
    *ask(
        APPEARANCE,
        rf"what does <actor> have {PLACE}\?",
        rf"which object is it that <actor> has {PLACE}\?",
        build=_carried_name,
        moments=MAYBE,
    ),
    *ask(
        APPEARANCE,
        rf"what color is the thing that <actor> has {PLACE}\?",
        build=lambda a: ("color", _carried(a, _there(a)), a.moment),
        moments=MAYBE,
    ),
    *ask(
        APPEARANCE,
        r"which of these is (?P<color>[^<>,]+)\?",
        r"which one of these objects is (?P<color>[^<>,]+)\?",
        build=lambda a: set_of("things", _there(a), ("colored", a.gaps["color"], a.moment)),
        moments=MAYBE,
    ),
)

OBJECTS = (*NUMBERS, *PLACED, *LOOKS)

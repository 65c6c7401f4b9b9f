"""Where false choices come from: what is true of another time, view, part or object of the same film first.

Every key here is false, or is found out not to be by who draws the choices.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, permutations, product

from fathom.programs.growths import BRIGHT, TAKEN_FOR, different, growing
from fathom.programs.limb_groups import group_of, members, tools
from fathom.programs.limb_motion import COURSES, LINES, STILL, still_limbs
from fathom.programs.limb_positions import named_limbs
from fathom.programs.sides import SEEN_WAYS
from fathom.programs.state import ACTS, HARDLY_SHOWS, TOGETHER
from fathom.programs.views.animated import QUARTERS
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.templates import Fill, Template
from fathom.records import Scene

OTHER_TIME, OTHER_OBJECT, OTHER_PART, OTHER_VIEW = "other time", "other object", "other part", "other view"
OTHER_ORDER, OTHER_NUMBER, ABSENT, PRIOR = "other order", "other number", "absent", "prior"
RIVAL = "rival"
"""What is true of another object that is there at the very moment that a question is about."""


WAYS = ("forward", "backward", "left", "right", "up", "down")

LIMB_PLACES = ("front", "behind", "left", "right", "above", "below")

LOOK_ALIKE = (frozenset(("sword", "wand")),)
"""Names of props that are taken for one another where they are small: never choices beside one another."""

TAKEN_IN_STILLS = (
    frozenset(("kick", "gallop")),
    frozenset(("flinch", "bite")),
    frozenset(("flinch", "bend_down")),
    frozenset(("flinch", "punch")),
    frozenset(("nod", "shake_head")),
)
"""Actions that are taken for one another by who sees two pictures of them: a kick begins with the legs
together, as a stride does, who is hit opens the mouth, ducks or throws up the arms, and of a head that is
turned a little nobody knows whether it is nodded or shaken.
"""

WITH_ARMS = frozenset(("slash",))
"""What who carries something seems to do as the arms swing."""

BEFORE = re.compile(r"\b(first|earlier|previous)\b")
"""Operators of forms about what happens early: what is there from the start could be said to appear there."""

STIRS = 3.0
"""How firmly what is offered moves where it is asked what keeps still: a foot that shifts is none."""

FEWEST_SUITED = 3
"""Where no more props than these can be, choices come from everywhere."""


@dataclass(frozen=True)
class Option:
    """A choice: its key in programs, its text, what it is true of, and which keys say nearly the same."""

    key: str
    text: str
    source: str
    alike: frozenset[str] = frozenset()

    def nearly(self, other: Option) -> bool:
        """Return whether two choices are of the same kind, so that both beside an answer give it away."""
        own, others = (o.key.split(":")[1:2] for o in (self, other))
        return (bool(own) and own == others) or other.key in self.alike or self.key in other.alike


@dataclass(frozen=True)
class Supply:
    """What choices are taken from where a film itself has too few: all verbs of each asset, and the names and
    colours of props in general.

    `places` has where each prop can be: "ground", or a place on an actor ("head", "hand"); a name without any
    can be everywhere. `rivals` gives what else a scene's actor could do, and plainly does not.
    """

    verbs: Mapping[str, tuple[str, ...]]
    names: tuple[str, ...]
    colors: tuple[str, ...]
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rivals: Callable[[Scene], tuple[str, ...]] | None = None

    def suits(self, name: str, place: str) -> bool:
        """Return whether a prop of that name could be at a place; "" is anywhere."""
        return not place or name not in self.places or place in self.places[name]


_Source = Iterator[tuple[str, str]]


def taken_for(stage: AnimatedContext, verb: str) -> frozenset[str]:
    """Return the verbs that an action is taken for, by the lexicon or in stills."""
    stills = (pair - {verb} for pair in TAKEN_IN_STILLS if verb in pair)
    return frozenset(stage.verbs[verb].alike).union(*stills)


def _alike(stage: AnimatedContext, one: str, done: str) -> bool:
    """Return whether an action would be taken for one that is done: who falls may leave the ground, as who
    jumps does.
    """
    if one == done or done in taken_for(stage, one) or one in taken_for(stage, done):
        return True
    return one in stage.language.jumps and done in stage.language.falls


def absent_verbs(stage: AnimatedContext, supply: Supply) -> list[str]:
    """Return verbs that the film does not show, nor anything like them: of the asset, then of others.

    What hardly shows is not spoken of, and could still be taken for something else.
    """
    own = {h.key for h in stage.actions if h.key in stage.verbs}
    own = {o for o in own if stage.can_say(o) or o in HARDLY_SHOWS}
    asset = stage.scene.objects[0].asset.name
    others = supply.rivals(stage.scene) if supply.rivals else ()
    taken = WITH_ARMS if _carries(stage) else frozenset[str]()
    return [
        v
        for v in (*supply.verbs.get(asset, ()), *others)
        if stage.can_say(v) and v not in taken and not any(_alike(stage, v, o) for o in own)
    ]


def _carries(stage: AnimatedContext) -> bool:
    """Return whether the actor has something in its hands."""
    held = any(place.endswith("hand") for place in stage.timeline.places)
    return held or bool(tools(stage.timeline.visibility.limbs_of(0)))


def _verbs(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    for h in stage.actions:
        if h.key in stage.verbs and not _alike(stage, h.key, answer):
            yield h.key, OTHER_TIME
    for v in absent_verbs(stage, supply):
        yield v, ABSENT


def _only_absent_verbs(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    for v in absent_verbs(stage, supply):
        yield v, ABSENT


def _film_verbs(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    for v in stage.plain_verbs:
        yield v, OTHER_TIME


def _happenings(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield what happens at another time, then what does not happen: each thing's events on another thing."""
    timeline = stage.timeline
    own = {h.key for h in timeline.happenings}
    for h in stage.single_events:
        yield h.key, OTHER_TIME
    busy = {h.object_id: h.what for h in stage.single_events if h.key != answer}
    busy |= {h.object_id: "" for h in stage.single_events if h.key == answer}
    every: list[tuple[str, str]] = [("vanishes", ""), ("appears", "")]
    every += [("recolours", c) for c in supply.colors]
    own_growths = growing(timeline)
    for k in range(1, len(stage.labels)):
        if not stage.labels[k] or busy.get(k) == "":
            continue
        # What grows on an actor comes or goes, and nothing else becomes of it.
        changes = every[:2] if k in own_growths else every
        if BEFORE.search(form.program) and timeline.visibility.there[0, k]:
            changes = [c for c in changes if c[0] != "appears"]
        for what, detail in changes:
            key = f"{what}:{timeline.keys[k]}" + (f":{detail}" if detail else "")
            if key not in own and busy.get(k) != what and detail not in timeline.colors[k]:
                yield key, ABSENT


def _own_happenings(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield what could become of the same object: first what becomes of others."""
    timeline = stage.timeline
    obj = answer.split(":")[1]
    k = timeline.keys.index(obj)
    own = {h.key for h in timeline.happenings}
    others = [(h.what, h.detail.rpartition("=")[2]) for h in timeline.happenings if h.what != ACTS]
    absent = [("vanishes", ""), ("appears", "")]
    absent += [("recolours", c) for c in supply.colors] + [("swaps", n) for n in supply.names]
    for (what, detail), source in [*((o, OTHER_OBJECT) for o in others), *((a, ABSENT) for a in absent)]:
        key = f"{what}:{obj}" + (f":{detail}" if detail else "")
        fits = what != "swaps" or supply.suits(detail, _stand_of(stage, k))
        if fits and key not in own and detail not in (*timeline.colors[k], *timeline.names[k]):
            yield key, source


def _orders(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    for one in permutations(answer.split(">")):
        yield ">".join(one), OTHER_ORDER


def _numbers(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    for n in range(max(form.least, int(answer) - 3), int(answer) + 4):
        yield str(n), OTHER_NUMBER


def _fixed(keys: Sequence[str], source: str) -> Callable[..., _Source]:
    def found(
        stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
    ) -> _Source:
        for key in keys:
            yield key, source

    return found


def _limbs(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield other limbs that are there, but no tools, and none that the answer is a piece of, or that is a
    piece of it.
    """
    whole = {"hand": "arm", "foot": "leg", "paw": "leg", "hoof": "leg"}
    *side, last = answer.split(" ")
    gone = {e.removeprefix("remove:") for e in stage.scene.objects[0].asset.edits}
    gone |= tools(stage.timeline.visibility.limbs_of(0))
    for name in stage.timeline.visibility.limbs_of(0):
        *other, end = name.split(" ")
        if name in gone:
            continue
        if other != side or whole.get(last, last) != whole.get(end, end):
            yield name, OTHER_PART


def _group_limbs(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield the other limbs of the actor's arms and legs, or its wings."""
    names = named_limbs(stage.timeline)
    for name in members(group_of(names), names):
        yield name, OTHER_PART


def _moving_limbs(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield the limbs that plainly move at the time, where it is asked which one keeps still."""
    acts = {f"while {h.key}": (h.first, h.last) for h in stage.actions}
    moment = acts.get(fills["M"].key, (0, stage.timeline.frames - 1))
    firm = still_limbs(stage.timeline, moment)
    moving = [(k, s) for k, s in _limbs(stage, form, fills, answer, supply) if firm.get(k, 0.0) <= -STIRS]
    # Where only legs move everybody knows what does not.
    if not all(key.endswith("leg") for key, _ in moving):
        yield from moving


def _sequences(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield the actions the other way round; then others, or in another order, and those reversed as well.

    To each choice belongs its reversal, so that none shares more with the others than any other does.
    """
    own = answer.split(">")
    others = [[own[1], own[0], *own[2:]]] if len(own) > 2 else []
    others += [[own[0], v, *own[2:]] for v in absent_verbs(stage, supply) if len(own) == 2][:1]
    for one in [own[::-1], *(o for other in others[:1] for o in (other, other[::-1]))]:
        yield ">".join(one), OTHER_ORDER


def _deeds(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield what is done with one action exchanged, with another one, and with both.

    So each of four actions stands in two choices, and none tells which of them is right.
    """
    own, others = answer.split(TOGETHER), absent_verbs(stage, supply)
    start = int(stage.scene.id, 16) % max(len(others), 1)
    for pair in list(pairwise([*others[start:], *others[:start]]))[:1]:
        swaps = dict(zip(own, pair, strict=False))
        for gone in ([own[0]], [own[1]], own[:2]):
            yield TOGETHER.join(swaps[v] if v in gone else v for v in own), ABSENT


def _parts(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    for f in stage.fills("part"):
        yield f.key, OTHER_PART


def _names(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield the names of other objects of the film, then of others, all of which could be where it is."""
    timeline, place = stage.timeline, _place_of(stage, form, fills, supply)
    unlike = [group for group in LOOK_ALIKE if answer in group]
    there = {timeline.names[k][f] for k in timeline.subjects for f in (0, timeline.frames - 1)}
    for k in timeline.subjects:
        for name in dict.fromkeys(timeline.names[k]):
            if supply.suits(name, place) and not any(name in group for group in unlike):
                yield name, OTHER_OBJECT if name in there else OTHER_TIME
    # Who has a sword by its model has a sword in that hand.
    own = {n.split(" ")[-1] for n in timeline.visibility.limbs_of(0)}
    for name in (n for n in supply.names if n.split(" ")[-1] not in own):
        known = any(name in course for course in timeline.names) or any(name in group for group in unlike)
        if supply.suits(name, place) and not known:
            yield name, ABSENT


def _place_of(stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], supply: Supply) -> str:
    """Return where the object is that a question is about: on the ground or at a place of the actor; "" where
    hardly any other prop could be.
    """
    if "place:$Q" in form.program:
        place = fills["Q"].key.split(" ")[-1]
        return place if sum(place in p for p in supply.places.values()) > FEWEST_SUITED else ""
    if form.slots.get("T") == "turning":
        return _stand_of(stage, stage.first_labels.index(fills["T"].key))
    return "ground" if "standing" in form.program.split() else ""


def _stand_of(stage: AnimatedContext, obj: int) -> str:
    """Return where an object is: on the ground or at a place of the actor."""
    return (stage.timeline.places[obj] or "ground").split(" ")[-1]


def _objects(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield the other objects: those that stand where the answer stands, those that are carried where it is;
    what sits on a head is no rival of what may stand behind a screen.
    """
    places = stage.timeline.places
    carried = bool(places[stage.labels.index(answer)])
    for k in range(1, len(stage.labels)):
        if stage.labels[k] and bool(places[k]) == carried:
            yield stage.labels[k], OTHER_OBJECT


def _colors(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    timeline = stage.timeline
    steady = [
        c for course in timeline.colors[1:] for c in course if len(set(course)) > 1 and answer in course
    ]
    for color in dict.fromkeys(steady):
        yield color, OTHER_TIME
    for course in timeline.colors[1:]:
        for color in dict.fromkeys(course):
            yield color, OTHER_OBJECT
    for course in timeline.parts.values():
        for color in dict.fromkeys(course):
            yield color, OTHER_PART
    for color in supply.colors:
        yield color, ABSENT


def _part_hues(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield the colours that nobody would take for the answer, parts being shaded as they are."""
    for color, source in _colors(stage, form, fills, answer, supply):
        if frozenset((color, answer)) not in stage.language.alike_colors:
            yield color, source


def _growths(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield what else could grow at the place, and is not taken for what does."""
    for name in stage.growths_at(fills["Q"].key):
        if not any({name, answer} <= alike for alike in TAKEN_FOR):
            yield name, ABSENT


def _growing_places(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield the other places of the actor: those where something grows first. Where the head of a fish or a
    bee ends, and its back begins, nobody knows.
    """
    own = {stage.timeline.places[k] for k in growing(stage.timeline)}
    necked = any("neck" in n.split(" ") for n in stage.timeline.visibility.limbs_of(0))
    one = set() if necked or stage.is_upright else {"head", "back"}
    for place in sorted(stage.places_there(), key=lambda p: p not in own):
        if {place, answer} != one:
            yield place, OTHER_OBJECT if place in own else ABSENT


def _color_sets(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield the colors with one more or less, with another one, and with both: two colors that may or may not
    be among them, those of what grows at other times first. So each of the two stands in two choices.
    """
    own, start = answer.split(TOGETHER), int(stage.scene.id, 16)
    others = [c for k in growing(stage.timeline) for c in stage.timeline.colors[k]]
    taken = {c for course in stage.timeline.parts.values() for c in course}
    spare = [c for c in BRIGHT if c not in taken and different(c, (*own, *others))]
    turn = start % max(len(spare), 1)
    absent = [c for c in dict.fromkeys((*others, *spare[turn:], *spare[:turn])) if c not in own][:2]
    # At least one color is in all choices, and any of the four is as likely to be right.
    fewest, most = 2 - len(absent), min(2, len(own) - 1)
    ways = [k for k in (0, 1, 1, 2) if fewest <= k <= most]
    kept = ways[start % len(ways)] if ways else 0
    two = [own[(start + k) % len(own)] for k in range(kept)] + absent[: 2 - kept]
    for some in (two[:1], two[1:], two) if len(two) > 1 else ():
        source = OTHER_TIME if {*some} <= {*own, *others} else ABSENT
        yield TOGETHER.join(sorted({*own} ^ {*some})), source


def _side_counts(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield the other three ways in which two sides can have one of two numbers each; where both have the
    same one, the other is one less, and two where both have one.
    """
    (one, m), (other, n) = (own.split("=") for own in answer.split(TOGETHER))
    rival = n if m != n else str(int(m) - 1 or 2)
    for a, b in product((m, rival), repeat=2):
        yield f"{one}={a}{TOGETHER}{other}={b}", OTHER_NUMBER


def _ways(
    stage: AnimatedContext, form: Template, fills: Mapping[str, Fill], answer: str, supply: Supply
) -> _Source:
    """Yield the other ways; what falls to one side goes down as well, and who jumps crouches first: there
    neither up nor down is offered.
    """
    words = stage.language
    level = "V" in fills and fills["V"].key in words.falls | words.jumps
    for key in WAYS[:4] if level else WAYS:
        yield key, OTHER_TIME


SOURCES: Mapping[str, Callable[[AnimatedContext, Template, Mapping[str, Fill], str, Supply], _Source]] = {
    "verbs": _verbs,
    "absent verbs": _only_absent_verbs,
    "other verbs": _film_verbs,
    "happenings": _happenings,
    "own happenings": _own_happenings,
    "views": _fixed(QUARTERS, OTHER_VIEW),
    "growths": _growths,
    "growing places": _growing_places,
    "color sets": _color_sets,
    "side counts": _side_counts,
    "orders": _orders,
    "numbers": _numbers,
    "sides": _fixed(QUARTERS, OTHER_OBJECT),
    "ways": _ways,
    "even numbers": _fixed(("2", "4", "6", "8"), OTHER_NUMBER),
    "goes": _fixed(("forward", "backward", "left", "right"), OTHER_TIME),
    "shifts": _fixed(WAYS, OTHER_TIME),
    "limb places": _fixed(LIMB_PLACES, OTHER_TIME),
    "limbs": _limbs,
    "still limbs": _moving_limbs,
    "group limbs": _group_limbs,
    "deeds": _deeds,
    "sequences": _sequences,
    "lines": _fixed((*LINES, STILL), OTHER_TIME),
    "courses": _fixed(COURSES, OTHER_TIME),
    "names": _names,
    "things": _objects,
    "colors": _colors,
    "part colors": _part_hues,
    "parts": _parts,
    "places reached": _fixed(SEEN_WAYS, OTHER_TIME),
    "seen ways": _fixed(SEEN_WAYS, OTHER_VIEW),
}
"""Name of options → what yields false keys and what each is true of."""

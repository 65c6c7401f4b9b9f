"""What a question tells about its film: what its answer gives away, and what its words do.

Two questions of a film that ask for the same fact are one question in other words, and none is left to be
asked where the words of another one state its answer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from fathom.programs.engine import Trace
from fathom.programs.state import ACTS, TOGETHER
from fathom.programs.values import ValueType, members
from fathom.programs.views.animated import AnimatedView
from fathom.questions.animated_candidate import AnimatedCandidate, Told
from fathom.questions.contexts.animated import AnimatedContext
from fathom.questions.templates import Fill, Template
from fathom.records import Step

VERBAL = frozenset(("verbs", "absent verbs", "other verbs"))
"""Options that are actions."""

BETWEEN = {"next": "after", "later": "after", "previous": "before", "earlier": "before", "around": "while"}
"""How an operator places an action against an event or another action."""

BY_MOTION = frozenset(("turning",))
"""Operators that find an action by how the actor moves in it, not by when it is."""

MOMENTS = frozenset(("moment", "time", "instant", "point", "either end", "course", "one action"))
"""Blanks that say when: "while it is jumping" also says that it jumps."""

GROWN = {"grown": "count", "grown_color": "color", "grown_on": "kind"}
"""Operators about what grows on the actor, and what of it each tells."""

OF_GROWTHS = frozenset((*GROWN, "own_color", "colors_of", "place_of", "sprouting"))
"""Operators about what grows on the actor."""

PAIRED = frozenset(("nearest", "farthest", "opposite"))


def told_by(
    stage: AnimatedContext,
    form: Template,
    fills: Mapping[str, Fill],
    steps: Sequence[Step],
    trace: Trace,
    answer: str,
) -> tuple[tuple[Told, ...], tuple[Told, ...]]:
    """Return the facts that a question's answer gives away, and those that its words do."""
    asks = dict.fromkeys((*_places(stage, steps, trace), *_asked(stage, form, fills, steps, trace, answer)))
    return tuple(asks), tuple(dict.fromkeys(_stated(stage, form, fills)))


def _stated(stage: AnimatedContext, form: Template, fills: Mapping[str, Fill]) -> Iterator[Told]:
    """Yield what the words of a question tell: that something happens, and which colour an object has."""
    done = {h.key for h in stage.actions}
    for slot, fill in fills.items():
        kind = form.slots[slot]
        if kind in ("verb", "countable verb") or (kind == "counted verb" and fill.key in done):
            yield "acts", fill.key
        elif kind == "event":
            yield "event", fill.key
        elif kind == "growth":
            # Whoever hears of its horns knows what grows there; of its horn, how many there are.
            yield "grown", "kind"
            if "{G.own}" in form.texts[0] and fill.said["own"] == (fill.key,):
                yield "grown", "count"
        elif kind == "growth time" and fill.key.startswith("the "):
            # "The only flower that appears."
            yield "grows", fill.key.removeprefix("the "), "how many"
        elif kind == "three":
            yield from _listed(fill.key.split(">"))
        elif kind in MOMENTS:
            _, _, key = fill.key.partition(" ")
            if key:
                yield ("acts", key) if key in done else ("event", key)
        elif fill.key in stage.first_labels:
            k = stage.first_labels.index(fill.key)
            if k and fill.key != stage.timeline.names[k][stage.timeline.debut(k)]:
                yield "color", stage.timeline.objects[k], stage.timeline.colors[k][stage.timeline.debut(k)]


def _listed(keys: Sequence[str]) -> Iterator[Told]:
    """Yield what a list of what happens tells, in any order: that it happens, and nearly how much does."""
    events = [key for key in keys if ":" in key]
    yield from (("event", key) for key in events)
    for what, count in Counter(key.partition(":")[0] for key in events).items():
        if count > 1:
            yield "grows", what, "how many"


def _asked(
    stage: AnimatedContext,
    form: Template,
    fills: Mapping[str, Fill],
    steps: Sequence[Step],
    trace: Trace,
    answer: str,
) -> Iterator[Told]:
    """Yield what the answer of a question tells."""
    timeline = stage.timeline
    if form.asks in VERBAL:
        yield from _deeds(stage, form, steps, trace, answer)
    if form.asks == "happenings":
        yield from _changes(stage, form, steps, trace, answer)
    if form.asks in ("orders", "sequences"):
        yield from _ordered(stage, answer.split(">"))
    if form.asks in ("sequences", "deeds"):
        # Whoever knows all that is done in order knows what is first, next and last.
        for key in answer.split(">" if form.asks == "sequences" else TOGETHER):
            yield from (("does", "nth", key), ("deed", "placed", key), ("times", key))
            if form.asks == "deeds":
                yield "acts", key
    if steps[-1].op in ("count", "side_counts"):
        yield from _counted(timeline, steps, trace)
    if form.asks == "own happenings":
        yield "event", answer
    if trace.kinds[-1] is ValueType.OBJECTS and answer in stage.labels:
        k = stage.labels.index(answer)
        yield {"colored": "color"}.get(steps[-1].op, steps[-1].op), timeline.objects[k], *steps[-1].args
        if steps[-1].op == "colored":
            yield from _made(stage, k, steps[-1].args[0])
    yield from _by_steps(stage, form, fills, steps, trace, answer)


def _by_steps(
    stage: AnimatedContext,
    form: Template,
    fills: Mapping[str, Fill],
    steps: Sequence[Step],
    trace: Trace,
    answer: str,
) -> Iterator[Told]:
    """Yield what the answer tells of what the steps of the program went through."""
    timeline = stage.timeline
    for step in steps:
        taken = [trace.values[i] for i in step.inputs]
        if step.op == "subject":
            key = timeline.happenings[taken[0]].key
            # Which one it is that appears or vanishes is asked only where that is the answer.
            if form.asks == "things" and len(steps) - 1 == steps.index(step):
                yield "event", key
                for slot in (s for s, kind in form.slots.items() if kind == "changer"):
                    yield "rank", fills[slot].key, key
        elif step.op == "color" and step is steps[-1]:
            yield "color", timeline.objects[taken[0]], answer
            yield from _made(stage, taken[0], answer)
        elif step.op == "name" and form.slots.get("T") == "turning":
            yield from _made(stage, taken[0], answer)
        elif step.op == "part_color":
            yield "part", step.args[0], answer
            yield from _made(stage, 0, answer, step.args[0])
        elif step.op == "color_most":
            yield "part", timeline.main, answer
        elif step.op == "part_colored":
            yield "part", answer, step.args[0]
        elif step.op in OF_GROWTHS:
            yield from _of_growths(timeline, steps, trace, step)
        elif step.op == "faces_seen":
            # Whoever has been asked it once knows how the object stands, until it has turned.
            turned = timeline.headings_rad[taken[0][1], 0] - timeline.headings_rad[0, 0]
            yield "faces", str(round(math.degrees(turned) / 90.0))
        elif step.op == "name" and "carried" in (s.op for s in steps):
            yield "carried", timeline.objects[taken[0]]
        else:
            yield from _of_limbs(step, answer)


def _of_growths(timeline: AnimatedView, steps: Sequence[Step], trace: Trace, step: Step) -> Iterator[Told]:
    """Yield what the answer tells of what grows: its color, where it is, how many come or go."""
    at = steps.index(step)
    if step.op in GROWN:
        yield "grown", GROWN[step.op]
    elif step.op == "own_color":
        yield "color", timeline.objects[trace.values[step.inputs[0]]], trace.values[at]
        # What color the first one has also tells which is the first.
        for k, s in enumerate(steps):
            if s.op in ("first", "last", "nth"):
                yield "rank", s.op, timeline.happenings[trace.values[k]].key
            elif s.op == "the":
                yield "event", timeline.happenings[trace.values[k]].key
    elif step.op == "place_of":
        yield "grows on", timeline.objects[trace.values[step.inputs[0]]]
    elif step.op == "colors_of":
        yield "colors", *sorted(timeline.objects[k] for k in members(trace.values[step.inputs[0]]))
    elif steps[-1].op == "count":
        yield "grows", step.args[0], "how many"


def _of_limbs(step: Step, answer: str) -> Iterator[Told]:
    """Yield what the answer tells of limbs."""
    if step.op == "limb_place":
        # Where one is from the other is where the other is from it, the other way round.
        yield "limbs", *sorted(step.args)
    elif step.op == "limb_line":
        yield "line", step.args[0]
    elif step.op == "times":
        yield "times", *step.args
    elif step.op in ("strokes", "limb_swings"):
        # Up and down again, or out and back, are one motion.
        yield "strokes", step.args[0], answer


def _counted(timeline: AnimatedView, steps: Sequence[Step], trace: Trace) -> Iterator[Told]:
    """Yield what a count counts at which moments: who has counted it then need not look again."""
    whole = trace.kinds[place := steps[-1].inputs[0]] is ValueType.OBJECTS
    found = [
        timeline.objects[k] if whole else timeline.happenings[k].key for k in members(trace.values[place])
    ]
    moments = [trace.values[s.inputs[1]] for s in steps if s.op == "there"]
    for moment in moments or [""]:
        yield "count", str(moment), *found
    if any(s.op in ("growing", "sprouting") for s in steps):
        # Who knows how many have come by the end need not be asked how many there are then.
        same = members(trace.values[place])
        own = same if whole else (timeline.happenings[k].object_id for k in same)
        yield "grown", *sorted(timeline.objects[k] for k in own)


def _made(stage: AnimatedContext, obj: int, now: str, part: str = "") -> Iterator[Told]:
    """Yield the events that made an object what it is, which whoever hears of them knows."""
    for h in stage.timeline.happenings:
        named, _, detail = h.detail.rpartition("=")
        if (
            h.object_id == obj
            and h.what != ACTS
            and detail == now
            and part in ("", named or stage.timeline.main)
        ):
            yield "event", h.key


def _deeds(
    stage: AnimatedContext, form: Template, steps: Sequence[Step], trace: Trace, answer: str
) -> Iterator[Told]:
    """Yield that something is done, and when: after or before something else, or while that happens."""
    happenings = stage.timeline.happenings
    if form.asks == "absent verbs":
        yield "acts", answer
    if any(s.op in BY_MOTION for s in steps):
        # That it jumps highest tells nothing of when it jumps.
        yield "deed", "moved", answer
        return
    ways = [BETWEEN[s.op] for s in steps if s.op in BETWEEN]
    # That it is among what is done tells nothing of when it is.
    for way in ways or ["nth"] * (form.asks != "absent verbs"):
        yield "does", way, answer
    # What comes second is also what comes next after the first change; what is done then is also shown.
    shown = "while" in ways or form.asks != "verbs"
    yield "deed", "shown" if shown else "placed", answer
    for value, kind in zip(trace.values, trace.kinds, strict=True):
        if kind is ValueType.EVENT and happenings[value].key != answer:
            yield "does", happenings[value].key, answer


def _changes(
    stage: AnimatedContext, form: Template, steps: Sequence[Step], trace: Trace, answer: str
) -> Iterator[Told]:
    """Yield which changes follow one another, or which place one has among them."""
    happenings = stage.timeline.happenings
    anchors = [v for v, kind in zip(trace.values, trace.kinds, strict=True) if kind is ValueType.EVENT]
    yield "happened", answer
    for h in (happenings[v] for v in anchors):
        if h.key != answer:
            yield "beside", *sorted((h.key, answer))
        if h.what == ACTS:
            yield "does", answer, h.key
    if len(anchors) == 1 and happenings[anchors[0]].key == answer:
        yield "rank", steps[-2].op.replace("nth", "second"), answer


def _ordered(stage: AnimatedContext, keys: Sequence[str]) -> Iterator[Told]:
    """Yield what comes before or after what: an order tells it of any two that stand in it."""
    acts = {h.key for h in stage.timeline.happenings if h.what == ACTS}
    for a, b in combinations(keys, 2):
        if a not in acts and b not in acts:
            yield "beside", *sorted((a, b))
        else:
            yield from (("does", x, y) for x, y in ((a, b), (b, a)) if y in acts)


def _places(stage: AnimatedContext, steps: Sequence[Step], trace: Trace) -> Iterator[Told]:
    """Yield where objects are: on which side, next to what, opposite of what, on what, behind what."""
    objects = stage.timeline.objects
    for k, (step, value) in enumerate(zip(steps, trace.values, strict=True)):
        taken = [trace.values[i] for i in step.inputs]
        counted = any(k in s.inputs and s.op == "count" for s in steps)
        if step.op == "side_of":
            yield "side", objects[taken[0]], value
        elif step.op == "hidden_from":
            yield "hidden", objects[taken[0]], value
        elif step.op in PAIRED:
            yield step.op, *sorted((objects[taken[1]], objects[value]))
        elif step.op in ("side", "hidden") and not counted and k + 1 < len(steps):
            yield from ((step.op, objects[m], step.args[0]) for m in members(value))
        elif step.op == "on":
            yield from (("on", objects[m], objects[taken[1]]) for m in members(value))


class FactsCheck:
    """The facts that the questions asked so far ask for, and those that their words state."""

    def __init__(self) -> None:
        self._told: set[Told] = set()
        self._stated: set[Told] = set()
        self._known: dict[int, tuple[AnimatedCandidate, set[Told]]] = {}

    def clashes(self, candidate: AnimatedCandidate) -> bool:
        """Return whether a question asks for what another does or states, or states what another asks for."""
        tells = self._tells(candidate)
        return not (
            self._told.isdisjoint(tells)
            and self._stated.isdisjoint(tells)
            and self._told.isdisjoint(_statings(candidate))
        )

    def add(self, candidate: AnimatedCandidate) -> None:
        """Take in a question that is asked."""
        self._told |= self._tells(candidate)
        self._stated |= _statings(candidate)

    def _tells(self, candidate: AnimatedCandidate) -> set[Told]:
        """Return what a question tells, worked out once."""
        if id(candidate) not in self._known:
            # The candidate is kept beside: no other one may come to have its address.
            self._known[id(candidate)] = candidate, _tellings(candidate)
        return self._known[id(candidate)][1]


def _tellings(candidate: AnimatedCandidate) -> set[Told]:
    """Return what a question tells that no other may ask: its program in its film; its form and answer
    there; the facts that it asks for; and for what is always so, what it asks of the asset.
    """
    steps = tuple(f"{s.op}{s.inputs}{s.args}" for s in candidate.program)
    told = {
        ("program", candidate.scene, *steps),
        ("answer", candidate.scene, candidate.form, candidate.answer.key),
        *(("fact", candidate.scene, *fact) for fact in candidate.asks),
    }
    if candidate.template.once:
        told.add(("asset", candidate.asset, *candidate.identity, candidate.answer.key))
    return told


def _statings(candidate: AnimatedCandidate) -> set[Told]:
    """Return what a question's words tell, which no other may ask."""
    return {("fact", candidate.scene, *fact) for fact in candidate.tells}

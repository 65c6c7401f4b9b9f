"""Answers of numbers spread evenly over a form, for questions whose options are dealt out:
which of the five is the answer, and how far apart they lie.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from fathom.questions.candidate import Stratum
from fathom.questions.contexts.video_visibility import Reading
from fathom.questions.numeric.answer_balancing import NumberLot, Orders, Span
from fathom.questions.numeric.error_sampling import POINTS
from fathom.questions.numeric.measures import QuantityMeasure, measure_of
from fathom.questions.numeric.separation import Slot, graded
from fathom.questions.numeric.vector_answers import (
    KNOWN_OF_BOXES,
    KNOWN_OF_PLACES,
    KNOWN_ON_STREETS,
    Vector,
    box,
    centre,
    pose,
    trajectory,
    turn,
)
from fathom.questions.numeric.vector_balancing import levelled_parts
from fathom.questions.video_candidate import FINE, ON_A_LINE, WAYS, OptionPlan, VideoCandidate
from fathom.records import UnfitError

HARDER = {"easy": "middle", "middle": "hard"}
"""What is asked instead where answers leave no room for options so far apart."""


class Spreading:
    """The drafts of one pool, and `names` for its draws. What is found of them is kept for when other
    questions are wanted.
    """

    def __init__(self, candidates: Sequence[VideoCandidate], names: tuple[str, ...]) -> None:
        self._drafts, self._names = candidates, names
        self._levels: dict[str, QuantityMeasure] = {}

    def for_slots(self, slots: Sequence[Slot]) -> tuple[list[list[OptionPlan]], float]:
        """Return for each slot the drafts that would do, the first choice first, and which share of a level
        spread is missing. None where there is no room for options.

        Where no answer has room for options so far apart, nearer ones are asked for.
        """
        now = list(slots)
        for _ in range(len(HARDER) + 1):
            try:
                found, missing = self._tried(now)
            except UnfitError:
                found, missing = [[] for _ in now], 1.0
            lower = [HARDER.get(s.level) for s in now]
            if all(would or less is None for would, less in zip(found, lower, strict=True)):
                break
            now = [
                s if would or less is None else replace(s, level=less)
                for s, would, less in zip(now, found, lower, strict=True)
            ]
        return found, missing

    def _tried(self, slots: Sequence[Slot]) -> tuple[list[list[OptionPlan]], float]:
        candidates, one = self._drafts, self._drafts[0]
        if one.usual:
            return self._sizes(slots)
        errors = [self._errors(slot) for slot in slots]
        wants = [(e, slot.rank) for e, slot in zip(errors, slots, strict=True)]
        if one.template.asks == "number":
            line = self._numbers.levelled(wants)
            asked = [OptionPlan(d, span=_times(line.span, d.middle_m)) for d in candidates]
            return _for_slots(asked, line.orders, slots, errors), line.missing
        kind = vector_of(one)
        rows = np.array([d.answered.numbers for d in candidates])
        parts = levelled_parts(rows, wants, kind, *self._names)
        # In a mirror a trajectory is told in other words.
        asked = [OptionPlan(d, vector=replace(parts.vector, write=vector_of(d).write)) for d in candidates]
        return _for_slots(asked, parts.orders, slots, errors), parts.missing

    @cached_property
    def _numbers(self) -> NumberLot:
        one = self._drafts[0]
        even = measure_of(one.setting, one.template.quantity).even
        return NumberLot([d.value / d.middle_m for d in self._drafts], even, *self._names)

    def _sizes(self, slots: Sequence[Slot]) -> tuple[list[list[OptionPlan]], float]:
        """Return it of sizes: each has options as far apart as its own precision wants."""
        candidates = self._drafts
        known = sorted({d.known for d in candidates})
        kinds = np.array([known.index(d.known) for d in candidates], dtype=np.intp)
        by_level: dict[str, list[QuantityMeasure | None]] = {
            level: [_errors_or_none([d for d in candidates if d.known == k], level) for k in known]
            for level in {s.level for s in slots}
        }
        wants = [[None if e is None else (e, s.rank) for e in by_level[s.level]] for s in slots]
        line = self._numbers.levelled_by_kind(wants, kinds)
        out = []
        for order, slot in zip(line.orders, slots, strict=True):
            own = [(candidates[k], by_level[slot.level][kinds[k]]) for k in order]
            out.append(
                [
                    OptionPlan(d, span=_times(line.span, d.middle_m), slot=slot, errors=errors)
                    for d, errors in own
                ]
            )
        return out, line.missing

    def _errors(self, slot: Slot) -> QuantityMeasure:
        if slot.level not in self._levels:
            self._levels[slot.level] = errors_of(self._drafts, slot)
        return self._levels[slot.level]


def _times(span: Span, factor: float) -> Span:
    return Span(span.low * factor, span.high * factor)


def _for_slots(
    asked: Sequence[OptionPlan], orders: Orders, slots: Sequence[Slot], errors: Sequence[QuantityMeasure]
) -> list[list[OptionPlan]]:
    out = []
    for order, slot, own in zip(orders, slots, errors, strict=True):
        vectors = [(p, p.vector and replace(p.vector, errors=own)) for p in (asked[k] for k in order)]
        out.append([replace(p, slot=slot, errors=own, vector=vector) for p, vector in vectors])
    return out


def errors_of(candidates: Sequence[VideoCandidate], slot: Slot) -> QuantityMeasure:
    """Return the range of errors of options for some drafts: the setting's own, or those of a level, for what
    is known least finely among them. Raises UnfitError where five options cannot differ by so much.
    """
    one = candidates[0]
    if one.template.asks == "number":
        own = measure_of(one.setting, one.template.quantity)
    else:
        own = vector_of(one).errors
        own = replace(own, even="linear")
    known = max(d.known for d in candidates)
    found = graded(own, known, slot.level) if known and slot.level else own
    if found is None:
        raise UnfitError(f"{one.template.id}: no five options differ by so much")
    return found


def _errors_or_none(candidates: Sequence[VideoCandidate], level: str) -> QuantityMeasure | None:
    try:
        return errors_of(candidates, Slot(-1, level))
    except UnfitError:
        return None


def vector_of(candidate: VideoCandidate) -> Vector:
    """Return what kind of several numbers a draft's answer is."""
    kind, setting = candidate.template.asks, candidate.setting
    if kind == "trajectory":
        return trajectory(setting, candidate.answered.form)
    if kind == "number":
        return turn()
    held = (*KNOWN_OF_PLACES, *(KNOWN_ON_STREETS if setting == ON_A_LINE else ()))
    if kind == "box":
        return box(setting, (*held, *KNOWN_OF_BOXES))
    if kind == "pose":
        # As finely as a place is known, so finely is a turn.
        return pose(setting, degree_m=candidate.known / Reading().turn_deg)
    return centre(setting, held)


def large_enough(
    pools: Mapping[Stratum, Sequence[VideoCandidate]], fewest: int
) -> dict[Stratum, list[VideoCandidate]]:
    """Return the pools whose answers can be spread. Those of one form that are known more finely go together
    with the next ones where they are too few by themselves, and so do, of forms of which no pool is large
    enough, the ways of the camera, however long they last, and places in a row, however large things are: of
    a few videos nobody learns what is usual.
    """
    large = {
        p: d for p, d in _together(pools, fewest).items() if len(d) >= fewest or d[0].template.asks == "order"
    }
    rest: dict[Stratum, list[VideoCandidate]] = defaultdict(list)
    for pool, candidates in pools.items():
        apart = pool[1] in WAYS or any(d.is_in_row for d in candidates[:1])
        if apart and not any(p[:2] == pool[:2] for p in large):
            rest[pool[:2] + pool[3:]] += candidates
    return large | {p: d for p, d in _together(rest, fewest).items() if len(d) >= fewest}


def room_in(candidates: Sequence[VideoCandidate]) -> float:
    """Return about how many questions there could be of these drafts, of one form: each is one, but of
    trajectories, turns and poses those of five videos make one.
    """
    real = bool(candidates) and candidates[0].is_among_real
    return len({d.scene for d in candidates}) / POINTS if real else len(candidates)


def _together(
    pools: Mapping[Stratum, Sequence[VideoCandidate]], fewest: int
) -> dict[Stratum, list[VideoCandidate]]:
    """Return the pools with those that differ by how finely they are known alone, and are small, in one with
    the next.
    """
    alike: dict[Stratum, list[tuple[float, Stratum]]] = defaultdict(list)
    for pool, candidates in pools.items():
        if candidates:
            bare = pool[:-1] if pool[-1].startswith(FINE) else pool
            alike[bare].append((candidates[0].known, pool))
    out: dict[Stratum, list[VideoCandidate]] = {}
    for parts in alike.values():
        held: list[VideoCandidate] = []
        for _, pool in sorted(parts):
            held += pools[pool]
            if len(held) >= fewest or pool == max(parts)[1]:
                out[pool] = held
                held = []
    return out

"""How far an answer is from changing.

Membership of a set is not only true or false here but a signed ratio: by how many tolerances the relation
that decides it is clear of its threshold. Intersection is the minimum, union the maximum; a count is as firm
as its least firm member or non-member, an existence as its firmest member. What comes out is the largest
factor on all dead bands at which the program would still give this answer: a question is decided under its
rules exactly when that is at least 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fathom.programs.engine import plan_of
from fathom.programs.facts import Facts, margin_of
from fathom.programs.readings import POSES, SURE, Held
from fathom.programs.steps import args_of
from fathom.programs.values import Kind, Scenes, Value
from fathom.records import Margin, Step

RELATIONS = {
    "relate": "", "relate_own": "own:", "relate_hit": "hit:", "relate_first": "first:",
    "relate_path": "path:",
    "relate_occluded": "occluders", "relate_occluding": "occludees",
    "same_pose": "pose:same", "opposite_pose": "pose:opposite", "vertical_pose": "pose:vertical",
}  # fmt: skip
"""Operator → what the name of its relation begins with."""

STATES = {"filter_pose": "faces:", "filter_occludee": "occludee", "filter_occluder": "occluder"}


@dataclass
class _Firmness:
    """What has been consulted so far, and the least firm outcome."""

    ratio: float = SURE
    consulted: list[tuple[Held, int, int, list[float]]] = field(default_factory=list)


def margin(program: Sequence[Step], values: Sequence[Value], facts: Facts) -> Margin | None:
    """Return the margin of a program's answer, None where it hangs on no threshold.

    `values` are those of its trace (`run(program, facts).values`), all steps of which ran.
    """
    plan, args = plan_of(program, Scenes.STILL), args_of(program)
    firm = _Firmness()
    sets: dict[int, list[float]] = {}
    for k, operator in enumerate(plan.operators):
        inputs = plan.inputs[k]
        name = operator.name
        if operator.gives is Kind.OBJECTS:
            sets[k] = _members(
                name,
                args[k][0] if args[k] else "",
                [sets.get(i) for i in inputs],
                [values[i] for i in inputs],
                facts,
                firm,
            )
            if sets[k] == []:
                sets[k] = _crisp(values[k], facts.n)
        elif inputs and inputs[0] in sets:
            firm.ratio = min(firm.ratio, _outcome(name, sets[inputs[0]], values[k]))
        elif name == "query_pose":
            firm.ratio = min(firm.ratio, _pose(facts, values[inputs[0]], values[k], firm))
    return _binding(firm, facts)


def _crisp(pair: tuple[int, int], n: int) -> list[float]:
    yes, maybe = pair
    return [SURE if yes >> k & 1 else 0.0 if maybe >> k & 1 else -SURE for k in range(n)]


def _members(
    name: str,
    arg: str,
    sets: Sequence[list[float] | None],
    values: Sequence[Value],
    facts: Facts,
    firm: _Firmness,
) -> list[float]:
    """Return the ratio with which each thing belongs to the set that a step gives, [] where it is crisp."""
    if name in RELATIONS:
        relation = facts.relations[RELATIONS[name] + arg]
        anchor = values[0]
        ratios = relation.ratios(anchor)
        firm.consulted.append((relation.held, relation.world, anchor, ratios))
        seen = facts.scene_masks[0]
        return [r if seen >> j & 1 or r <= 0 else 0.0 for j, r in enumerate(ratios)]
    first = sets[0] if sets else None
    if first is None:
        return []
    if name in STATES:
        state = facts.states[STATES[name] + arg]
        ratios = state.ratios()
        firm.consulted.append((state.held, state.world, -1, ratios))
        return [min(a, b) for a, b in zip(first, ratios, strict=True)]
    if name in ("union", "intersect"):
        second = sets[1] or []
        pick = max if name == "union" else min
        return [pick(a, b) for a, b in zip(first, second, strict=True)]
    attribute = name.removeprefix("filter_")
    mark = facts.marks[attribute].get(arg) or facts.marks[attribute].get("") or (0, 0)
    return [min(a, b) for a, b in zip(first, _crisp(mark, facts.n), strict=True)]


def _outcome(name: str, members: Sequence[float], value: Value) -> float:
    """Return how firm the outcome of unique, count or exist is."""
    if not members:
        return SURE
    if name == "exist":
        return abs(max(members))
    if name == "unique":
        return min(r if k == value else -r for k, r in enumerate(members))
    return min(abs(r) for r in members)


def _pose(facts: Facts, thing: int, held: str, firm: _Firmness) -> float:
    best = SURE
    for pose in POSES:
        state = facts.states[f"faces:{pose}"]
        ratios = state.ratios()
        if pose == held:
            firm.consulted.append((state.held, state.world, -1, ratios))
        best = min(best, ratios[thing] if pose == held else -ratios[thing])
    return best


def _binding(firm: _Firmness, facts: Facts) -> Margin | None:
    if firm.ratio >= SURE:
        return None
    for held, world, anchor, ratios in firm.consulted:
        for j, r in enumerate(ratios):
            if abs(abs(r) - abs(firm.ratio)) < 1e-9:
                where = (j,) if anchor < 0 else (anchor, j)
                return margin_of(held, r, world, where, tuple(facts.things[k] for k in where))
    clear = round(firm.ratio, 4)
    return Margin(relation="visible", value=clear, unit="tolerance", ratio=clear)

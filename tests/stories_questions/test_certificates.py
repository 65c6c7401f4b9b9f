"""Whoever is shown cells that meet all needs of a question about order can prove the order."""

from __future__ import annotations

import numpy as np
import pytest

from fathom.programs.engine import run
from fathom.programs.evidence.events import changing
from fathom.programs.needs import frames_in, needs_of
from fathom.programs.state import ACTS
from fathom.programs.views.animated import AnimatedView, SceneEvent, animated_view
from fathom.questions.sampling.animated import offer, provisional
from fathom.records import Need
from fathom.store.seeds import rng
from tests.stories_questions.made import Prop, at, drawn, made_recipe, scene_of, visibility_of

FILMS, DRAWS = 14, 10
FAMILIES = ("first_event", "second_event", "last_event", "next_event", "previous_event", "order",
            "earlier", "later")  # fmt: skip

Shown = set[tuple[int, int]]


def drawn_cells(needs: tuple[Need, ...], g: np.random.Generator) -> Shown:
    """Return cells (view, frame) that meet all needs, none of which can be left out."""
    cells = [{(v, f) for v, text in n.cells.items() for f in frames_in(text)} for n in needs]
    found: list[tuple[int, int]] = []
    for options in (cells[int(k)] for k in g.permutation(len(cells))):
        if not options & set(found):
            ordered = sorted(options)
            found.append(ordered[int(g.integers(len(ordered)))])
    for cell in list(found):
        less = set(found) - {cell}
        if all(options & less for options in cells):
            found.remove(cell)
    return set(found)


def bounds(timeline: AnimatedView, h: SceneEvent, shown: Shown) -> tuple[float, float]:
    """Return the last frame at which an event is seen not to have happened, and the first at which it has."""
    place, grid = changing(timeline, h), timeline.visibility.frames
    low, high = -np.inf, np.inf
    for view, frame in shown:
        after = frame >= h.first
        # What is not there is missed where it shows once it has come, or showed before it went.
        cell = timeline.visibility.at(frame)
        if h.what == "appears" and not after:
            cell = min(timeline.visibility.at(h.first) + 1, len(grid) - 1)
        if h.what == "vanishes" and after:
            cell = max(timeline.visibility.at(h.first) - 1, 0)
        if place[view, cell]:
            low, high = (low, min(high, frame)) if after else (max(low, frame), high)
    return low, high


def proves(timeline: AnimatedView, form: str, keys: list[str], answer: str, shown: Shown) -> bool:
    """Return whether cells prove the answer to a question: what each event's bounds leave open is not known.

    `keys` are the anchor's, where there is one; of an order, all three.
    """
    events = {h.key: h for h in timeline.happenings if h.what != ACTS}
    known = {key: bounds(timeline, h, shown) for key, h in events.items()}

    def surely(a: str, b: str) -> bool:
        return known[a][1] <= known[b][0]

    others = [k for k in events if k != answer]
    if form == "first_event":
        return all(surely(answer, k) for k in others)
    if form == "last_event":
        return all(surely(k, answer) for k in others)
    if form == "second_event":
        return (
            sum(surely(k, answer) for k in others) == 1
            and sum(surely(answer, k) for k in others) == len(others) - 1
        )
    if form == "order":
        one, two, three = answer.split(">")
        return surely(one, two) and surely(two, three)
    (anchor,) = keys
    if form in ("next_event", "previous_event"):
        a, b = (anchor, answer) if form == "next_event" else (answer, anchor)
        rest = [k for k in others if k != anchor]
        return surely(a, b) and all(surely(k, a) or surely(b, k) for k in rest)
    return surely(answer, anchor) if form == "earlier" else surely(anchor, answer)


@pytest.fixture(scope="module")
def proved() -> dict[str, list[bool]]:
    """For each family, whether each draw of cells proves the answer to a question of it."""
    recipe = made_recipe(tries=40)
    found: dict[str, list[bool]] = {}
    forms = {f.id: f for f in recipe.forms}
    for index in range(FILMS):
        scene = drawn(index, "certificates")
        visibility = visibility_of(scene, 60.0)
        timeline = animated_view(scene, visibility, recipe.rules)
        for c in offer(scene, visibility, recipe).candidates:
            family = c.form.removeprefix("temporal.")
            events = {h.key for h in timeline.happenings if h.what != ACTS}
            keys = [f.key for slot, f in sorted(c.fills.items()) if forms[c.form].slots[slot] == "event"]
            if family not in FAMILIES or not {*keys, *c.answer.key.split(">")} <= events:
                continue
            program = provisional(c, forms[c.form])
            needs = needs_of(program, run(program, timeline), timeline)
            for draw in range(DRAWS):
                shown = drawn_cells(needs, rng("cells", c.form, index, draw))
                found.setdefault(family, []).append(proves(timeline, family, keys, c.answer.key, shown))
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_any_least_set_of_cells_that_meets_the_needs_proves_the_order(
    proved: dict[str, list[bool]], family: str
) -> None:
    assert len(proved.get(family, [])) >= 2 * DRAWS, "too few questions to tell"
    assert all(proved[family]), f"{np.mean(proved[family]):.0%} of {len(proved[family])} draws"


def test_the_frame_of_a_sudden_change_shows_what_has_become() -> None:
    props = [Prop("cone", "red", 0.0, events=(at("recolours", 40, "blue"),)), Prop("ball", "green", 90.0)]
    scene = scene_of(props)
    timeline = animated_view(scene, visibility_of(scene))
    change = next(h for h in timeline.happenings if h.what == "recolours")
    assert (change.first, change.over) == (40, 40)
    from fathom.programs.evidence.events import shows_event

    undone, done = shows_event(timeline, change)
    frames = timeline.visibility.frames
    assert frames[done.cells.any(axis=0)].min() == 40
    assert frames[undone.cells.any(axis=0)].max() == 38

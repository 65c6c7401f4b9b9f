"""What can be asked of a video in which somebody acts: with whom, with what, and at which frame.

Ref: SEED-Bench §3.1, dimensions 10 to 12.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np

from fathom.programs.operators.acting import DEEDS, deeds_of
from fathom.programs.referring import Expression, expressions
from fathom.questions.choice_candidate import ACTED_AT
from fathom.questions.contexts.video import VideoContext
from fathom.questions.sampling.filling import Filling
from fathom.questions.sampling.viewpoints import named_once
from fathom.questions.templates import Template
from fathom.scenes.acting.stage import THINGS

SEEN_PX, SEEN_SHARE, SEEN_FRAMES = 170, 0.5, 0.4
"""How many pixels show an object, and which part of its silhouette they are, in which share of the frames:
who acts hides now this, now that."""

GLIMPSED_SHARE = 0.3
"""Of what is an option where a video stops this part shows there at least: who walks hides some of it."""

LISTED = (3, 4)
"""So many things are put in order: four where somebody does as many."""

FREE = ("sits", "picks", "puts", "pushes", "waves", "crouches", "stretches")
"""What can be done in any order: who gets up has sat before."""

SAYS: Mapping[str, str] = {
    "sits": "sits down",
    "picks": "picks something up",
    "puts": "puts something down",
    "pushes": "pushes something over the floor",
    "waves": "waves",
    "crouches": "crouches down",
    "stretches": "raises both arms",
}
"""What is done → how a list of things done says it."""


def acted_names(stage: VideoContext) -> dict[int, Expression]:
    """Return the objects that have a name of their own and are seen often enough where somebody acts."""
    listed = expressions(stage.tracks)
    px, shares = stage.visibility.visible_px, stage.shares
    seen = ((px >= SEEN_PX) & (shares >= SEEN_SHARE)).mean(axis=1) >= SEEN_FRAMES
    found = {}
    for k in np.flatnonzero(seen).tolist():
        one = listed.get(stage.tracks.objects[k])
        if one is not None and not one.anchor and not stage.tracks.stands[k] and named_once(stage, k, one):
            found[k] = one
    return found


def in_sight(stage: VideoContext, obj: int, place: int) -> bool:
    """Return whether enough of an object shows in a frame that is shown, by its place among these."""
    px, share = stage.visibility.visible_px[obj, place], stage.shares[obj, place]
    return bool(px >= SEEN_PX and share >= GLIMPSED_SHARE)


def acted_fillings(
    stage: VideoContext, form: Template, called: Mapping[int, Expression], g: np.random.Generator
) -> Iterator[Filling]:
    """Yield how a form about who acts could be filled, by chance."""
    t = stage.tracks
    for person in (k for k in called if t.acts and t.acts[k]):
        some = list(_of(stage, form, called, person))
        yield from (some[int(k)] for k in g.permutation(len(some)))


def _of(
    stage: VideoContext, form: Template, called: Mapping[int, Expression], person: int
) -> Iterator[Filling]:
    t = stage.tracks
    if form.quantity in ACTED_AT:
        yield from (Filling((person,), place=k) for k in range(1, stage.clear.shape[1] - 1))
    elif form.quantity == "does_deed":
        yield from (Filling((person,), noun=deed) for deed in DEEDS)
    elif form.quantity == "deed_order":
        done = [d.deed for d in deeds_of(t, person)]
        there = [deed for deed in FREE if deed in done]
        if not {"picks", "puts"} <= set(done):  # nothing is put down before it is taken
            listed = (some for many in LISTED for some in combinations(there, many))
            yield from (Filling((person,), noun="+".join(some)) for some in listed)
    elif form.quantity == "put_on":
        yield from (Filling((person, k)) for k in called if t.names[k] in THINGS)
    else:
        yield Filling((person,))

"""Options that say what somebody does, and with which object: "sitting on the sofa", "picks up the teapot".

What is false names an object of the scene with which it could be done.

Ref: SEED-Bench §3.1, §3.2.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from fathom.programs.referring import Expression
from fathom.questions.choice_candidate import DrawnOption
from fathom.questions.contexts.video import VideoContext
from fathom.questions.templates import Template
from fathom.scenes.acting import stage
from fathom.scenes.holding import HANDY
from fathom.scenes.people import PUSHED, SEATS
from fathom.store.seeds import rng

OBJECT = "{o}"
"""What stands in an option for the object."""

SITTABLE = frozenset({*SEATS, "bed", "single bed", "pouf", "floor cushion", "coffee table", "suitcase"})
"""What somebody could sit on."""

IN_PICTURES: Mapping[str, frozenset[str]] = {
    "holds": frozenset(HANDY),
    "seated": frozenset({*SEATS, "bed", "single bed"}),
    "pushes": frozenset(PUSHED),
}
IN_TIME: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("sits", "rises"), frozenset(stage.SEATS)),
    **dict.fromkeys(("picks", "puts"), frozenset(stage.THINGS)),
    "pushes": frozenset(stage.PUSHED),
    "put on": frozenset(stage.BEARERS),
}
"""What is done in pictures, and in videos → with objects of which nouns it may be done there: what never is
right would tell."""


def with_objects(
    room: VideoContext,
    form: Template,
    value: str,
    called: Mapping[int, Expression],
    done: Collection[str],
) -> tuple[DrawnOption, tuple[DrawnOption, ...]] | None:
    """Return what somebody does, and what they do not: of all that is not `done`, each with one object. None
    where what they do is done with something that has no name.
    """
    t = room.tracks
    g = rng(room.recipe.seed, "with what", room.scene.id, form.id, value)
    every = IN_PICTURES if form.quantity == "doing" else IN_TIME
    deed, _, own = value.partition(" ")
    if deed not in form.options or (own and t.objects.index(own) not in called):
        return None
    words = called[t.objects.index(own)].words if own else ""
    false = []
    for other, text in form.options.items():
        some = [k for k in called if OBJECT in text and t.names[k] in every[other]]
        if other in done or (OBJECT in text and not some):
            continue
        k = some[int(g.integers(len(some)))] if some else -1
        said = text.replace(OBJECT, called[k].words) if some else text
        false.append(DrawnOption(f"{other} {t.objects[k]}" if some else other, said))
    return DrawnOption(value, form.options[deed].replace(OBJECT, words)), tuple(false)

"""What is right, and what is certainly false, for each kind of option of a question with four of them.

Of nouns what else is there, and what is not; of colors those that the kind of object comes in; of words those
that look alike.

Ref: SEED-Bench §3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product

from fathom.assets.furniture.catalogue import furniture_assets
from fathom.assets.lettering import WORDS
from fathom.assets.spec import AssetSpec
from fathom.assets.street.catalogue import STREET
from fathom.english import article
from fathom.programs.operators.acting import deeds_of
from fathom.programs.operators.belonging import in_its_place
from fathom.programs.operators.contacts import off_deg
from fathom.programs.operators.handling import moved_later
from fathom.programs.operators.people import gaps_m
from fathom.programs.operators.pictured import CELLS, LOW_M, ON_M, foot_m
from fathom.programs.operators.selecting import named
from fathom.programs.referring import PEOPLE, Expression
from fathom.programs.synonyms import taken_for
from fathom.programs.values import SURE
from fathom.programs.views.video import VideoView
from fathom.questions.choice_candidate import ACTED_AT, CHOICES, DrawnOption
from fathom.questions.contexts.video import VideoContext
from fathom.questions.sampling.acted import SAYS, in_sight
from fathom.questions.sampling.filling import Filling
from fathom.questions.sampling.object_options import IN_TIME, SITTABLE, with_objects
from fathom.questions.sampling.order_options import order_options
from fathom.questions.templates import Template
from fathom.scenes.holding import HANDY
from fathom.scenes.people import PUSHED
from fathom.scenes.room_contents import BLOCKS
from fathom.scenes.several_alike import ALIKE, MOST
from fathom.scenes.several_outside import NOUNS as ALIKE_OUTSIDE
from fathom.store.seeds import rng

COUNTED = tuple(str(n + 1) for n in range(MOST))
"""The numbers that are asked for, and that options are drawn from."""

WHOLE_WORD = 0.98
"""So much of a word shows at least that is asked about: less could be another word."""

SOMEBODY = {"indoor": ("man", "woman"), "outdoor": (), "desktop": (), "acted": ("man", "woman")}
"""Setting → what people there are called."""

ON_THE_FLOOR = (
    "in_the_way", "heads_for", "right_beside", "sat_on", "pushed_by", "looked_at", "walks_next",
)  # fmt: skip
"""Operators whose outcome stands on the floor. So does what is false, or one could rule it out
without looking."""

STANDS = (*BLOCKS, "armchair", "basket", "floor lamp", "coat rack", "wardrobe", "dresser")
"""Of which some that are not there are among their false options, where too few other objects are."""

PUSHED_M = 0.6
"""What somebody could push with both hands is so high at least."""

TOUCHING = ("sat_on", "pushed_by")
"""Operators of people who touch what they have to do with."""

IN_SIGHT = ("walks_next", "looked_at")
"""Operators all of whose options show where the video stops, or in the picture."""

LOOKED_PAST_DEG = 25.0
"""What somebody could be thought to look at is so far off that way at least."""

UNLIKE = {"sat_on": tuple(sorted(SITTABLE)), "pushed_by": PUSHED, "held_by": HANDY}
"""Operator → what else could be its outcome, where too little of that is there."""

TELL_TALE = frozenset({"TV stand", "television", "monitor"})
"""What stands where one would expect it: nobody is asked what stands there."""


Asked = tuple[DrawnOption, tuple[DrawnOption, ...]]


def stops_short(form: Template) -> bool:
    """Return whether the video ends before what a form asks about."""
    return form.quantity in ("ends_beside", *ACTED_AT)


def index_of(stage: VideoContext, value: str) -> list[int]:
    """Return the index of the object that an answer names, in a list; an empty one where it names none."""
    return [stage.tracks.objects.index(value)] if value in stage.tracks.objects else []


Pool = Asked | None
"""The right option, and what is certainly false; None where there is no fair question."""

Called = dict[int, Expression]


def _words(
    stage: VideoContext, form: Template, filling: Filling, value: str, words: Sequence[str], called: Called
) -> Pool:
    if value not in form.options:
        return None
    said = dict(zip(("{a}", "{b}"), words, strict=False))
    every = {v: DrawnOption(v, _filled(text, said)) for v, text in form.options.items()}
    return every[value], tuple(c for v, c in every.items() if v != value)


def _filled(text: str, words: Mapping[str, str]) -> str:
    for slot, said in words.items():
        text = text.replace(slot, said)
    return text


def _nouns(
    stage: VideoContext, form: Template, filling: Filling, value: str, words: Sequence[str], called: Called
) -> Pool:
    t = stage.tracks
    if form.quantity == "shown_noun":
        own = t.names[filling.who[0]]
        if t.names.count(own) > 1:
            return None
        absent = [n for n in _all_nouns(t.rules.name) if _nowhere(stage, n)]
        return _an(value, own), tuple(_an(f"none:{n}", n) for n in absent)
    if value != "floor" and (not index_of(stage, value) or t.objects.index(value) not in called):
        return None
    carried = form.quantity in ("carried_by", "carrier_of")
    if carried and TELL_TALE & {t.names[k] for k in (*filling.who, *index_of(stage, value))}:
        return None
    later = (
        moved_later(t, filling.who[0], int(t.shown[filling.place]))
        if form.quantity == "ends_beside"
        else set()
    )
    if form.quantity in IN_SIGHT:
        called = {k: one for k, one in called.items() if in_sight(stage, k, filling.place)}
        if t.objects.index(value) not in called:
            return None
    others = [k for k in called if k not in filling.who and t.objects[k] != value and k not in later]
    false = [DrawnOption(t.objects[k], called[k].words) for k in others if _could(stage, form, filling, k)]
    if form.quantity in ON_THE_FLOOR and form.quantity not in IN_SIGHT:
        false += _absent(stage, form, filling, CHOICES - 1 - len(false))
    if form.quantity == "held_by":
        # Words tell nothing: what is held is one of a kind, and each kind is offered as often as it is right.
        own = "" if not index_of(stage, value) else f"the {t.names[t.objects.index(value)]}"
        if own not in {f"the {noun}" for noun in HANDY} or called[t.objects.index(value)].words != own:
            return None
        false = [o for o in false if o.text.removeprefix("the ") in HANDY]
        false += _absent(stage, form, filling, len(HANDY))
    if form.quantity == "carrier_of" and value != "floor":
        false.append(DrawnOption("floor", "the floor"))
    right = DrawnOption(value, "the floor" if value == "floor" else called[t.objects.index(value)].words)
    return right, tuple(false)


def _absent(stage: VideoContext, form: Template, filling: Filling, count: int) -> list[DrawnOption]:
    """Return so many false options of which there is none in the scene, nor anything taken for them."""
    who = [stage.tracks.objects[k] for k in filling.who]
    g = rng(stage.recipe.seed, "absent", stage.scene.id, form.id, *who)
    every = UNLIKE.get(form.quantity, STANDS)
    nouns = [every[int(k)] for k in g.permutation(len(every)) if count > 0]
    return [DrawnOption(f"none:{n}", f"the {n}") for n in nouns if _nowhere(stage, n)][: max(count, 0)]


def _could(stage: VideoContext, form: Template, filling: Filling, obj: int) -> bool:
    """Return whether an object is of a size that makes it a false option that somebody could choose."""
    t = stage.tracks
    if t.does and t.does[obj] and form.quantity in ("carrier_of", "carried_by"):
        return False
    if form.quantity in ("deed_object", "put_on"):
        return t.names[obj] in IN_TIME[form.tree.args[0] if form.tree.args else "put on"]
    if form.quantity in ON_THE_FLOOR:
        frame = int(t.shown[filling.place])
        if form.quantity in TOUCHING and not _touches(t, form.quantity, obj):
            return False
        if form.quantity == "looked_at" and not _plainly_beside(t, filling.who[0], obj, frame):
            return False
        return bool(foot_m(t, obj, frame) <= ON_M and t.sizes_m[obj, 2] >= LOW_M)
    if form.quantity == "out_of_place":
        return in_its_place(t, obj, int(t.shown[filling.place]))
    if form.quantity == "carrier_of":
        own = t.sizes_m[filling.who[0], :2].max()
        return bool(t.sizes_m[obj, :2].max() > own)
    if form.quantity == "carried_by":
        return bool(t.sizes_m[obj, :2].min() < t.sizes_m[filling.who[0], :2].max())
    return True


def _plainly_beside(tracks: VideoView, person: int, obj: int, frame: int) -> bool:
    """Return whether nobody could take an object for what somebody looks at."""
    beside = gaps_m(tracks, person, frame).get(obj, 0.0) > 0
    return beside and off_deg(tracks, person, obj, frame)[0] >= LOOKED_PAST_DEG


def _touches(tracks: VideoView, quantity: str, obj: int) -> bool:
    """Return whether an object could be sat on, or pushed."""
    if quantity == "sat_on":
        return tracks.names[obj] in SITTABLE
    return bool(tracks.sizes_m[obj, 2] >= PUSHED_M) and not (tracks.does and tracks.does[obj])


def _colors(
    stage: VideoContext, form: Template, filling: Filling, value: str, words: Sequence[str], called: Called
) -> Pool:
    own = next(o.asset.name for o in stage.scene.objects if o.id == stage.tracks.objects[filling.who[0]])
    asset = _assets(stage.tracks.rules.name).get(own)
    colors = sorted(set(asset.colors)) if asset is not None and asset.color_told else []
    if value not in colors or stage.tracks.names[filling.who[0]] in PEOPLE:
        return None
    return DrawnOption(value, value), tuple(DrawnOption(c, c) for c in colors if c != value)


def _counts(
    stage: VideoContext, form: Template, filling: Filling, value: str, words: Sequence[str], called: Called
) -> Pool:
    if value not in COUNTED or filling.noun not in (*ALIKE, *ALIKE_OUTSIDE):
        return None
    false = ((n, -1 if int(n) < int(value) else 1) for n in COUNTED if n != value)
    return DrawnOption(value, value), tuple(DrawnOption(n, n, side) for n, side in false)


def _writing(
    stage: VideoContext, form: Template, filling: Filling, value: str, words: Sequence[str], called: Called
) -> Pool:
    row = next((row for row in WORDS if value in row), ())
    if stage.shares[stage.tracks.texts.index(value), 0] < WHOLE_WORD:
        return None
    return (DrawnOption(value, value), tuple(DrawnOption(w, w) for w in row if w != value)) if row else None


def _orders(
    stage: VideoContext, form: Template, filling: Filling, value: str, words: Sequence[str], called: Called
) -> Pool:
    said = [SAYS[deed] for deed in filling.noun.split("+")] if form.asks == "deed orders" else words
    return order_options(said, value)


def _cells(
    stage: VideoContext, form: Template, filling: Filling, value: str, words: Sequence[str], called: Called
) -> Pool:
    """Return a cell of the picture, and three others that are the corners of a rectangle with it: who knows
    what is high up or low down sees two of four fall away, and no more.
    """
    row, column = next((k, own.index(value)) for k, own in enumerate(CELLS) if value in own)
    corners = product((k for k in range(3) if k != row), (k for k in range(3) if k != column))
    every = []
    for group, (other, beside) in enumerate(corners, 1):
        cells = CELLS[row][beside], CELLS[other][column], CELLS[other][beside]
        every += [DrawnOption(cell, form.options[cell], group=group) for cell in cells]
    return DrawnOption(value, form.options[value]), tuple(every)


def _deeds(
    stage: VideoContext, form: Template, filling: Filling, value: str, words: Sequence[str], called: Called
) -> Pool:
    if form.quantity == "does_to":  # all its options are about the same object
        return _words(stage, form, filling, value, words, called)
    done = {value.partition(" ")[0]}
    if form.quantity == "does_deed":
        done |= {d.deed for d in deeds_of(stage.tracks, filling.who[0])}
    return with_objects(stage, form, value, called, done)


def _an(value: str, noun: str) -> DrawnOption:
    return DrawnOption(value, f"{article(noun)} {noun}")


def _assets(setting: str) -> Mapping[str, AssetSpec]:
    if setting != "outdoor":
        return furniture_assets(None)
    return {asset.asset: asset for asset in STREET.values()}


def _all_nouns(setting: str) -> list[str]:
    held = HANDY if setting == "indoor" else ()
    every = {asset.noun for asset in _assets(setting).values()}
    return sorted({*every, *held, *SOMEBODY[setting]} - {"cyclist"})


def _nowhere(stage: VideoContext, noun: str) -> bool:
    """Return whether nothing in a scene, seen or not, could be called by a noun, or be taken for such."""
    if any(taken_for(noun, own) for own in stage.tracks.names):
        return False
    everything = {k: SURE for k in range(len(stage.tracks.objects)) if not stage.tracks.stands[k]}
    return all(truth.ratio <= -1 for truth in named(stage.tracks, everything, noun).values())


POOLS: dict[str, Callable[..., Pool]] = {
    "words": _words,
    "nouns": _nouns,
    "colors": _colors,
    "counts": _counts,
    "writing": _writing,
    "orders": _orders,
    "doings": _deeds,
    "deeds": _deeds,
    "deed orders": _orders,
    "cells": _cells,
}

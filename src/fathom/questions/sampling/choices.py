"""What a picture of a room, or a video of a table, offers to ask with four options.

Every form has a way to be filled and a pool of what is certainly false: of nouns what else is there, and what
is not; of colours those that the kind of object comes in; of words on posters those that look alike.

Ref: SEED-Bench §3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations

import numpy as np

from fathom.assets.furniture.catalogue import furniture_assets
from fathom.assets.lettering import WORDS
from fathom.assets.spec import AssetSpec
from fathom.assets.street.catalogue import STREET
from fathom.english import article, plural
from fathom.programs.engine import Trace, run
from fathom.programs.operators.handling import moved_later, start_gaps_m
from fathom.programs.operators.selecting import named
from fathom.programs.referring import PEOPLE, Expression, expressions
from fathom.programs.synonyms import taken_for
from fathom.programs.values import SURE, ValueType
from fathom.questions.choice_candidate import CHOICES, ChoiceCandidate, DrawnOption
from fathom.questions.contexts.video import VideoContext, video_context
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.contexts.video_visibility import Sights
from fathom.questions.notation import filled_program
from fathom.questions.sampling.viewpoints import SIDELESS, named_once
from fathom.questions.templates import Template
from fathom.records import Scene, Step
from fathom.scenes.room_contents import ALIKE
from fathom.store.seeds import rng

TRIED = 120
"""So many fillings of a form are tried in a scene."""

COUNTED = ("1", "2", "3", "4")
"""The numbers that are asked for, and always the options."""

FOG_LEAVES, DARKEST = 0.45, 0.3
"""To which part of what the air lets one see objects are asked about, and under how much light at least."""

WHOLE_WORD = 0.98
"""So much of a word shows at least that is asked about: less could be another word."""

SOMEBODY = {"indoor": ("man", "woman"), "outdoor": (), "desktop": ()}
"""Setting → what people there are called."""

HANDY_M = 0.8
"""What somebody might hold is no larger."""

TELL_TALE = frozenset({"TV stand", "television", "monitor"})
"""What stands where one would expect it: nobody is asked what stands there."""

OF_PEOPLE = ("heads_for", "right_beside", "held_by", "posture")
OF_ALL = ("quarter_of_picture", "view_side", "shown_noun", "in_the_way")
"""Operators that are asked about people, and about people as well as about objects."""

FRONTED = {"dealing": (0,)}
"""Operator → the objects of which it has to be seen which way they face."""


Asked = tuple[DrawnOption, tuple[DrawnOption, ...]]


@dataclass(frozen=True)
class Filling:
    """How a form is filled: with whom, with which noun, and at which of the shown frames."""

    who: tuple[int, ...]
    noun: str = ""
    place: int = 0


def choice_candidates(scene: Scene, visibility: Sights, recipe: VideoQuestionRecipe) -> list[ChoiceCandidate]:
    """Return what can be asked of a scene. A pure function of its arguments."""
    stage = video_context(scene, visibility, recipe)
    called = _names(stage)
    out = []
    for form in recipe.forms:
        if stage.tracks.rules.name not in form.settings:
            continue
        g = rng(recipe.seed, "fillings", scene.id, form.id)
        for filling in _fillings(stage, form, called, g):
            found = _candidate(stage, form, filling, called)
            out += [found] if found is not None else []
    return out


def _names(stage: VideoContext) -> dict[int, Expression]:
    """Return the objects that are clear and have a name of their own: a noun, or a colour and a noun.

    In a video they are clear in most frames, and in the first and the last.
    """
    listed = expressions(stage.tracks)
    found = {}
    for k in stage.objects:
        one = listed.get(stage.tracks.objects[k])
        clear = stage.clear[k]
        whole = clear[0] and clear[-1] and clear.mean() >= stage.recipe.seeing.span_share and _lit(stage, k)
        usable = whole and not stage.tracks.texts[k]
        if one is not None and not one.anchor and usable and named_once(stage, k, one):
            found[k] = one
    return found


def _lit(stage: VideoContext, obj: int) -> bool:
    """Return whether dark and fog leave enough of an object to be seen."""
    said = stage.scene.environment.detail
    off = stage.tracks.centres_m[obj, 0] - stage.tracks.eyes_m[0]
    through = np.linalg.norm(off) <= FOG_LEAVES * said.get("fog_m", np.inf)
    return bool(through and said.get("dim", 1.0) >= DARKEST)


def _fillings(
    stage: VideoContext, form: Template, called: dict[int, Expression], g: np.random.Generator
) -> Iterator[Filling]:
    """Yield how a form could be filled, by chance."""
    if "n" in {a[1:] for node in form.nodes for a in node.args}:
        yield from (Filling((), noun=n) for n in sorted({stage.tracks.names[k] for k in stage.objects}))
        return
    names = sorted(called)
    if form.asks == "orders":
        every: Sequence[tuple[int, ...]] = list(combinations(names, len(form.objects)))
    else:
        every = list(permutations(names, len(form.objects)))
    fronted = FRONTED.get(form.quantity, ())
    sided = stage.fronted[:, 0] & np.array([name not in SIDELESS for name in stage.tracks.names])
    people = np.array([bool(does) for does in stage.tracks.does or [""] * len(sided)])
    usable = [
        who
        for who in every
        if all(sided[who[i]] for i in fronted) and _fits(form, bool(people[list(who[:1])].any()))
    ]
    places = _places(stage, form)
    for k in g.permutation(len(usable))[:TRIED]:
        for place in g.permutation(places).tolist():
            yield Filling(usable[int(k)], place=place)


def _fits(form: Template, somebody: bool) -> bool:
    """Return whether a form may be about somebody, or something."""
    if form.quantity in OF_PEOPLE:
        return somebody
    return not somebody or form.quantity in OF_ALL


def _places(stage: VideoContext, form: Template) -> list[int]:
    """Return the shown frames at which a form may be asked: of a video where it stops."""
    last = stage.clear.shape[1] - 1
    return list(range(1, last)) if form.quantity == "ends_beside" else [0]


def _candidate(
    stage: VideoContext, form: Template, filling: Filling, called: dict[int, Expression]
) -> ChoiceCandidate | None:
    t = stage.tracks
    objects = dict(zip(form.objects, (called[k].program for k in filling.who), strict=True))
    program = filled_program(form.tree, {"t": stage.at(filling.place), "n": filling.noun}, objects)
    if form.asks == "colors" and _says_color(called[filling.who[0]].program):
        return None
    answered = run(program, t)
    if answered.value is None or answered.least.ratio < 1:
        return None
    words = tuple(called[k].words for k in filling.who) or ((plural(filling.noun),) if filling.noun else ())
    found = POOLS[form.asks](stage, form, filling, str(answered.value), words, called)
    if found is None or len(found[1]) < CHOICES - 1:
        return None
    if _stops(form):
        found = _sided(stage, filling, found)
    spoken = [*filling.who, *(_index(stage, found[0].value))]
    px, share = stage.visibility.visible_px[spoken], stage.shares[spoken]
    return ChoiceCandidate(
        scene=stage.scene.id,
        template=form,
        program=program,
        setting=t.rules.name,
        objects=tuple(t.objects[k] for k in filling.who),
        words=words,
        nouns=tuple(t.names[k] for k in filling.who) or ((filling.noun,) if filling.noun else ()),
        answer=found[0],
        pool=found[1],
        answered=answered,
        steps=_selected(stage, answered),
        media=stage.recipe.media.format(scene=stage.scene.id, video=stage.scene.source["video"]),
        span_s=(0.0, float(stage.at(filling.place))) if _stops(form) else None,
        smallest_px=int(px.max(axis=1).min()) if spoken else 0,
        smallest_share=round(float(share.max(axis=1).min()), 4) if spoken else 0.0,
        hint=_quarter(found) if _stops(form) else "",
    )


def _sided(stage: VideoContext, filling: Filling, found: Asked) -> Asked:
    """Return the options of a prediction with their sides: what the object is nearer to at first than to the
    answer comes before it.
    """
    gaps = start_gaps_m(stage.tracks, filling.who[0])

    def gap(option: DrawnOption) -> float:
        return gaps[stage.tracks.objects.index(option.value)]

    right, false = found
    return right, tuple(replace(o, side=-1 if gap(o) < gap(right) else 1) for o in false)


def _quarter(found: Asked) -> str:
    """Return among which quarter of its options an answer is, by their sides."""
    before = sum(o.side < 0 for o in found[1])
    return str(before * CHOICES // (len(found[1]) + 1))


def _says_color(program: tuple[Step, ...]) -> bool:
    return any(step.op == "colored" for step in program)


def _index(stage: VideoContext, value: str) -> list[int]:
    return [stage.tracks.objects.index(value)] if value in stage.tracks.objects else []


def _selected(stage: VideoContext, answered: Trace) -> tuple[tuple[str, ...], ...]:
    kinds = zip(answered.kinds, answered.values, strict=False)
    chosen = (ValueType.OBJECT, ValueType.OBJECTS)
    return tuple(stage.tracks.objects_of(kind, value) if kind in chosen else () for kind, value in kinds)


Pool = Asked | None
"""The right option, and what is certainly false; None where there is no fair question."""

Called = dict[int, Expression]


def _words(
    stage: VideoContext, form: Template, filling: Filling, value: str, words: Sequence[str], called: Called
) -> Pool:
    if value not in form.options:
        return None
    every = {v: DrawnOption(v, text) for v, text in form.options.items()}
    return every[value], tuple(c for v, c in every.items() if v != value)


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
    if value != "floor" and (not _index(stage, value) or t.objects.index(value) not in called):
        return None
    carried = form.quantity in ("carried_by", "carrier_of")
    if carried and TELL_TALE & {t.names[k] for k in (*filling.who, *_index(stage, value))}:
        return None
    later = moved_later(t, filling.who[0], int(t.shown[filling.place])) if _stops(form) else set()
    others = [k for k in called if k not in filling.who and t.objects[k] != value and k not in later]
    false = [DrawnOption(t.objects[k], called[k].words) for k in others if _could(stage, form, filling, k)]
    if form.quantity == "carrier_of" and value != "floor":
        false.append(DrawnOption("floor", "the floor"))
    right = DrawnOption(value, "the floor" if value == "floor" else called[t.objects.index(value)].words)
    return right, tuple(false)


def _stops(form: Template) -> bool:
    return form.quantity == "ends_beside"


def _could(stage: VideoContext, form: Template, filling: Filling, obj: int) -> bool:
    """Return whether an object is of a size that makes it a false option that somebody could choose."""
    t = stage.tracks
    if t.does and t.does[obj] and form.quantity in ("carrier_of", "carried_by", "held_by"):
        return False
    if form.quantity == "held_by":
        return bool(t.sizes_m[obj].max() <= HANDY_M)
    if form.quantity == "carrier_of":
        own = t.sizes_m[filling.who[0], :2].max()
        return bool(t.sizes_m[obj, :2].max() > own)
    if form.quantity == "carried_by":
        return bool(t.sizes_m[obj, :2].min() < t.sizes_m[filling.who[0], :2].max())
    return True


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
    if value not in COUNTED or filling.noun not in ALIKE:
        return None
    return DrawnOption(value, value), tuple(DrawnOption(n, n) for n in COUNTED if n != value)


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
    every = {}
    for order in permutations(range(len(words))):
        said = ", then ".join(words[k] for k in order)
        every[" ".join(str(k + 1) for k in order)] = said
    return DrawnOption(value, every[value]), tuple(
        DrawnOption(v, text) for v, text in every.items() if v != value
    )


def _an(value: str, noun: str) -> DrawnOption:
    return DrawnOption(value, f"{article(noun)} {noun}")


def _assets(setting: str) -> Mapping[str, AssetSpec]:
    if setting != "outdoor":
        return furniture_assets(None)
    return {asset.asset: asset for asset in STREET.values()}


def _all_nouns(setting: str) -> list[str]:
    return sorted({*(asset.noun for asset in _assets(setting).values()), *SOMEBODY[setting]} - {"cyclist"})


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
}

"""Who is meant, in the second derivation: what fits a description by what the frames of a span show.

Each step keeps of a set what fits, and what may fit (None). At the end exactly one object has to fit, and
nothing else may.

docs/benchmarks/sti-bench-definitions.md says what the words mean.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fathom.once import once
from fathom.verify.observed.video import ObservedVideo
from fathom.verify.operators.frames import Args, Filmed
from fathom.verify.operators.quantities import box_gap_m
from fathom.verify.operators.relations import is_related, middle
from fathom.verify.operators.trajectories import told
from fathom.verify.registry import VIDEO, bare, declare
from fathom.verify.undecided import InsufficientEvidence, NoAnswer
from fathom.verify.values import ObjectRef, ObjectSet, Span, Value

SAME_NOUN = (
    "mug cup", "bowl dish", "plate dish saucer", "can tin", "sofa couch", "armchair chair stool",
    "table desk", "coffee_table table", "cabinet cupboard wardrobe", "lamp light", "shelf bookcase bookshelf",
    "bin basket", "car sedan suv hatchback taxi van minivan", "truck lorry pickup van bus",
    "person pedestrian man woman child", "bicycle bike cyclist", "motorcycle motorbike scooter", "tree bush",
    "cactus potted_plant plant",
)  # fmt: skip
"""Nouns that some people use for the same object."""

SAME_COLOR = (
    "gray silver", "gray black", "white beige", "white silver", "brown beige", "red orange", "orange brown",
    "orange yellow", "pink purple", "blue purple", "blue cyan", "green teal", "green cyan", "red brown",
    "yellow gold",
)  # fmt: skip
"""Colours that some people would not tell apart."""

MOVES, RESTS = 0.7, 0.3
"""From such a share of the least leg on an object is taken to move, and up to such a share to stand still."""

TURNED_DEG = 30.0
TURNED_BAND_DEG = 7.0
NEARER = 1.15


def visible(video: ObservedVideo, span: Span) -> ObjectSet:
    """Return what can be made out in any frame shown of a span."""
    rows = video.among(span)
    sure, perhaps = (np.any(seen[rows], axis=0).tolist() for seen in (video.sure, video.perhaps))
    members = tuple(k for k in range(len(video.objects)) if perhaps[k])
    return ObjectSet(members, frozenset(k for k in members if not sure[k]))


def kept(items: ObjectSet, test: Callable[[int], bool | None]) -> ObjectSet:
    """Return what of a set passes a test, and what may."""
    passed = {k: test(k) for k in items.members}
    members = tuple(k for k, verdict in passed.items() if verdict is not False)
    return ObjectSet(members, frozenset(k for k in members if k in items.perhaps or passed[k] is None))


def _same(wanted: str, said: str, groups: tuple[str, ...]) -> bool | None:
    if wanted == said:
        return True
    near = any({wanted.replace(" ", "_"), said.replace(" ", "_")} <= set(g.split()) for g in groups)
    return None if near or not said else False


def _ends_with(name: str, noun: str) -> bool:
    """Return whether the last words of a name are a noun; those that say what a part is of do not count."""
    words, last = name.split(), noun.split()
    words = words[: words.index("of")] if "of" in words else words
    return words[-len(last) :] == last


def named(video: ObservedVideo, items: ObjectSet, noun: str) -> ObjectSet:
    """Return what is called so. An office chair may be meant by "chair", and a lamp's shade by "shade"."""

    def test(k: int) -> bool | None:
        own = video.names[k]
        kin = _ends_with(own, noun) or _ends_with(noun, own)
        return True if own == noun else None if kin else _same(noun, own, SAME_NOUN)

    return kept(items, test)


def colored(video: ObservedVideo, items: ObjectSet, color: str) -> ObjectSet:
    """Return what has a colour."""
    return kept(items, lambda k: _same(color, video.colors[k], SAME_COLOR))


def the(items: ObjectSet) -> int:
    """Return the only object of a set. Raises NoAnswer where there is none or there are several,
    InsufficientEvidence where that cannot be told.
    """
    sure = [k for k in items.members if k not in items.perhaps]
    if len(sure) > 1 or not items.members:
        raise NoAnswer
    if len(items.members) > 1 or not sure:
        raise InsufficientEvidence
    return sure[0]


def related(video: ObservedVideo, items: ObjectSet, said: str, anchor: int, span: Span) -> ObjectSet:
    """Return what stands so to an anchor in each frame shown in which both are made out."""
    rows = video.among(span)

    def test(k: int) -> bool | None:
        if k == anchor:
            return False
        together = video.perhaps[rows, k] & video.perhaps[rows, anchor]
        met = bool((video.sure[rows, k] & video.sure[rows, anchor]).any())
        either = video.perhaps[rows, k] | video.perhaps[rows, anchor]
        frames = video.shown[rows[together if together.any() else either]]
        held = {is_related(video, said, k, anchor, int(f)) for f in frames}
        if held == {False}:
            return False
        return True if held == {True} and met else None

    return kept(items, test)


def moving(video: ObservedVideo, items: ObjectSet, said: str, span: Span) -> ObjectSet:
    """Return what moves so, as far as it is seen."""
    return kept(items, lambda k: _moves_so(video, k, said, span))


def _moves_so(video: ObservedVideo, obj: int, said: str, span: Span) -> bool | None:
    moves = _moves(video, obj, span)
    if said == "stands still":
        return None if moves is None else not moves
    if said == "moves" or not moves:
        return moves
    frames = video.shown[video.among(span)][video.perhaps[video.among(span), obj]]
    try:
        pieces = told(video, obj, (int(frames[0]), int(frames[-1])))
    except (InsufficientEvidence, NoAnswer):
        return None
    turned = {"left": 0.0, "right": 0.0}
    for part, angle in zip(pieces.form, pieces.angles, strict=True):
        kind = part.partition(":")[0]
        turned[kind] = turned.get(kind, 0.0) + angle
    way = said.removeprefix("turns ")
    this, other = turned[way], turned["right" if way == "left" else "left"]
    if (this and other) or abs(this - TURNED_DEG) < TURNED_BAND_DEG:
        return None
    return this > TURNED_DEG


def _moves(video: ObservedVideo, obj: int, span: Span) -> bool | None:
    rows = video.among(span)
    rows = rows[video.perhaps[rows, obj]]
    fits = [video.fits[obj][g] for g in rows]
    places = np.array([video.courses[obj].places_m[0, video.shown[g]] for g in rows])
    known = np.array([fit is not None for fit in fits], dtype=bool)
    if known.sum() < 2 or not np.isfinite(places[known]).all():
        return None
    far = float(np.linalg.norm(places[known] - places[known][0], axis=1).max()) / video.scale.leg_m
    if far >= MOVES:
        return True
    return False if far <= RESTS and known.all() and video.sure[rows, obj].sum() >= 2 else None


def closest(video: ObservedVideo, items: ObjectSet, anchor: int, span: Span) -> int:
    """Return what is closest to an anchor in every frame that shows it, by middles and by nearest points.

    Rivals count in the frames in which it is known where they are. Raises InsufficientEvidence where nothing
    clearly is the closest, or where a rival's place is never known.
    """
    rivals = [k for k in items.members if k != anchor]
    frames = video.shown[video.among(span)][video.perhaps[video.among(span), anchor]]
    if len(rivals) < 2 or not len(frames):
        raise NoAnswer
    known = {k: video.courses[k].known[frames] for k in rivals}
    found = set()
    for g, frame in enumerate(frames.tolist()):
        found.add(_closest_at(video, [k for k in rivals if known[k][g]], anchor, frame))
    chosen = found.pop()
    complete = all(at.all() for at in known.values())
    if found and complete and None not in (chosen, *found):
        raise NoAnswer
    if found or chosen is None or chosen in items.perhaps or not known[chosen].all():
        raise InsufficientEvidence
    if not all(at.any() for at in known.values()):
        raise InsufficientEvidence
    return chosen


def _closest_at(video: ObservedVideo, rivals: list[int], anchor: int, frame: int) -> int | None:
    """Return which of some objects is clearly the closest to an anchor at a frame, None where none is."""
    if not rivals:
        return None
    here = middle(video, anchor, frame)
    apart = {k: float(np.linalg.norm(middle(video, k, frame) - here)) for k in rivals}
    first = min(rivals, key=lambda k: apart[k])
    # Boxes are no farther apart than their middles less half of their diagonals.
    near = NEARER * apart[first]
    if any(apart[k] < near for k in rivals if k != first):
        return None
    gap = NEARER * max(_gap(video, first, anchor, frame), 1e-6)
    half = {k: float(np.linalg.norm(video.size(k))) / 2 for k in (*rivals, anchor)}
    close = [k for k in rivals if k != first and apart[k] - half[k] - half[anchor] < gap]
    return first if all(_gap(video, k, anchor, frame) >= gap for k in close) else None


def _gap(video: ObservedVideo, a: int, b: int, frame: int) -> float:
    """Return the gap at a frame; of two objects that stand still all the time it is the same at all."""
    rest = all(video.still[k][video.courses[k].known].all() for k in (a, b))
    return _gap_at(video, a, b, 0 if rest else frame)


@once
def _gap_at(video: ObservedVideo, a: int, b: int, frame: int) -> float:
    return box_gap_m(video, a, b, frame)


def _visible(attempt: Filmed, inputs: list[Value], args: Args) -> ObjectSet:
    return visible(attempt.observed, bare(inputs[0]))


def _named(attempt: Filmed, inputs: list[Value], args: Args) -> ObjectSet:
    return named(attempt.observed, inputs[0], args[0])


def _colored(attempt: Filmed, inputs: list[Value], args: Args) -> ObjectSet:
    return colored(attempt.observed, inputs[0], args[0])


def _related(attempt: Filmed, inputs: list[Value], args: Args) -> ObjectSet:
    return related(attempt.observed, inputs[0], args[0], inputs[1].index, bare(inputs[2]))


def _moving(attempt: Filmed, inputs: list[Value], args: Args) -> ObjectSet:
    return moving(attempt.observed, inputs[0], args[0], bare(inputs[1]))


def _closest(attempt: Filmed, inputs: list[Value], args: Args) -> ObjectRef:
    return ObjectRef(closest(attempt.observed, *map(bare, inputs)))


def _the(attempt: Filmed, inputs: list[Value], args: Args) -> ObjectRef:
    return ObjectRef(the(inputs[0]))


declare(
    VIDEO,
    {
        "visible": _visible,
        "named": _named,
        "colored": _colored,
        "related": _related,
        "moving": _moving,
        "closest": _closest,
        "the": _the,
    },
)

"""Words that fit one thing of a video and no other, all through a span of time, and the steps that select it.

    expressions(tracks, span)["mug-2"].words     # "the red mug to the left of the plate"

An expression is a noun with at most two modifiers: a colour, a relation to another thing, a motion. The other
object is named by its noun, and by its colour where it needs it, which counts as one of the two. Of all that
fit, the shortest is given; one that would do without a modifier is never given. Unique means: among all
objects that can be made out at any time of the span, and clearly so: whatever might be called by the same
words counts as a rival (`likeness.ALIKE`), and relations hold at each time shown. Sides are those of the
camera's view; what stands nearer to the camera is "closer to the camera than", since "in front of a car"
could mean the car's own front.

Who reads "the police car beside the bench" looks for another police car. So whatever is said behind a noun
rules out an object that is seen clearly and of which noun and colour are said as well: what merely might be
taken for a police car is a rival all the same, but then nothing is said. Others are told by objects that are
clear themselves. "Closest" is said of what stays where it is, to the only object of its kind, and is true of
what is not seen as well.

Ref: STI-Bench §3.2; docs/benchmarks/sti-bench-definitions.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fathom.once import once
from fathom.programs.operators.selecting import (
    MOVING,
    RELATED,
    carries,
    closest,
    closest_of_all,
    colored,
    moving,
    named,
    related,
    rests,
    visible,
)
from fathom.programs.steps import joined
from fathom.programs.synonyms import calls, paints
from fathom.programs.values import NEVER, SURE, Set, TruthValue, Unanswerable, members, weaker
from fathom.programs.views.video import Span, VideoView
from fathom.records import Step

PEOPLE = frozenset({"pedestrian", "person", "man", "woman", "child", "boy", "girl", "cyclist", "worker"})
"""Nouns whose colour is that of what they wear: "the pedestrian in black"."""

CLEAR = 1.0
"""The least ratio at which words fit, and at which they fit nothing else."""

MODIFIERS = 2


@dataclass(frozen=True)
class Expression:
    """How an object is called: the words with their article, the program that selects it, how firmly, and the
    other object that the words speak of ("": none).
    """

    object_id: str
    words: str
    program: tuple[Step, ...]
    grade: TruthValue
    modifiers: int
    anchor: str = ""


@dataclass(frozen=True)
class _Set:
    """A description so far: what it fits, its words around the noun, its steps, and its modifiers.

    heard : the objects of which somebody may well say noun and colour
    besides : those of them of which nobody says the rest; None: there is no more
    """

    fits: Set
    before: str
    noun: str
    after: str
    program: tuple[Step, ...]
    modifiers: int
    heard: frozenset[int]
    besides: frozenset[int] | None = None
    anchor: int = -1

    @property
    def words(self) -> str:
        return " ".join(w for w in ("the", self.before, self.noun, self.after) if w)


def expressions(tracks: VideoView, span: Span | None = None) -> dict[str, Expression | None]:
    """Return for each object that is visible in a span (frames; the whole video where None) its shortest
    unique expression, None where there is none.
    """
    span = (0, tracks.frames - 1) if span is None else span
    return _expressions(tracks, span)


@once
def _expressions(tracks: VideoView, span: Span) -> dict[str, Expression | None]:
    everything = visible(tracks, span)
    found: dict[int, Expression] = {}
    nouns = [_noun(tracks, span, everything, n) for n in sorted({tracks.names[k] for k in everything} - {""})]
    plain = [p for n in nouns for p in (n, *_colored(tracks, n))]
    _take(tracks, span, found, plain)
    # What has been named by noun and colour alone is what others are placed by.
    anchors = _anchors(tracks, span, found)
    for modifiers in range(1, MODIFIERS + 1):
        if len(found) == len(everything):
            break
        left = [p for p in plain if p.modifiers < modifiers and any(k not in found for k in members(p.fits))]
        # Where nobody sees a second one of them, a modifier would make one look for it.
        left = [p for p in left if len(_clear(tracks, span) & p.heard) > 1]
        told = [m for p in left for m in _moved(tracks, span, p) if m.modifiers == modifiers]
        _take(tracks, span, found, told)
        _take(tracks, span, found, [s for p in left for s in _placed(tracks, span, p, anchors, modifiers)])
        _take_closest(tracks, span, found, left, anchors, modifiers)
    return {tracks.objects[k]: found.get(k) for k in everything}


def _anchors(tracks: VideoView, span: Span, found: dict[int, Expression]) -> dict[int, Expression]:
    """Return the objects by which others are told: clear all through a span, or at any time of the video."""
    clear = tracks.clear_in(span)
    enough = 1 if span == (0, tracks.frames - 1) else len(clear)
    usable = np.count_nonzero(clear, axis=0) >= enough
    return {k: found[k] for k in sorted(found) if usable[k]}


@once
def _clear(tracks: VideoView, span: Span) -> set[int]:
    """Return the objects that are clear at any time of a span."""
    return set(np.flatnonzero(tracks.clear_in(span).any(axis=0)).tolist())


def _noun(tracks: VideoView, span: Span, everything: Set, noun: str) -> _Set:
    first, last = (f"{tracks.times_s[f]:.6g}" for f in span)
    start = Step(op="whole") if span == (0, tracks.frames - 1) else Step(op="span", args=(first, last))
    steps = (start, Step(op="visible", inputs=(0,)), Step(op="named", inputs=(1,), args=(noun,)))
    fits = {k: g for k, g in named(tracks, everything, noun).items() if g.ratio > NEVER.ratio}
    heard = frozenset(k for k in fits if calls(noun, tracks.names[k]))
    return _Set(fits, "", noun, "", steps, 0, heard)


def _colored(tracks: VideoView, base: _Set) -> Iterator[_Set]:
    for color in sorted({tracks.colors[k] for k in members(base.fits)} - {""}):
        steps = (*base.program, Step(op="colored", inputs=(len(base.program) - 1,), args=(color,)))
        worn = base.noun.rpartition(" ")[2] in PEOPLE
        before, noun = ("", f"{base.noun} in {color}") if worn else (color, base.noun)
        heard = frozenset(k for k in base.fits if paints(color, tracks.colors[k]))
        fits = colored(tracks, base.fits, color)
        yield _Set(fits, before, noun, "", steps, base.modifiers + 1, base.heard & heard)


def _ruled_out(fits: Set) -> frozenset[int]:
    """Return the objects of which something clearly fails, so that nobody says it of them."""
    return frozenset(k for k, g in fits.items() if g.ratio <= -CLEAR)


def _moved(tracks: VideoView, span: Span, base: _Set) -> Iterator[_Set]:
    said_of = dict.fromkeys(base.heard, SURE)
    for word, said in MOVING.said.items():
        steps = (*base.program, Step(op="moving", inputs=(len(base.program) - 1, 0), args=(word,)))
        fits = moving(tracks, base.fits, word, span)
        if len(members(fits)) != 1:
            continue
        besides = _ruled_out(moving(tracks, said_of, word, span))
        yield _Set(fits, base.before, base.noun, said, steps, base.modifiers + 1, base.heard, besides)


def _placed(
    tracks: VideoView, span: Span, base: _Set, anchors: dict[int, Expression], modifiers: int
) -> Iterator[_Set]:
    """Yield a description with a relation to each object that has a name of its own."""
    said_of = dict.fromkeys(base.heard, SURE)
    for anchor, called in anchors.items():
        if base.modifiers + 1 + called.modifiers != modifiers:
            continue
        for word, said in RELATED.said.items():
            fits = related(tracks, base.fits, word, anchor, span)
            if len(members(fits)) != 1:
                continue
            steps, (at, of) = joined([base.program, called.program])
            steps = (*steps, Step(op="related", inputs=(at, of, 0), args=(word,)))
            after = f"{said} {called.words}"
            besides = _ruled_out(related(tracks, said_of, word, anchor, span))
            yield _Set(fits, base.before, base.noun, after, steps, modifiers, base.heard, besides, anchor)


def _take(tracks: VideoView, span: Span, found: dict[int, Expression], sets: list[_Set]) -> None:
    """Keep the first expression of each object that fits it alone, of the sets in which every filter
    counts.
    """
    best: dict[int, Expression] = {}
    for s in sets:
        chosen = members(s.fits)
        if len(chosen) != 1 or chosen[0] in found:
            continue
        grade = _alone(s.fits, chosen[0])
        if grade.ratio < CLEAR:
            continue
        if s.besides is not None and not _clear(tracks, span) & s.besides - {chosen[0], s.anchor}:
            continue
        program = (*s.program, Step(op="the", inputs=(len(s.program) - 1,)))
        anchor = tracks.objects[s.anchor] if s.anchor >= 0 else ""
        e = Expression(tracks.objects[chosen[0]], s.words, program, grade, s.modifiers, anchor)
        rival = best.get(chosen[0])
        if rival is None or (e.modifiers, len(e.words)) < (rival.modifiers, len(rival.words)):
            best[chosen[0]] = e
    found.update(best)


def _alone(fits: Set, chosen: int) -> TruthValue:
    """Return how firmly a set is this one object."""
    least = fits[chosen]
    for k, grade in fits.items():
        least = weaker(least, grade if k == chosen else -grade)
    return least


def _take_closest(
    tracks: VideoView,
    span: Span,
    found: dict[int, Expression],
    bases: list[_Set],
    anchors: dict[int, Expression],
    modifiers: int,
) -> None:
    """Keep "the chair closest to the table" for objects that have no expression yet."""
    alone = {k: e for k, e in anchors.items() if e.modifiers == 0 and rests(tracks, k, span)}
    for base in bases:
        if base.modifiers + 1 != modifiers or not all(rests(tracks, k, span) for k in base.fits):
            continue
        for anchor, called in alone.items():
            if anchor in members(base.fits):
                continue
            try:
                chosen, grade = closest(tracks, base.fits, anchor, span)
            except Unanswerable:
                continue
            if chosen in found or grade.ratio < CLEAR:
                continue
            if not _clear(tracks, span) & base.heard - {chosen, anchor}:
                continue
            if not closest_of_all(tracks, _there(tracks, base), chosen, anchor, span):
                continue
            if carries(tracks, chosen, anchor, span):
                continue  # of a lamp nobody says that the table under it is the closest one
            steps, (at, of) = joined([base.program, called.program])
            steps = (*steps, Step(op="closest", inputs=(at, of, 0)))
            words = f"{base.words} closest to {called.words}"
            name, other = tracks.objects[chosen], tracks.objects[anchor]
            found[chosen] = Expression(name, words, steps, grade, modifiers, other)


def _there(tracks: VideoView, base: _Set) -> Set:
    """Return what a noun and a colour may be said of, seen or not."""
    found: Set = {k: SURE for k in range(len(tracks.objects)) if not tracks.stands[k]}
    for step in base.program:
        if step.op in ("named", "colored"):
            found = (named if step.op == "named" else colored)(tracks, found, step.args[0])
    return found

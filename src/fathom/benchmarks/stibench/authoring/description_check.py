"""Whether a description fits one object of a video and no other, all through a span, by what is shown.

A description becomes a program over tracks, which is run on what the frames let one make
out. It fits where the program selects the object for certain: nothing else could be meant by anybody. It is
rejected where it surely fits something else, several objects, or nothing. What lies between, people decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from fathom.benchmarks.stibench.authoring.parsing import Link, ParsedDescription, parsed
from fathom.benchmarks.stibench.authoring.vocabulary import SIZES, DescriptionVocabulary
from fathom.programs.engine import traced
from fathom.programs.operators.selecting import related
from fathom.programs.referring import CLEAR
from fathom.programs.steps import joined
from fathom.programs.synonyms import ALIKE
from fathom.programs.values import SURE, Set
from fathom.programs.views.video import Span, VideoView
from fathom.questions.contexts.video_nouns import FRONTLESS
from fathom.records import Step

Outcome = Literal["fits", "people", "rejected"]

NOT_UNDERSTOOD = "words that are not in the vocabulary"
NOT_THERE = "speaks of something that is not there"
SEVERAL = "fits several objects"
ANOTHER = "fits another object"
NOTHING = "does not fit the object"
UNSURE = "somebody might mean something else by it"
ONLY_PEOPLE = "has words of which only people can say whether they fit"

LARGER = 1.25
"""How much larger than any other something is that is surely the largest."""

Program = tuple[Step, ...]


@dataclass(frozen=True)
class DescriptionFit:
    """What came of a description: the outcome, why, in words, and the program that selects the object."""

    outcome: Outcome
    reason: str = ""
    detail: str = ""
    program: Program = ()


class _WrongError(Exception):
    """A description that cannot be taken: the outcome, the reason, and what it is about."""

    def __init__(self, outcome: Outcome, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.fit = DescriptionFit(outcome, reason, detail)


def fit(
    words: str, obj: str, tracks: VideoView, span: Span, vocabulary: DescriptionVocabulary
) -> DescriptionFit:
    """Return whether words fit an object (its id) and nothing else all through a span of frames."""
    said = parsed(words, vocabulary)
    if said is None:
        return DescriptionFit("rejected", NOT_UNDERSTOOD, words[:80])
    target = tracks.index(obj)
    try:
        return _fit(said, target, _Place(tracks, span))
    except _WrongError as wrong:
        return wrong.fit


@dataclass(frozen=True)
class _Place:
    """The video and the span in which a description is to fit."""

    tracks: VideoView
    span: Span

    @property
    def start(self) -> Step:
        """The step that names the span."""
        if self.span == (0, self.tracks.frames - 1):
            return Step(op="whole")
        first, last = (f"{self.tracks.times_s[f]:.6g}" for f in self.span)
        return Step(op="span", args=(first, last))

    def name(self, obj: int) -> str:
        """Return how an object is called in reasons."""
        return f"{self.tracks.names[obj]} ({self.tracks.objects[obj]})"


def _fit(said: ParsedDescription, target: int, place: _Place) -> DescriptionFit:
    program = _set(said, place)
    found = _selected(program, place)
    unsure = _check_target(found, target, said, place)
    closest = [link for link in said.links if link.relation == "closest"]
    ordered, doubts = _claims(said, target, found, place)
    if len(closest) > 1:
        raise _WrongError("rejected", NOT_UNDERSTOOD, "two objects that it is closest to")
    if closest:
        program = _closest(program, closest[0], place)
        answered = traced(program, place.tracks)
        if answered.why:
            raise _WrongError("rejected", UNSURE, answered.why)
        if answered.values[-1] != target:
            raise _WrongError("rejected", ANOTHER, place.name(int(answered.values[-1])))
        unsure = unsure or ("" if answered.least.ratio >= CLEAR else UNSURE)
    elif not ordered:
        rivals = [k for k, g in found.items() if k != target and g.ratio >= CLEAR]
        if rivals and not said.sizes and not said.unknown:
            raise _WrongError("rejected", SEVERAL, ", ".join(place.name(k) for k in (target, *rivals)[:4]))
        program = (*program, Step(op="the", inputs=(len(program) - 1,)))
        if rivals:
            doubts = doubts or ONLY_PEOPLE
        elif not unsure and traced(program, place.tracks).least.ratio < CLEAR:
            unsure = UNSURE
    only = (Step(op="thing", args=(place.tracks.objects[target],)),)
    if unsure or doubts:
        words = " ".join((*said.sizes, *said.unknown))
        open_ones = [place.name(k) for k, g in found.items() if k != target and abs(g.ratio) < CLEAR]
        return DescriptionFit("people", doubts or unsure, words or ", ".join(open_ones[:4]), only)
    return DescriptionFit("fits", program=only if ordered else program)


def _check_target(found: Set, target: int, said: ParsedDescription, place: _Place) -> str:
    """Return whether anything is unsure about the object itself. Raises where the words do not fit it."""
    grade = found.get(target)
    if grade is None or grade.ratio <= -1:
        others = [k for k, g in found.items() if g.ratio >= CLEAR]
        if others:
            raise _WrongError("rejected", ANOTHER, ", ".join(place.name(k) for k in others[:4]))
        raise _WrongError("rejected", NOTHING, grade.relation if grade else said.noun)
    return "" if grade.ratio >= CLEAR else UNSURE


def _set(said: ParsedDescription, place: _Place) -> Program:
    """Return the steps that narrow what can be made out to what the words say, but for who is closest."""
    _check_there(said.noun, place)
    steps = [place.start, Step(op="visible", inputs=(0,)), Step(op="named", inputs=(1,), args=(said.noun,))]
    for color in said.colors:
        steps.append(Step(op="colored", inputs=(len(steps) - 1,), args=(color,)))
    for motion in said.motions:
        steps.append(Step(op="moving", inputs=(len(steps) - 1, 0), args=(motion,)))
    program: Program = tuple(steps)
    for link in said.links:
        if link.relation != "closest":
            program, at, of = _with_anchor(program, link, place)
            program = (*program, Step(op="related", inputs=(at, of, 0), args=(link.relation,)))
    return program


def _check_there(noun: str, place: _Place) -> None:
    """Raise where nothing that can be made out in the span could be called so by anybody."""
    tracks = place.tracks
    seen = np.any(tracks.seen[tracks.shown_in(place.span)], axis=0).tolist()
    there = {tracks.names[k] for k in range(len(tracks.objects)) if seen[k] and tracks.names[k]}
    alike = {w for group in ALIKE if noun in group for w in group} | {noun}
    if not any(n in alike or f" {n}".endswith(f" {noun}") or f" {noun}".endswith(f" {n}") for n in there):
        raise _WrongError("rejected", NOT_THERE, noun)


def _closest(program: Program, link: Link, place: _Place) -> Program:
    program, at, of = _with_anchor(program, link, place)
    return (*program, Step(op="closest", inputs=(at, of, 0)))


def _with_anchor(program: Program, link: Link, place: _Place) -> tuple[Program, int, int]:
    """Return a program with the steps that select the object of a relation, and where both end.

    Raises where that object is not told from others, or its own front may be meant.
    """
    said = link.anchor
    selecting = _set(said, place)
    selecting = (*selecting, Step(op="the", inputs=(len(selecting) - 1,)))
    if said.sizes or said.orders or said.unknown:
        raise _WrongError("rejected", NOT_UNDERSTOOD, " ".join((*said.sizes, *said.orders, *said.unknown)))
    answered = traced(selecting, place.tracks)
    if answered.why:
        raise _WrongError("rejected", f"names another object that is not one: {said.noun}", answered.why)
    anchor = int(answered.values[-1])
    if answered.least.ratio < CLEAR:
        raise _WrongError("rejected", UNSURE, f"which {said.noun} is meant")
    if link.own and place.tracks.fronts[anchor] and place.tracks.names[anchor] not in FRONTLESS:
        raise _WrongError("rejected", UNSURE, f"the own front of {place.name(anchor)} may be meant")
    steps, (at, of) = joined([program, selecting])
    return steps, at, of


def _selected(program: Program, place: _Place) -> Set:
    answered = traced(program, place.tracks)
    if answered.why:
        raise _WrongError("rejected", NOTHING, answered.why)
    found: Set = answered.values[-1]
    return found


def _claims(said: ParsedDescription, target: int, found: Set, place: _Place) -> tuple[bool, str]:
    """Return whether words of order single the object out for certain, and what only people can decide.

    Raises where words of size or order do not fit. Sizes in pictures and in the world are not the same to
    everybody: a word of size is held against the truth, and never singles out by itself.
    """
    rivals = [k for k, g in found.items() if k != target and g.ratio > -1]
    doubts = ONLY_PEOPLE if said.unknown else ""
    for word in said.sizes:
        ratio = _larger(word, target, rivals, place.tracks)
        if ratio <= 1:
            raise _WrongError("rejected", NOTHING, word)
        if rivals and ratio < LARGER:
            doubts = ONLY_PEOPLE
    if not said.orders:
        return False, doubts
    least = min((_ahead(order, target, rivals, place) for order in said.orders), default=SURE.ratio)
    if least <= -1:
        raise _WrongError("rejected", NOTHING, " ".join(said.orders))
    return True, doubts or ("" if least >= CLEAR else UNSURE)


def _larger(word: str, target: int, rivals: Sequence[int], tracks: VideoView) -> float:
    """Return how many times larger an object is than the next one, in what a word of size compares."""
    what, sign = SIZES[word]
    sizes = tracks.sizes_m
    values = {"volume": sizes.prod(axis=1), "height": sizes[:, 2], "side": sizes[:, :2].max(axis=1)}[what]
    ratios = [float(values[target] / values[k]) ** sign for k in rivals]
    return min(ratios, default=float("inf"))


def _ahead(order: str, target: int, rivals: Sequence[int], place: _Place) -> float:
    """Return how firmly an object is on one side of all others, in all frames in which both are seen."""
    grades = [related(place.tracks, {target: SURE}, order, k, place.span)[target].ratio for k in rivals]
    return min(grades, default=SURE.ratio)

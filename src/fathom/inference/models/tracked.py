"""Answers about videos from estimated tracks: what the program comes to there, and its nearest option.

Who is meant is told by the evidence of the question, so that an answer hangs on where objects are and not on
telling them apart. Of options, that one is taken whose numbers are the fewest tolerances away, all of them
together. A word is one of the options too: the right one where it is what the exact tracks say.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import msgspec

from fathom.extraction.numeric_answers import is_measured, measured
from fathom.extraction.quantities import sole_quantity
from fathom.programs.engine import Trace, resolved, run
from fathom.programs.values import Scenes, ValueType
from fathom.programs.views.video import VideoView
from fathom.records import ClipPart, InputError, MediaPart, Prompt, Question, Step
from fathom.store.seeds import rng

_NUMBER = re.compile(r"(?<![\w.])[-+−]?\d+(?:\.\d+)?")
_WITH_UNIT = re.compile(r"(\d+(?:\.\d+)?)\s*(m|s|°)(?![\w/])")
_UNITS = {"°": "deg"}


def is_tracked(question: Question) -> bool:
    """Return whether a question is about tracks: it has a program, and says in which setting it is asked."""
    return bool(question.program and question.scene and "setting" in question.tags)


def frames_in(prompt: Prompt) -> tuple[int, ...]:
    """Return the frames that a prompt shows, increasing, each once."""
    parts = [p for part in prompt.parts for p in (part.frames if isinstance(part, ClipPart) else (part,))]
    return tuple(sorted({p.frame for p in parts if isinstance(p, MediaPart) and p.frame >= 0}))


def answer_on(question: Question, tracks: VideoView, exact: VideoView, seed: str) -> str | None:
    """Return what a question is answered on estimated tracks, None where its program finds nothing there.

    `exact` are the true tracks, by which words are told. Raises InputError for a program that does not fit
    together.
    """
    program = pinned(question)
    resolved(program, Scenes.VIDEO)
    found = _answered(program, tracks)
    if found is None or found.value is None:
        return None
    if isinstance(found.value, str):
        said = _answered(program, exact)
        return _by_word(question, found.value, said.value if said else None, seed)
    if is_measured(question):
        return f"{found.numbers[0]:.6f} {found.unit}"
    return nearest_option(question, found)


def pinned(question: Question) -> tuple[Step, ...]:
    """Return the program with every object that it speaks of named by its id, as the evidence has it."""
    selected = question.evidence.steps if question.evidence else ()
    kinds = [operator.gives for operator in resolved(question.program, Scenes.VIDEO)]
    steps = []
    for k, step in enumerate(question.program):
        chosen = selected[k] if k < len(selected) else ()
        known = kinds[k] is ValueType.OBJECT and len(chosen) == 1
        steps.append(Step(op="thing", args=(chosen[0],)) if known else step)
    return _read_only(steps)


def _read_only(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return the steps that the last one hangs on, in their order."""
    wanted = {len(steps) - 1}
    for k in reversed(range(len(steps))):
        wanted |= set(steps[k].inputs) if k in wanted else set()
    kept = sorted(wanted)
    place = {k: i for i, k in enumerate(kept)}
    return tuple(
        msgspec.structs.replace(steps[k], inputs=tuple(place[i] for i in steps[k].inputs)) for k in kept
    )


def _answered(program: Sequence[Step], tracks: VideoView) -> Trace | None:
    """Return what a program comes to, its times moved into the video; None where that leaves no time."""
    first, last = float(tracks.times_s[0]), float(tracks.times_s[-1])
    steps = []
    for step in program:
        if step.op in ("span", "at"):
            times = tuple(f"{min(max(float(a), first), last):.6f}" for a in step.args)
            step = msgspec.structs.replace(step, args=times)
        steps.append(step)
    try:
        return run(tuple(steps), tracks)
    except InputError:
        return None


def _by_word(question: Question, word: str, exact: object, seed: str) -> str | None:
    """Return the option that says a word: the right one where it is the right word, else a false one."""
    if word == exact:
        return question.answer
    false = [c for c in question.choices if c != question.answer]
    if not false:
        return None
    saying = [c for c in false if re.search(rf"\b{re.escape(word.casefold())}\b", c.casefold())]
    some = saying if len(saying) == 1 else false
    return some[int(rng(seed, "a false word", question.id).integers(len(some)))]


def nearest_option(question: Question, found: Trace) -> str | None:
    """Return the option whose numbers are the fewest tolerances away; None where no option can be read."""
    distances = [(_away(question, found, option), i) for i, option in enumerate(question.choices)]
    best, place = min(distances, default=(math.inf, 0))
    return question.choices[place] if math.isfinite(best) else None


def _away(question: Question, found: Trace, option: str) -> float:
    if len(found.numbers) == 1:
        said = measured(option, question)
        quantity = sole_quantity(said) if said else None
        return math.inf if quantity is None else abs(float(quantity.value) - found.numbers[0])
    numbers = [float(n.replace("−", "-")) for n in _NUMBER.findall(option)]
    units = found.unit.split()
    if len(numbers) == len(found.numbers) and not _other_form(found, option):
        return _apart(found, numbers, units)
    return _apart_in_all(found, option, units) if found.form else math.inf


def _other_form(found: Trace, option: str) -> bool:
    """Return whether a described trajectory turns to other sides, or in another order, than an option."""
    own = [part.partition(":")[0] for part in found.form]
    sides = re.findall(r"turns (left|right)", option)
    return bool(found.form) and [s for s in own if s in ("left", "right")] != sides


def _apart(found: Trace, other: Sequence[float], units: Sequence[str]) -> float:
    """Return the root of the summed squares of the differences, each in tolerances.

    Angles of a box or a pose are compared around the circle, quaternions up to their sign.
    """
    own, total = found.numbers, 0.0
    if "-" in units and sum(a * b for a, b in zip(own[3:], other[3:], strict=True)) < 0:
        other = (*other[:3], *(-v for v in other[3:]))
    for a, b, unit, room in zip(own, other, units, found.tolerance, strict=True):
        off = abs(a - b)
        if unit == "deg" and not found.form:
            off = abs((a - b + 180.0) % 360.0 - 180.0)
        total += (off / max(room, 1e-6)) ** 2
    return math.sqrt(total)


def _apart_in_all(found: Trace, option: str, units: Sequence[str]) -> float:
    """Return how far a trajectory of another form is off: in the whole way, all turns, and all stops."""
    total = 0.0
    for unit in dict.fromkeys(units):
        at = [k for k, u in enumerate(units) if u == unit]
        own, room = (sum(numbers[k] for k in at) for numbers in (found.numbers, found.tolerance))
        said = sum(float(n) for n, u in _WITH_UNIT.findall(option) if _UNITS.get(u, u) == unit)
        total += ((own - said) / max(room, 1e-6)) ** 2
    return math.sqrt(total)

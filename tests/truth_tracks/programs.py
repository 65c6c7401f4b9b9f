"""Programs for every operator over tracks, and what the two derivations make of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from fathom.ground_truth.cells import TruthCell
from fathom.programs.engine import Trace, run
from fathom.programs.referring import expressions
from fathom.programs.steps import joined
from fathom.programs.views.video import VideoView, video_view
from fathom.records import Scene, Step
from fathom.store.seeds import rng
from fathom.verify.engine import derive
from fathom.verify.observed.video import ObservedVideo
from fathom.verify.values import agrees

Program = tuple[Step, ...]

CAMERA = (Step(op="camera"),)
SIZES = ("length", "width", "height")
APART = ("distance", "gap")
EXTREMES = ("least_distance", "greatest_distance")
OVER_SPANS = ("displacement", "path_length", "average_speed", "velocity", "mean_acceleration", "trajectory")
AT_TIMES = ("speed", "acceleration")


@dataclass(frozen=True)
class Film:
    """A world, the cells of the frames that are shown, and the tracks of its record with what is made out."""

    scene: Scene
    cells: tuple[TruthCell, ...]

    def tracks(self, scene: Scene | None = None) -> VideoView:
        """Return the tracks of the record, or of one with planted faults."""
        tracks = video_view(scene or self.scene)
        seen = np.zeros((len(self.cells), len(tracks.objects)), bool)
        for row, cell in enumerate(self.cells):
            for k, glimpse in enumerate(cell.objects):
                if glimpse.object_id in tracks.objects:
                    px = int(np.count_nonzero(cell.ids == k))
                    seen[row, tracks.index(glimpse.object_id)] = px >= max(40, 0.05 * glimpse.full_px)
        return tracks.with_seen([c.frame for c in self.cells], seen)


def ended(op: str, *parts: Program, args: Sequence[str] = ()) -> Program:
    """Return a program whose last step takes what other programs come to."""
    steps, ends = joined(parts)
    return (*steps, Step(op=op, inputs=ends, args=tuple(args)))


def programs(tracks: VideoView, rounds: int, words: bool) -> Iterator[Program]:
    """Yield programs for all operators, about objects by their ids or by what they are called."""
    g = rng("programs", tracks.scene, rounds, int(words))
    objects = [k for k in range(len(tracks.objects)) if not tracks.stands[k] and tracks.seen[:, k].any()]
    for turn in range(rounds):
        about = [objects[(turn + k) % len(objects)] for k in (0, *(1 + g.permutation(len(objects) - 1)[:2]))]
        called = [_called(tracks, int(k), words) for k in about]
        first, last, when, into = (int(f) for f in g.choice(tracks.shown, 4, replace=False))
        span = (Step(op="span", args=tuple(_said(tracks, f) for f in sorted((first, last)))),)
        at, frame = ((Step(op="at", args=(_said(tracks, f),)),) for f in (when, into))
        a, b, c = called
        if a is not None:
            yield from _of_one(a, span, at, frame)
            for body in (a, CAMERA):
                yield from (ended(op, body, span) for op in OVER_SPANS)
                yield from (ended(op, body, at) for op in AT_TIMES)
            yield from (ended(op, a, CAMERA, at) for op in APART)
            yield from (ended(op, a, CAMERA, span) for op in EXTREMES)
        if a is not None and b is not None:
            yield from _of_two(a, b, span, at)
        if a is not None and b is not None and c is not None:
            yield from (ended("order", a, b, c, at, args=(x,)) for x in ("left to right", "near to far"))
        yield ended("azimuth_change", span)
        yield from (ended("camera_pose", at, args=form) for form in ((), ("quaternion",)))


def _of_one(a: Program, span: Program, at: Program, frame: Program) -> Iterator[Program]:
    yield from (ended(op, a) for op in SIZES)
    yield from (ended(op, a, at) for op in ("quarter", "centre", "box"))
    yield ended("box", a, at, frame)
    yield from (ended(op, a, (Step(op="whole"),)) for op in ("displacement", "velocity"))


def _of_two(a: Program, b: Program, span: Program, at: Program) -> Iterator[Program]:
    yield from (ended(op, a, b, at) for op in APART)
    yield from (ended(op, a, b, span) for op in EXTREMES)
    yield from (ended("relation", a, b, at, args=x) for x in ((), ("side",), ("depth",), ("height",)))


def _said(tracks: VideoView, frame: int) -> str:
    return f"{tracks.times_s[frame]:.2f}"


def _called(tracks: VideoView, obj: int, words: bool) -> Program | None:
    if not words:
        return (Step(op="thing", args=(tracks.objects[obj],)),)
    found = expressions(tracks).get(tracks.objects[obj])
    return found.program if found else None


def is_asked(answered: Trace) -> bool:
    """Return whether an answer stands firm enough to be asked for."""
    return answered.value is not None and answered.least.ratio >= 1


def compared(tracks: VideoView, video: ObservedVideo, asked: Sequence[Program]) -> Counter[str]:
    """Return how often the derivations agree, differ, or the second cannot decide; by "operator verdict"."""
    out: Counter[str] = Counter()
    for program in asked:
        answered = run(program, tracks)
        if not is_asked(answered):
            continue
        found = derive(program, video)
        if found is None:
            verdict = "cannot decide"
        else:
            said = answered.value if isinstance(answered.value, str) else ""
            same = agrees(found, answered.numbers, said, answered.form)
            verdict = "agree" if same else "differ"
        out[f"{program[-1].op} {verdict}"] += 1
    return out


def differing(found: Counter[str]) -> set[str]:
    """Return the operators of which some answers differ."""
    return {name.split()[0] for name in found if name.endswith("differ")}

"""`depth`: sees the true depth, and which object every pixel shows, in the frames of its prompt; no more.

    frames    of these frames at most, so many spread evenly (0: all of them)
    seed      what its guesses follow from

It fits a pose to the surface points that it sees of an object in each frame (rigid, least squares), and
measures sizes between the outermost points seen in any of them. Between frames everything goes straight on;
before its first sight of a thing, and after its last, the thing stays. The camera is known where a frame was
taken. On these tracks the question's program is run, as the oracle does. So it shows what is reachable at 30
frames by whoever sees perfectly, and what cannot be had from them: short bursts of speed, backs nobody sees.

Which point of a surface is which is told to it, as are nouns, colours and who is meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fathom.extraction.numeric_answers import is_measured
from fathom.geometry.rigid import nearest_rotations, rigid_fit
from fathom.ground_truth.cell_files import TruthCells
from fathom.ground_truth.cells import TruthCell
from fathom.ground_truth.footage import firm_points
from fathom.inference.backend import Context, Scalar, knows_answers, read_options
from fathom.inference.models.random import draw_answer, spoken
from fathom.inference.models.tracked import answer_on, frames_in, is_tracked
from fathom.media.sampling import sample
from fathom.programs.views.video import VideoView, video_view
from fathom.records import DataError, InputError, Question, Request, Response
from fathom.store.datasets import Dataset

Array = NDArray[np.float64]

LEAST_POINTS = 8
"""From fewer surface points no pose is fitted."""
STILL_M, STILL_RAD = 0.002, 0.01
"""What moved and turned less between any two sights stands still."""


class DepthBackend:
    """Answers from what true depth tells at the frames of its prompt; guesses where that is too little."""

    name = "depth"
    revision = ""
    notes: tuple[str, ...] = ()
    may_be_silent = True

    def __init__(self, context: Context, seed: str, frames: int) -> None:
        self.parameters: Mapping[str, Scalar] = {"seed": seed, "frames": frames}
        self._dataset, self._write, self._seed = context.dataset, context.write_answer, seed
        self._frames = frames
        self._exact = lru_cache(maxsize=32)(lambda scene: video_view(context.dataset.scene(scene)))
        self._seen = lru_cache(maxsize=32)(self._watched)

    def answer_all(self, requests: Sequence[Request]) -> list[Response]:
        """Return the answer to each request. Raises InputError for a question that is not about tracks."""
        return [self._answer(r) for r in requests]

    def _answer(self, request: Request) -> Response:
        question = self._dataset.question(request.asked.id)
        if not is_tracked(question):
            raise InputError(
                f"question {question.id}: has no program over tracks; the player `depth` works on "
                "videos that were built"
            )
        frames = frames_in(request.prompt)
        if self._frames and len(frames) > self._frames:
            frames = tuple(frames[i] for i in sample(len(frames), self._frames, "linspace"))
        if request.variant.media_withheld or not frames:
            return self._guess(request, question)
        seen, exact = self._seen(question.scene, frames), self._exact(question.scene)
        answer = None if seen is None else answer_on(question, seen, exact, self._seed)
        if answer is None:
            return self._guess(request, question)
        return spoken(request, self.name, self._write(answer), "computed")

    def _guess(self, request: Request, question: Question) -> Response:
        if is_measured(question):
            return spoken(request, self.name, "", "guessed")
        guess = draw_answer(request.asked, self._seed, request.variant)
        return spoken(request, self.name, self._write(guess), "guessed")

    def _watched(self, scene: str, frames: tuple[int, ...]) -> VideoView | None:
        return watched(self._dataset, scene, frames)


def watched(dataset: Dataset, scene_id: str, frames: Sequence[int]) -> VideoView | None:
    """Return the tracks of a scene as its truth at these frames tells them, None where it has none of them.

    Raises DataError where the scene has no truth on disk.
    """
    scene = dataset.scene(scene_id)
    path = dataset.truth_path(scene)
    if not path.is_file():
        raise DataError(
            f"{path}: the player `depth` sees the truth of a video, and there is none; build the "
            "dataset again"
        )
    with TruthCells(path) as film:
        names, there = film.objects, [frame for frame in frames if (0, frame) in film]
        cells = {frame: film.read(0, frame) for frame in there}
    return seen_tracks(video_view(scene), names, cells) if cells else None


def seen_tracks(exact: VideoView, names: Sequence[str], cells: Mapping[int, TruthCell]) -> VideoView:
    """Return tracks from what cells show, by frame: `names` are the objects in their order in the cells.

    Of `exact`, identities and words are taken, the clock, and where the camera was at these frames.
    """
    frames = np.asarray(sorted(cells))
    every = np.arange(exact.frames)
    positions, rotations = exact.positions_m.copy(), exact.rotations.copy()
    sizes, valid = exact.sizes_m.copy(), np.zeros_like(exact.valid)
    for k, name in enumerate(exact.objects):
        if exact.stands[k] or name not in names:
            continue
        place = list(names).index(name)
        poses, rest = _fitted(cells, frames, place)
        if not poses:
            continue
        valid[k] = True
        sizes[k] = np.maximum(rest.max(axis=0) - rest.min(axis=0), 1e-4)
        positions[k], rotations[k] = _course(poses, every)
    camera = {int(f): (exact.views[f], exact.eyes_m[f]) for f in frames}
    eyes, views = _course(camera, every, may_stand=False)
    return replace(
        exact, eyes_m=eyes, views=views, positions_m=positions, rotations=rotations, sizes_m=sizes,
        valid=valid, seen=valid[:, exact.shown].T.copy(), memo={},
    )  # fmt: skip


Poses = dict[int, tuple[Array, Array]]
"""By frame, a rotation (3, 3) and a place (3,)."""


def _fitted(cells: Mapping[int, TruthCell], frames: NDArray[np.intp], place: int) -> tuple[Poses, Array]:
    """Return the poses of an object where it is seen, and all of its points seen, at rest (n, 3)."""
    poses: Poses = {}
    rest = [np.zeros((0, 3))]
    for frame in frames.tolist():
        known = _known(cells[frame], place)
        if known is not None:
            poses[frame] = rigid_fit(*known)
            rest.append(cells[frame].objects[place].rest_m)
    return poses, np.concatenate(rest)


def _known(cell: TruthCell, place: int) -> tuple[Array, Array] | None:
    """Return the points seen of an object that move as one, at rest and in the world; None where too few."""
    glimpse = cell.objects[place]
    told = firm_points(cell, place) if np.isfinite(glimpse.rest_m).all() else np.zeros(0, dtype=bool)
    if told.sum() < LEAST_POINTS:
        return None
    rest, world = glimpse.rest_m[told], glimpse.points_m[told]
    spread = np.linalg.svd(rest - rest.mean(axis=0), compute_uv=False)
    # Points on a line leave the turn about it open.
    return (rest, world) if spread[1] > 1e-3 * max(spread[0], 1e-9) else None


def _course(poses: Poses, every: NDArray[np.intp], *, may_stand: bool = True) -> tuple[Array, Array]:
    """Return places (F, 3) and rotations (F, 3, 3) at all frames, straight on between those that are known.

    What hardly moved `may_stand` still, at the mean of where it was seen.
    """
    frames = sorted(poses)
    turns, places = (np.stack([poses[f][i] for f in frames]) for i in (0, 1))
    if may_stand and len(frames) > 1 and _stands(turns, places):
        turns, places = nearest_rotations(turns.mean(axis=0)[None]), places.mean(axis=0)[None]
        frames = frames[:1]
    at = np.column_stack([np.interp(every, frames, column) for column in places.T])
    # Between two rotations a few degrees apart, what is nearest to their mix turns evenly enough.
    mixed = np.column_stack([np.interp(every, frames, column) for column in turns.reshape(-1, 9).T])
    return at, nearest_rotations(mixed.reshape(-1, 3, 3))


def _stands(turns: Array, places: Array) -> bool:
    still = np.abs(places - places.mean(axis=0)).max() < STILL_M
    return bool(still and np.abs(turns - turns[0]).max() < STILL_RAD)


@knows_answers
def open_depth(target: str, options: Mapping[str, str], context: Context) -> DepthBackend:
    """Return the player for the dataset that is asked. Raises InputError for an option it does not have."""
    values = read_options(options, {"frames": int, "seed": str}, "depth")
    frames = int(values.get("frames", 0))
    if frames < 0 or frames == 1:
        raise InputError(
            f"--model depth: frames expects 0 (all that are shown), or 2 and more, found {frames}"
        )
    return DepthBackend(context, str(values.get("seed", context.seed)), frames)

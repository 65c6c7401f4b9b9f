"""A dataset's videos while they are written about: what is seen in them, who is described, and their truth
in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from fathom.benchmarks.stibench.authoring.settings import Target, VideoWriting
from fathom.datasets.generators.videos_proofs import MAKES
from fathom.ground_truth.cell_files import TruthCells
from fathom.ground_truth.cells import TruthCell
from fathom.programs.operators.selecting import MOTIONS, RELATION_WORDS, motion_grade, related, visible
from fathom.programs.referring import Expression
from fathom.programs.values import SURE
from fathom.programs.views.video import Span
from fathom.questions.contexts.video import WHOLE, Moment, VideoContext, video_context
from fathom.questions.contexts.video_recipe import VideoQuestionRecipe
from fathom.questions.contexts.video_visibility import sights_in
from fathom.questions.sampling.video_fillings import spans_of
from fathom.records import InputError, Media, Scene
from fathom.store.datasets import MEDIA, Dataset
from fathom.store.files import read_jsonl
from fathom.store.seeds import rng

MOST_RELATIONS = 8
"""So many relations of an object are told at most; nearer objects come first."""


@dataclass(eq=False)
class NamedStage(VideoContext):
    """A video in which objects are called as accepted descriptions call them, and no others are named."""

    given: Mapping[tuple[str, Moment], Expression] = field(default_factory=dict)

    def called(self, obj: int, moment: Moment) -> Expression | None:
        """Return how an object is called all through the video, else all through the span that is stated."""
        name = self.tracks.objects[obj]
        return self.given.get((name, WHOLE)) or self.given.get((name, moment))


def is_of_videos(dataset: Dataset) -> bool:
    """Return whether a dataset was built from videos with exact tracks."""
    if not (dataset.path / "scenes.jsonl").is_file():
        return False
    first = next(dataset.scenes(), None)
    return first is not None and first.generator in MAKES


def films_of(dataset: Dataset, most: int = 0) -> Iterator[tuple[Scene, Media]]:
    """Yield the videos of a dataset, at most so many (0: all), each with its medium.

    Raises InputError where the truth of one is not there.
    """
    media = {m.scene: m for m in read_jsonl(dataset.path / MEDIA, Media)}
    for count, scene in enumerate(dataset.scenes(), 1):
        if not scene.truth or not (dataset.path / scene.truth).is_file() or scene.id not in media:
            raise InputError(
                f"{dataset.path}: the truth or the medium of {scene.id} is missing; build the dataset again"
            )
        yield scene, media[scene.id]
        if count == most:
            return


def opened(dataset: Dataset, scene: Scene, recipe: VideoQuestionRecipe) -> VideoContext:
    """Return a video with what the frames that are shown let one see of it."""
    with TruthCells(dataset.path / scene.truth) as cells:
        return video_context(scene, sights_in(scene, cells), recipe)


def named(stage: VideoContext, given: Mapping[tuple[str, Moment], Expression]) -> NamedStage:
    """Return a video in which objects are called so."""
    return NamedStage(stage.scene, stage.tracks, stage.visibility, stage.recipe, stage.clear, given=given)


def moments_of(stage: VideoContext, writing: VideoWriting) -> list[Moment]:
    """Return the spans in which objects are described: the whole video, and some of those asked about."""
    return list(dict.fromkeys([WHOLE, *spans_of(stage)[: writing.spans]]))


def frames_of(stage: VideoContext, moment: Moment) -> Span:
    """Return the first and the last frame of a span."""
    if moment == WHOLE:
        return 0, stage.tracks.frames - 1
    return int(stage.tracks.shown[moment.first]), int(stage.tracks.shown[moment.last])


def targets_of(stage: VideoContext, media: Media, writing: VideoWriting) -> list[Target]:
    """Return who is to be described in a video, and in which spans, drawn by chance."""
    out = []
    if "camera" in stage.tracks.names:
        return []  # nobody could say which camera is meant
    for moment in moments_of(stage, writing):
        there = stage.there(moment)
        g = rng(writing.seed, "described", stage.scene.id, moment.first, moment.last)
        picked = [there[int(i)] for i in g.permutation(len(there))[: writing.objects]]
        if picked:
            name = f"{stage.scene.id}_{moment.first}_{moment.last % len(stage.visibility.frames)}"
            objects = {f"T{k + 1}": stage.tracks.objects[k] for k in sorted(picked)}
            out.append(
                Target(
                    id=name, scene=stage.scene.id, setting=stage.tracks.rules.name, media=media.id,
                    first=moment.first, last=moment.last, objects=objects,
                )
            )  # fmt: skip
    return out


Read = Callable[[int], TruthCell]
"""From a shown frame to what is seen in it."""


@contextmanager
def reading(dataset: Dataset, scene: Scene) -> Iterator[Read]:
    """Give what is seen in each shown frame of a video, every frame read once."""
    with TruthCells(dataset.path / scene.truth) as cells:
        places = {frame: (view, frame) for view, frame in cells.cells}
        yield lru_cache(maxsize=None)(lambda frame: cells.read(*places[frame]))


def truth_of(stage: VideoContext, target: Target, read: Read) -> dict[str, Any]:
    """Return the truth of a video in words: when it is, what can be made out, and how the objects that are to
    be described lie and move. Objects are called T and their place in the record.
    """
    t = stage.tracks
    span = frames_of(stage, Moment(target.first, target.last))
    there = visible(t, span)
    return {
        "seconds": [round(float(t.times_s[f]), 2) for f in span],
        "setting": target.setting,
        "things": {f"T{k + 1}": _object(stage, k, span, read) for k in there},
        "relations": {name: _relations(stage, t.index(obj), span) for name, obj in target.objects.items()},
    }


def _object(stage: VideoContext, k: int, span: Span, read: Read) -> dict[str, Any]:
    t = stage.tracks
    found: dict[str, Any] = {"noun": t.names[k]}
    if t.colors[k]:
        found["color"] = t.colors[k]
    found["length_width_height_m"] = [round(float(s), 3) for s in t.sizes_m[k]]
    found["motion"] = [m for m in MOTIONS if motion_grade(t, k, m, span).ratio >= 1]
    frame, box = best_seen(stage, k, span, read)
    found["best_seen"] = {"seconds": round(float(t.times_s[frame]), 2), "box_px": list(box)}
    return found


def best_seen(stage: VideoContext, k: int, span: Span, read: Read) -> tuple[int, tuple[int, int, int, int]]:
    """Return the shown frame of a span in which most of an object is seen, and its box there in pixels."""
    rows = stage.tracks.shown_in(span)
    row = int(rows[int(np.argmax(stage.visibility.visible_px[k, rows]))])
    frame = stage.visibility.frames[row]
    name = stage.tracks.objects[k]
    left, top, right, bottom = next(g.window for g in read(frame).objects if g.object_id == name)
    return frame, (int(left), int(top), int(right), int(bottom))


def _relations(stage: VideoContext, k: int, span: Span) -> list[str]:
    """Return the relations of a thing to others that hold all through a span, those to the nearest first."""
    t = stage.tracks
    away = np.linalg.norm(t.centres_m[:, span[0]] - t.centres_m[k, span[0]], axis=1)
    found = []
    for other in sorted((o for o in visible(t, span) if o != k), key=lambda o: float(away[o])):
        for word, said in RELATION_WORDS.items():
            if related(t, {k: SURE}, word, other, span)[k].ratio >= 1:
                found.append(f"{said} T{other + 1}")
        if len(found) >= MOST_RELATIONS:
            break
    return found[:MOST_RELATIONS]

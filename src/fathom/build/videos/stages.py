"""The work on one video, each stage a function that any process can do, and that leaves its part on disk.

A part is written last and whole: where it exists, the stage is done and is not done again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.build.assets.libraries import Library
from fathom.build.assets.model import Model
from fathom.build.assets.together import with_still_as_one
from fathom.build.questions.tracks import Draft, Selection, Sights, drafted
from fathom.build.render.takes import joined, make_film, make_stills
from fathom.build.render.variants import Engine
from fathom.build.texts import texts_read
from fathom.build.truth.cell_files import Cells, write_cells
from fathom.build.truth.cells import POINTS
from fathom.build.truth.footage import Swinging, as_filmed, footage
from fathom.build.videos.plan import VideoPlan, media_of_video
from fathom.build.videos.proving import proofs
from fathom.build.videos.recheck import sights_in
from fathom.build.worlds.videos.audit import Audit, Fault, audit
from fathom.build.worlds.videos.scales import SCALES, Scale
from fathom.records import Media, Question, Record, Scene, TextReading
from fathom.store.datasets import TRUTH_FOLDER
from fathom.store.files import read_json, write_json

STILL = "still"
"""The id under which all that does not move is painted as one."""


class Seen(Record, frozen=True, kw_only=True):
    """What the shown frames of a video let one see of each thing, as `Sights` has it; lists of frames."""

    frames: tuple[int, ...]
    visible_px: tuple[tuple[int, ...], ...]
    full_px: tuple[tuple[int, ...], ...]
    depth_m: tuple[tuple[float | None, ...], ...]


class VideoPart(Record, frozen=True, kw_only=True):
    """A video that is done: the record, the hash of its truth, what is seen, and the faults of its world."""

    scene: Scene
    truth_sha256: str
    seen: Seen
    faults: tuple[tuple[str, str, int, float, float, str], ...]

    @property
    def sights(self) -> Sights:
        """What is seen, as questions take it."""
        seen = self.seen
        depth = np.array(
            [[np.nan if d is None else d for d in row] for row in seen.depth_m], dtype=np.float64
        )
        return Sights(
            self.scene.id,
            tuple(t.id for t in self.scene.things),
            seen.frames,
            np.array(seen.visible_px, dtype=np.int64),
            np.array(seen.full_px, dtype=np.int64),
            depth,
        )

    @property
    def audited(self) -> Audit:
        """What was looked at in its world, and what is wrong."""
        loose = [t for t in self.scene.things if t.category != "structure"]
        moving = sum(len(t.poses) > 1 for t in loose)
        faults = tuple(Fault(*f) for f in self.faults)
        return Audit(1, len(loose), moving, len(self.scene.times_s), faults)


def make_video(plan: VideoPlan, index: int) -> int:
    """Make a video: its world, the truth of the frames that are shown, what they show. Returns its index."""
    scale, number = plan.place(index)
    how, library = SCALES[scale], plan.library(scale)
    drawn = how.draw(number, plan.seed, plan.worlds[scale], library)
    scene: Scene = msgspec.structs.replace(drawn, truth=f"{TRUTH_FOLDER}/{drawn.id}.zip")
    frames = plan.recipe().frames(media_of_video(scene))
    filmed, models = as_filmed(scene, how.models(scene, 0, library))
    swinging = partial(_swinging, how, scene, library)
    truth = write_cells(
        plan.out / scene.truth, filmed, footage(filmed, models, frames, POINTS, swinging), POINTS
    )
    with Cells(plan.out / scene.truth) as cells:
        sights = sights_in(scene, cells)
    part = VideoPart(
        scene=scene,
        truth_sha256=truth,
        seen=_seen(sights),
        faults=tuple(
            (f.kind, f.thing, f.frame, f.value, f.limit, f.words) for f in audit(scene, how.limits).faults
        ),
    )
    write_json(plan.video_part(index), part)
    return index


def _seen(sights: Sights) -> Seen:
    return Seen(
        frames=sights.frames,
        visible_px=tuple(map(_whole, sights.visible_px)),
        full_px=tuple(map(_whole, sights.full_px)),
        depth_m=tuple(tuple(map(_depth, row)) for row in sights.depth_m),
    )


def _whole(values: NDArray[np.int64]) -> tuple[int, ...]:
    return tuple(int(v) for v in values)


def _depth(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 5)


def read_video(plan: VideoPlan, index: int) -> VideoPart:
    """Return a video that is done."""
    return read_json(plan.video_part(index), VideoPart)


def draft(plan: VideoPlan, index: int) -> tuple[int, list[Draft]]:
    """Return all that a video offers to ask, and its index."""
    part = read_video(plan, index)
    return index, list(drafted(part.scene, part.sights, plan.recipe().questions))


class Asked(Record, frozen=True, kw_only=True):
    """The questions of all videos; how many of a task and setting are missing, of how many, and why, and how
    many of a level; which share of a level spread the answers of each pool of drafts lack; and which videos
    were drawn besides.
    """

    questions: tuple[Question, ...]
    short: tuple[tuple[tuple[str, str], int], ...]
    missing: tuple[tuple[tuple[str, ...], float], ...]
    wanted: tuple[tuple[tuple[str, str], int], ...] = ()
    reasons: tuple[tuple[tuple[str, str], str], ...] = ()
    levels: tuple[tuple[tuple[str, str], int], ...] = ()
    further: tuple[int, ...] = ()

    @property
    def selection(self) -> Selection:
        """What is known of the selection, without the drafts."""
        return Selection(
            short=Counter(dict(self.short)),
            missing=dict(self.missing),
            wanted=dict(self.wanted),
            reasons=dict(self.reasons),
            levels=dict(self.levels),
        )


class VideoProof(Record, frozen=True, kw_only=True):
    """The questions of a video; of each what its second derivation comes to, whether that is the same, and
    whether its words mean its program.
    """

    questions: tuple[Question, ...]
    second: dict[str, str]
    verdicts: dict[str, str]
    texts: dict[str, TextReading] = {}


def prove(plan: VideoPlan, work: tuple[int, Sequence[Question]]) -> int:
    """Derive the answers to a video's questions a second time. Returns its index."""
    index, questions = work
    part = read_video(plan, index)
    with Cells(plan.out / part.scene.truth) as cells:
        found = proofs(part.scene, cells, part.sights, plan.recipe().questions.seeing, questions)
    proof = VideoProof(
        questions=tuple(questions),
        second={name: words for name, (_, words) in found.items()},
        verdicts={name: verdict for name, (verdict, _) in found.items()},
        texts=texts_read(plan.text_reader, part.scene, questions),
    )
    write_json(plan.proof_part(index), proof)
    return index


def read_proof(plan: VideoPlan, index: int) -> VideoProof:
    """Return the questions of a video that are proved."""
    return read_json(plan.proof_part(index), VideoProof)


class Pictures(Record, frozen=True, kw_only=True):
    """The medium of one video."""

    media: Media


def make_pictures(plan: VideoPlan, engine: Engine, work: tuple[int, bool]) -> int:
    """Paint the frames of a video that are shown, of some all frames. Returns its index."""
    index, whole = work
    part = read_video(plan, index)
    scale, _ = plan.place(index)
    how, library = SCALES[scale], plan.library(scale)
    scene, models = as_painted(part.scene, how.models(part.scene, 0, library))
    swinging = partial(_swinging, how, part.scene, library)
    looks = partial(_models, models, swinging)
    frames = {0: part.seen.frames}
    made = list(make_stills(plan.out, scene, looks, frames, engine, plan.look(plan.quality), _media))
    if whole:
        made += make_film(plan.out, scene, looks, (0,), engine, plan.look(plan.film_quality), _media)
    (media,) = joined(made)
    write_json(plan.picture_part(index), Pictures(media=media))
    return index


def as_painted(scene: Scene, models: dict[str, Model]) -> tuple[Scene, dict[str, Model]]:
    """Return a video with all that does not move as one thing, which is made ready for light once."""
    still = [t for t in scene.things if len(t.poses) == 1 and t.poses[0].valid]
    return with_still_as_one(scene, models, STILL, still)


def _models(models: dict[str, Model], swinging: Swinging, frame: int) -> dict[str, Model]:
    return {**models, **swinging(frame)}


def _swinging(how: Scale, scene: Scene, library: Library | None, frame: int | None) -> Mapping[str, Model]:
    return how.swinging(scene, frame, library)


def _media(scene: Scene, view: int) -> Media:
    return media_of_video(scene)


def read_pictures(plan: VideoPlan, index: int) -> Media:
    """Return the medium of a video whose pictures are done."""
    return read_json(plan.picture_part(index), Pictures).media

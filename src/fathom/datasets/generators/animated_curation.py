"""Which of the stories that were drawn become objects of a dataset: what is measured of each, and decided.

What is looked at is the asset alone, in its edits, as the story has it move, from cameras of its own: an
asset, a sequence of its clips, and what was done to it. The pictures are cheap ones, so that a build without
a renderer curates as any other does; they are kept for people to judge by, and a classifier learns from them.

Ref: 4D-Bench §3.3.1, §3.3.3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.assets.animated.library import AnimatedLibrary
from fathom.assets.model import Model
from fathom.curation.curate import Curation, CurationSettings, decide
from fathom.curation.duplicates import Floats
from fathom.curation.measuring import Grade, MeasuredObject, PoolObject, measure
from fathom.curation.pixels import Picture
from fathom.curation.previews import drawn, face_colors, joined_faces, on_white, outermost
from fathom.datasets.generators.animated_settings import Plan, library_of_plan
from fathom.datasets.plan import DRAWN
from fathom.datasets.stages import read_drawn
from fathom.geometry.poses import pose_at, to_world
from fathom.geometry.views import fitted_orbit
from fathom.records import Camera, InputError, Record, Scene, SceneObject, UnfitError, Verdict
from fathom.render.frame_writer import fps_of
from fathom.render.tone import png
from fathom.scenes.scene_at_time import model_at
from fathom.store.files import read_json, write_bytes

PREVIEWS = "previews"
"""Where a dataset keeps a strip of small pictures of each object that was drawn, those that left included."""

SIDE_PX = 128
WATCHED, PICTURED = 2, 4
"""How many views motion is looked for in, from the front and from a side, and how many a preview shows."""

_FOV_DEG, _ELEVATION_DEG = 30.0, 15.0


class ObjectPart(Record, frozen=True, kw_only=True):
    """A story that was drawn, None where none could be, and what was measured of it."""

    scene: Scene | None
    measured: MeasuredObject


def name_of(index: int) -> str:
    """Return what a story is called that could not be drawn."""
    return f"story-{index:06d}"


def object_drawn(plan: Plan, index: int, draw: Callable[[Plan, int], Scene]) -> ObjectPart:
    """Return story `index`, drawn and measured.

    Where it cannot be drawn or measured it says why; a strict plan raises that error instead.
    """
    try:
        scene = draw(plan, index)
    except (InputError, UnfitError) as e:
        if plan.strict:
            raise
        return ObjectPart(
            scene=None, measured=MeasuredObject(name=name_of(index), category="", failed=str(e))
        )
    return ObjectPart(scene=scene, measured=_measured(plan, scene))


def _measured(plan: Plan, scene: Scene) -> MeasuredObject:
    film = ObjectAlone(scene, library_of_plan(plan))
    candidate = candidate_of(film)
    if plan.own.curation is None:
        return MeasuredObject(
            name=candidate.name, category=candidate.category, motions=candidate.motions, asset=candidate.asset
        )
    found = measure(candidate, plan.own.curation.motion, grade_of(plan), plan.strict)
    if not found.failed:
        strip = np.concatenate(film.pictures(), axis=1)
        write_bytes(plan.out / PREVIEWS / f"{scene.id}.png", png(strip))
    return found


def grade_of(plan: Plan) -> Grade | None:
    """Return what grades objects, None where nothing does. Raises what opening a classifier raises."""
    if plan.own.quality_filter is None or plan.own.clip_model is None:
        return None
    return _classifier(plan.own.quality_filter, plan.own.clip_model)


@lru_cache(maxsize=1)
def _classifier(folder: Path, encoder: Path) -> Grade:
    from fathom.curation.classifier import open_classifier

    return open_classifier(folder, encoder).score


@dataclass(frozen=True, eq=False)
class ObjectAlone:
    """The asset of a story alone, frame by frame, in the colours in which it begins."""

    scene: Scene
    library: AnimatedLibrary

    @cached_property
    def asset(self) -> SceneObject:
        """The asset, to whom nothing happens."""
        obj: SceneObject = msgspec.structs.replace(self.scene.objects[0], events=())
        return obj

    def model(self, frame: int) -> Model:
        """Return its model at a frame. Raises AssetError where it cannot be posed."""
        found = model_at(self.asset, self.library, self.scene.times_s[frame])
        assert found is not None, "an actor is there at all times"
        return found

    def points(self, frame: int) -> Floats:
        """Return the (n, 3) vertices of all its parts in the world."""
        vertices = np.concatenate([p.vertices for p in self.model(frame).parts])
        return to_world(pose_at(self.asset.poses, frame), vertices)

    def positions(self) -> Iterator[Floats]:
        """Yield its vertices at every frame."""
        for frame in range(len(self.scene.times_s)):
            yield self.points(frame)

    @cached_property
    def cameras(self) -> tuple[Camera, ...]:
        """The cameras that look at it: the first from its front, all of it in the picture at all times."""
        frames = range(0, len(self.scene.times_s), 2)
        reach = np.concatenate([outermost(self.points(frame)) for frame in frames])
        return fitted_orbit(
            outermost(reach),
            math.radians(_ELEVATION_DEG),
            PICTURED,
            (SIDE_PX, SIDE_PX),
            math.radians(_FOV_DEG),
        )

    def film(self, view: int) -> Iterator[Picture]:
        """Yield one view's pictures, (height, width, 4), transparent around the asset."""
        for frame in range(len(self.scene.times_s)):
            yield self.picture(view, frame)

    def picture(self, view: int, frame: int) -> Picture:
        """Return one picture."""
        faces, colors = self._surface
        return drawn(self.points(frame), faces, colors, self.cameras[view])

    def pictures(self) -> list[Picture]:
        """Return its first frame from all around, as a classifier sees it."""
        return [on_white(self.picture(view, 0)) for view in range(PICTURED)]

    @cached_property
    def _surface(self) -> tuple[NDArray[np.int64], Floats]:
        """Its triangles and their colours, the same at all times."""
        parts = self.model(0).parts
        return joined_faces(parts), face_colors(parts)


def candidate_of(film: ObjectAlone) -> PoolObject:
    """Return the asset of a story as an object that may become one of the dataset's."""
    scene, asset = film.scene, film.asset
    return PoolObject(
        name=scene.id,
        category=asset.category,
        films=lambda: (film.film(view) for view in range(WATCHED)),
        fps=fps_of(scene),
        motions=tuple(dict.fromkeys(a.verb or a.clip for a in asset.animations)),
        asset=asset.asset.name,
        sequence=_sequence(scene),
        parts=lambda: film.model(0).parts,
        positions=film.positions,
        size=max(asset.size_m),
        pictures=film.pictures,
    )


def _sequence(scene: Scene) -> tuple[str, ...]:
    """Return what tells two stories of one asset apart: its clips, its edits, and what is around it."""
    asset, *others = scene.objects
    clips = [f"{a.clip} ({a.verb})" if a.verb else a.clip for a in asset.animations]
    around = sorted(
        " ".join(w for w in (t.attributes.get("color", ""), t.subtype, *(e.what for e in t.events)) if w)
        for t in others
    )
    return (*clips, *asset.asset.edits, *(f"{e.what} {e.detail}".strip() for e in asset.events), *around)


def curated(plan: Plan, drawn: Sequence[int], verdicts: Iterable[Verdict] = ()) -> tuple[Curation, list[int]]:
    """Return which of the stories that were drawn stay, and their indices in order.

    Raises UnfitError where none does.
    """
    parts: dict[int, ObjectPart] = {k: read_drawn(plan, k) for k in drawn}
    settings = plan.own.curation or CurationSettings()
    found = decide([p.measured for p in parts.values()], settings, verdicts)
    found = msgspec.structs.replace(found, assets=plan.own.left_out)
    kept = set(found.kept)
    indices = [k for k, p in parts.items() if p.measured.name in kept]
    if not indices:
        first = found.dropped[0]
        raise UnfitError(
            f"{plan.out}: not one of {len(drawn)} objects stays (the first, {first.name}: {first.reason}); "
            "build more of them, ask for less with --set curate.…, or let all pass with --set curate=off"
        )
    return found, indices


def measured_of(plan: Plan) -> list[MeasuredObject]:
    """Return what was measured of every story that was drawn, those that left included."""
    parts = sorted((plan.work / DRAWN).glob("*.json"))
    return [read_json(path, ObjectPart).measured for path in parts]

"""A film as its cells show it: what is there, what it is, where it stands, and what the actor does.

Of the record only what objects are like as they are drawn is used: their names, colours and parts' words, and
which is which. Poses, animations, events and edits are not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fathom.assets.model import Points
from fathom.assets.props.catalogue import SCREEN
from fathom.records import Camera, Scene, SceneObject
from fathom.verify.observed.attachments import place_of, rests
from fathom.verify.observed.blends import pose_between
from fathom.verify.observed.clips import MotionEstimate, SurfaceSample, course_of, stretches
from fathom.verify.observed.events import ObservedEvent, acts_of, events_of, filled, lasting, open_ended
from fathom.verify.observed.gathered import (
    CellReader,
    GatheredEvidence,
    ObjectEvidence,
    color_word,
    gathered,
    same_paints,
)
from fathom.verify.observed.motion_library import MotionLibrary
from fathom.verify.observed.props import (
    FEWEST,
    FITS,
    Placed,
    PropShape,
    left_over,
    placed_as,
    recognised,
    thinned,
)
from fathom.verify.observed.upright import Values, lean_deg, upright_fit, wrapped
from fathom.verify.registry import SceneKind
from fathom.verify.undecided import OpenPolicy

Words = tuple[str | None, ...]


@dataclass(frozen=True, eq=False)
class Body:
    """An object that moves as a whole, at each of G frames: which prop it is, and how it lies.

    `low_m`, `high_m` (G, 3) are the corners of its box in the world, `spot_m` (G, 3) the origin of its own
    frame; NaN where they cannot be told.
    """

    shapes: tuple[PropShape | None, ...]
    placed: tuple[Placed | None, ...]
    spot_m: Points
    low_m: Points
    high_m: Points


@dataclass(frozen=True, eq=False)
class ObservedAnimation:
    """What the cells show. G frames looked at, T objects; the actor is the first of them.

    ids : of the objects
    frames, length : the frames looked at, and how many the film has
    there : for each object whether it is there at each of them
    names, colors : for each object what it is called, and its colour; None where that cannot be told
    places : for each object where on the actor it is, "" where it stands on its own, None: cannot be told
    parts : the actor's parts by name: their colours
    bodies : for each object but the actor
    course : what the actor does and where it stands, None where its clips are not known
    yaw, spot_m : (G,), (G, 3) of the actor
    screens : the objects that only hide others, of which nothing is asked
    untold : whether something could have become of an object, or of a part, while nothing told of it
    outward : (C, 2) for each camera of the film, the direction on the ground from what it looks at to it
    """

    scene: str
    ids: tuple[str, ...]
    frames: tuple[int, ...]
    length: int
    fps: float
    found: GatheredEvidence
    there: tuple[tuple[bool, ...], ...]
    names: tuple[Words, ...]
    colors: tuple[Words, ...]
    places: Words
    parts: dict[str, Words]
    main: str
    bodies: tuple[Body | None, ...]
    repertoire: MotionLibrary | None
    course: MotionEstimate | None
    yaw: Values
    spot_m: Points
    size_m: float
    outward: Points
    happenings: tuple[ObservedEvent, ...]
    screens: frozenset[int] = frozenset()
    untold: bool = False

    @property
    def kind(self) -> SceneKind:
        """Which operators run on it."""
        return SceneKind.ANIMATION

    @property
    def policy(self) -> OpenPolicy:
        """How what is undecided is taken: each on its own."""
        return OpenPolicy()

    def object_id(self, index: int) -> str:
        """Return the id of an object."""
        return self.ids[index]

    @property
    def objects(self) -> int:
        """How many objects there are."""
        return len(self.there)

    @cached_property
    def keys(self) -> tuple[Words, ...]:
        """For each object its key, and its name when it is first there; None where that cannot be told."""
        out = []
        for k in range(self.objects):
            first = next((g for g, there in enumerate(self.there[k]) if there), 0)
            name, color = self.names[k][first], self.colors[k][first]
            key = None if name is None or color is None else f"{color} {name}".strip()
            out.append((key, name))
        return tuple(out)

    @cached_property
    def leans_deg(self) -> tuple[float, ...]:
        """How far the actor's body leans at each frame looked at, against its rest; 0 where untold."""
        rep = self.repertoire
        rest = rep.posed("", 0.0) if rep is not None else None
        return tuple(_lean(row[0], rep, rest) for row in self.found.looks)

    @cached_property
    def tracks(self) -> dict[int, Points]:
        """Limb tracks that have been followed, kept for the next question; see `limbs`."""
        return {}


def observed_animation(
    scene: Scene, cells: CellReader, repertoire: MotionLibrary | None = None
) -> ObservedAnimation:
    """Return what the cells of a film show. Without a repertoire nothing is said of what the actor does."""
    found = gathered(cells)
    frames, fps = found.frames, _fps(scene)
    course = _course(found, repertoire, fps)
    yaw, spot = _stand(found, course)
    bodies = tuple(_body(found, k) if k else None for k in range(len(scene.objects)))
    there = tuple(tuple(row[k].there for row in found.looks) for k in range(len(scene.objects)))
    names = tuple(_names(t, b, there[k]) for k, (t, b) in enumerate(zip(scene.objects, bodies, strict=True)))
    parts = _parts(scene.objects[0], [row[0] for row in found.looks])
    main = scene.objects[0].attributes.get("main", "")
    drawn = scene.objects[0].attributes.get("color", "")
    colors = [parts.get(main, (drawn,) * len(frames))]
    colors += [_colors(t, b, [row[k] for row in found.looks])
               for k, (t, b) in enumerate(zip(scene.objects, bodies, strict=True)) if k]  # fmt: skip
    size = max(scene.objects[0].size_m)
    film = ObservedAnimation(
        scene=scene.id, ids=tuple(t.id for t in scene.objects),
        frames=frames, length=len(scene.times_s), fps=fps, found=found, there=there,
        names=tuple(filled(n) for n in names), colors=tuple(filled(c) for c in colors),
        places=(), parts={n: filled(c) for n, c in parts.items()}, main=main, bodies=bodies,
        repertoire=repertoire, course=course, yaw=yaw, spot_m=spot, size_m=size,
        outward=np.stack([_outward(c) for c in scene.cameras]), happenings=(),
        screens=frozenset(k for k, t in enumerate(scene.objects) if t.category == SCREEN),
    )  # fmt: skip
    courses = [(there[k], course) for k in range(1, len(bodies)) for course in (names[k], colors[k])]
    courses += [(there[0], course_of_part) for course_of_part in parts.values() if any(course_of_part)]
    events = [e for k in range(1, len(bodies)) for e in events_of(k, there[k], names[k], colors[k], frames)]
    events += events_of(0, there[0], (), (), frames)
    for part, course_of_part in parts.items():
        changed = events_of(0, (), (), course_of_part, frames)
        events += [replace(e, detail=f"{part}={e.detail}") for e in changed]
    events += _acts(film)
    happenings = tuple(sorted(events, key=lambda e: (e.first, e.last, e.what)))
    film = replace(film, happenings=happenings, untold=any(open_ended(*c) for c in courses))
    return replace(film, places=_places(film, scene))


def _lean(look: ObjectEvidence, rep: MotionLibrary | None, rest: Points | None) -> float:
    if rep is None or rest is None or len(rest) != len(rep.stance_m) or len(look.faces) < FEWEST:
        return 0.0
    corners = rest[rep.faces[look.faces]]
    return lean_deg((corners * rep.weights_of(look.faces, look.rest_m)[..., None]).sum(axis=1), look.world_m)


def _fps(scene: Scene) -> float:
    return 1.0 / (scene.times_s[1] - scene.times_s[0]) if len(scene.times_s) > 1 else 1.0


def _course(found: GatheredEvidence, repertoire: MotionLibrary | None, fps: float) -> MotionEstimate | None:
    looks = [row[0] for row in found.looks]
    if repertoire is None or not repertoire.routines or len(looks) < 2:
        return None
    if min(len(look.faces) for look in looks) < FEWEST or any(np.isnan(x.rest_m).any() for x in looks):
        return None
    samples = [SurfaceSample(x.faces, repertoire.weights_of(x.faces, x.rest_m), x.world_m) for x in looks]
    return course_of(repertoire, samples, (found.frames[1] - found.frames[0]) / fps)


def _stand(found: GatheredEvidence, course: MotionEstimate | None) -> tuple[Values, Points]:
    """Return where the actor faces and stands at each frame: as its clips tell, else as if it were rigid."""
    yaw, spot = np.full(len(found.frames), np.nan), np.full((len(found.frames), 3), np.nan)
    for g, row in enumerate(found.looks):
        if course is not None and course.routine[g] >= 0:
            yaw[g], spot[g] = course.yaw[g], course.shift_m[g]
        elif course is None and len(row[0].faces) >= FEWEST and not np.isnan(row[0].rest_m).any():
            fit = upright_fit(row[0].rest_m, row[0].world_m)
            yaw[g], spot[g] = float(fit.yaw), fit.shift_m
    return yaw, spot


def _body(found: GatheredEvidence, k: int) -> Body:
    shape, placed = None, None
    shapes: list[PropShape | None] = []
    places: list[Placed | None] = []
    for row in found.looks:
        look = row[k]
        now, lies = _again(look, shape, placed)
        if now is not None:
            shape, placed = now, lies
        shapes.append(now)
        places.append(lies)
    box = np.full((3, len(shapes), 3), np.nan)
    for g, (one, lies) in enumerate(zip(shapes, places, strict=True)):
        if one is not None and lies is not None:
            corners = lies.world(one.vertices)
            box[:, g] = lies.shift_m, corners.min(axis=0), corners.max(axis=0)
    return Body(tuple(shapes), tuple(places), box[0], box[1], box[2])


def _again(
    look: ObjectEvidence, shape: PropShape | None, placed: Placed | None
) -> tuple[PropShape | None, Placed | None]:
    """Return what an object is and how it lies: as before where that fits, else looked up anew."""
    if len(look.faces) < FEWEST:
        return None, None
    faces, world = thinned(look.faces, look.world_m)
    same = shape is not None and shape.parts == look.parts and int(faces.max()) < len(shape.faces)
    if same and shape is not None and placed is not None:
        if left_over(shape, placed, faces, world) <= FITS * placed.scale / 4:
            return shape, placed
        moved = placed_as(shape, faces, world)
        if moved.rms_m <= FITS * moved.scale / 4:
            return shape, moved
    return recognised(look.parts, look.faces, look.world_m)


def _names(obj: SceneObject, body: Body | None, there: Sequence[bool]) -> Words:
    """Return what an object is called: which prop it is seen to be, or as it was drawn if it is none."""
    if body is None or obj.category != "prop":
        return (obj.attributes.get("name") or obj.subtype,) * len(there)
    return tuple(None if s is None else s.name for s in body.shapes)


def _colors(obj: SceneObject, body: Body | None, looks: Sequence[ObjectEvidence]) -> Words:
    if body is None or obj.category != "prop":
        return (obj.attributes.get("color", ""),) * len(looks)
    out: list[str | None] = []
    for look, shape in zip(looks, body.shapes, strict=True):
        seen = [] if shape is None else [p for p in shape.painted if look.part_px[p]]
        out.append(color_word(look.paints[seen[0]], black=True) if seen else None)
    return tuple(out)


def _parts(actor: SceneObject, looks: Sequence[ObjectEvidence]) -> dict[str, Words]:
    """Return the colours of the actor's parts: as drawn until their paint is seen to change."""
    out = {}
    for name, part in actor.parts.items():
        drawn, word, paints = part.get("color", ""), "", None
        course: list[str | None] = []
        for look in looks:
            own = [k for k, n in enumerate(look.parts) if n == name]
            seen = [k for k in own if look.part_px[k]]
            if not seen:
                course.append(None)
                continue
            now = tuple(look.paints[k] for k in own)
            best = look.paints[max(seen, key=lambda k: int(look.part_px[k]))]
            if paints is None:
                word = color_word(best, exact=True) or drawn if drawn else ""
            elif not same_paints(now, paints):
                word = color_word(best) or "?"
            paints = now
            course.append(word)
        out[name] = tuple(None if w == "?" else w for w in course)
    return out


def _acts(film: ObservedAnimation) -> list[ObservedEvent]:
    if film.course is None or film.repertoire is None:
        return []
    course, routines = film.course, film.repertoire.routines
    verbs: list[str | None] = [
        "" if g in course.blends else routines[c].verb if c >= 0 and sure else None
        for g, (c, sure) in enumerate(zip(course.routine, course.sure, strict=True))
    ]
    verbs = lasting(verbs)
    borders = [b for _, b in stretches(verbs)[:-1]]
    return acts_of(verbs, [_fuzzy(course, b) for b in borders], film.frames, film.length)


def _fuzzy(course: MotionEstimate, last: int) -> tuple[int, int]:
    """Return between which frames looked at a clip gives way to the next one, about after `last`."""
    one, other = int(course.routine[last]), int(course.routine[last + 1])
    low, high = last, last + 1
    if {low, high} & set(course.blends):
        return low, high
    if one >= 0 and other >= 0:
        if low > 0 and course.ease[low, other] <= course.ease[low, one] + 1.0:
            low -= 1
        if high + 1 < len(course.routine) and course.ease[high, one] <= course.ease[high, other] + 1.0:
            high += 1
    return low, high


def _places(film: ObservedAnimation, scene: Scene) -> Words:
    out: list[str | None] = [""]
    for k, obj in enumerate(scene.objects):
        if k:
            drawn = obj.attributes.get("worn_on") or obj.attributes.get("held_in", "")
            out.append(_place(film, k, drawn))
    return tuple(out)


def _place(film: ObservedAnimation, k: int, drawn: str) -> str | None:
    """Return where on the actor a thing is: "" where it stands on its own, None where that cannot be told."""
    body, rep = film.bodies[k], film.repertoire
    if body is None or rep is None or film.course is None:
        return drawn
    some = [g for g in range(len(film.frames)) if body.placed[g] and film.course.routine[g] >= 0]
    if not some:
        return None
    chosen = [some[round(i)] for i in np.linspace(0, len(some) - 1, min(5, len(some)))]
    posed = {g: posed_at(film, g) for g in chosen}
    others = [b for j, b in enumerate(film.bodies) if b is not None and j != k]
    stands = rests(body, others, chosen, film.size_m)
    return place_of(body, posed, stands, rep, film.yaw, film.spot_m)


def posed_at(film: ObservedAnimation, g: int) -> Points:
    """Return (n, 3) the actor's vertices in its own frame, in the clip and at the time that was seen."""
    assert film.course is not None
    assert film.repertoire is not None
    if g in film.course.blends:
        blend = film.course.blends[g]
        return pose_between(film.repertoire, blend, 0.0, 0.0, blend.share)
    routine = film.repertoire.routines[int(film.course.routine[g])]
    return film.repertoire.posed(routine.name, float(film.course.time_s[g]))


def views_from(film: ObservedAnimation, side_rad: float, within_rad: float) -> tuple[NDArray[np.intp], bool]:
    """Return which of the views looked at are from a side of the actor as it faces at first, and whether they
    are all that the film has from there.
    """
    azimuth = np.arctan2(film.outward[:, 1], film.outward[:, 0]) - film.yaw[0]
    wanted = np.flatnonzero(np.abs(wrapped(azimuth - side_rad)) <= within_rad).tolist()
    here = [film.found.views.index(v) for v in wanted if v in film.found.views]
    return np.array(here, np.intp), bool(wanted) and len(here) == len(wanted)


def _outward(camera: Camera) -> Points:
    """Return against which direction on the ground a camera looks."""
    w, x, y, z = camera.poses[0].rotation_wxyz
    ahead = np.array([2 * (x * z + w * y), 2 * (y * z - w * x)])
    return np.asarray(-ahead / max(float(np.linalg.norm(ahead)), 1e-12))

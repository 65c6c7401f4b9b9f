"""What a world holds: poses, cameras, objects, and the summary of what can be seen of them.

Lengths are metres, angles radians, times seconds. Frames:

- world: x, y on the ground, z up, right-handed;
- object: x forward, y left, z up; the origin is the centre of the footprint, on the ground;
- camera: OpenCV axes, x right, y down, z forward.
"""

from __future__ import annotations

import msgspec

Vec3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """The base of every noun: frozen, and an unknown key is an error."""


class Pose(Record, frozen=True, kw_only=True):
    """Where something stands: the transform that takes its own frame to the world."""

    position_m: Vec3
    rotation_wxyz: Quaternion
    time_s: float = 0.0
    valid: bool = True
    position_sigma_m: float = 0.0
    rotation_sigma_rad: float = 0.0


class Camera(Record, frozen=True, kw_only=True):
    """A pinhole camera; the pose takes camera axes (x right, y down, z forward) to the world."""

    width: int
    height: int
    fx: float
    fy: float
    cx: float
    cy: float
    poses: tuple[Pose, ...]


class AssetRef(Record, frozen=True, kw_only=True):
    """Which model an object is made from; vertices are derived again when they are needed."""

    name: str
    sha256: str
    edits: tuple[str, ...] = ()


class Animation(Record, frozen=True, kw_only=True):
    """Which clip of the asset plays from `start_s` to `end_s` of the scene's time.

    At `start_s` the clip stands at `from_s` of its own time; `rate` is how much of it passes in a second,
    less than 0 where it plays backwards. Past its end it begins again where it is to `loop`, else it stays.
    `verb` is the lexicon's name of what is done in it. For `blend_s` before `start_s` the pose goes over,
    evenly, from the clip that plays before to this one, both going on meanwhile.
    """

    clip: str
    start_s: float = 0.0
    end_s: float = 0.0
    from_s: float = 0.0
    rate: float = 1.0
    loop: bool = False
    verb: str = ""
    blend_s: float = 0.0


class Event(Record, frozen=True, kw_only=True):
    """Something that happens to an object at a known time.

    `what` is "appears", "vanishes", "recolours" (`detail`: the new colour) or "swaps" (`detail`: what the
    object turns into). It begins at `start_s` and is over at `end_s`.
    """

    what: str
    start_s: float
    end_s: float
    detail: str = ""


class SceneObject(Record, frozen=True, kw_only=True):
    """One object of a scene."""

    id: str
    category: str
    subtype: str
    size_m: Vec3
    poses: tuple[Pose, ...]
    asset: AssetRef
    attributes: dict[str, str] = {}
    parts: dict[str, dict[str, str]] = {}
    animations: tuple[Animation, ...] = ()
    events: tuple[Event, ...] = ()


class Cover(Record, frozen=True, kw_only=True):
    """How much of one object's silhouette another object, nearer to the camera, lies over.

    `over_px` counts the pixels where the other object is nearer, whatever else is nearer still;
    `seen_px` those of them where the other object is what the picture shows.
    """

    object_id: str
    over_px: int
    seen_px: int


class ObjectVisibility(Record, frozen=True, kw_only=True):
    """What the camera sees of one object, from the scene's geometry alone.

    `full_px` is the area of the silhouette when nothing else stands in the scene, the part beyond the
    edges of the picture included; `amodal_px` the part of it inside the picture; `visible_px` what is
    left when everything else is there. `box_px` is (left, top, right, bottom) of the visible part, right
    and bottom exclusive. `gaps_px` gives, for every other thing, the smallest distance in the picture between
    the two silhouettes: 0 where they touch or overlap, exact up to 64 pixels, and from there on at least 64.
    `part_px` counts the visible pixels of each named part. `ends_px` tells how well its heading shows: for
    "front" and "rear", the third of its length at that end, the visible pixels and those that it would show
    if it stood alone.
    """

    object_id: str
    full_px: int
    amodal_px: int
    visible_px: int
    box_px: tuple[int, int, int, int]
    covers: tuple[Cover, ...] = ()
    gaps_px: dict[str, float] = {}
    part_px: dict[str, int] = {}
    ends_px: dict[str, tuple[int, int]] = {}


class Sweep(Record, frozen=True, kw_only=True):
    """What the real shapes say of `thing` moving straight along its heading, about one `other` object.

    `way` is "forward" or "backward". `into_m` is how far the mover could be shifted to either side and would
    still hit the other; negative, how far it must be shifted before it may; at most 1.2 m either way, and 0
    where it cannot be told. `soonest_m` and `latest_m` are the shortest and the longest way until the two
    touch, over small shifts to either side; None where they never do.
    """

    object_id: str
    way: str
    other: str
    into_m: float
    soonest_m: float | None = None
    latest_m: float | None = None


class Environment(Record, frozen=True, kw_only=True):
    """What lights the scene and lies behind it: a light probe by name and hash, or the built-in sky."""

    name: str
    sha256: str = ""
    rotation_rad: float = 0.0
    ground: str = "plain"
    detail: dict[str, float] = {}


class Scene(Record, frozen=True, kw_only=True):
    """A world with its camera, and the summary of what can be seen in it.

    `directions` are unit vectors in the world that somebody else's file gives for "left", "right", "front"
    and "behind"; the published rules take them in place of their own.
    """

    id: str
    generator: str
    version: str
    seed: str
    objects: tuple[SceneObject, ...]
    cameras: tuple[Camera, ...]
    environment: Environment
    times_s: tuple[float, ...] = (0.0,)
    visibility: tuple[ObjectVisibility, ...] = ()
    sweeps: tuple[Sweep, ...] = ()
    directions: dict[str, Vec3] = {}
    truth: str = ""
    source: dict[str, str] = {}

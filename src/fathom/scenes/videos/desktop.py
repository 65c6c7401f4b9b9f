"""Videos of objects on a table, of which some are moved by an unseen hand: STI-Bench's desktop scale.

scene = draw_desktop(17, "0", Desktop())
models = models_at(scene, 0)
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from fathom.assets.libraries import Library
from fathom.assets.loading import shape_hash
from fathom.assets.model import Model
from fathom.assets.spec import BUILT_IN
from fathom.assets.tabletop.catalogue import (
    TABLE,
    TOPS,
    dressed,
    table_hash,
    table_model,
    tabletop_assets,
)
from fathom.geometry.poses import Array, pose_at, yaw_quaternion
from fathom.records import (
    AssetRef,
    Camera,
    DataError,
    Environment,
    InputError,
    Pose,
    Scene,
    SceneObject,
    UnfitError,
)
from fathom.render.environments import drawn, environments
from fathom.scenes.videos import cameras, routes
from fathom.scenes.videos.audit import DESKTOP, STRUCTURE
from fathom.scenes.videos.contrast import stands_out
from fathom.scenes.videos.manipulation import Move, handled
from fathom.scenes.videos.tabletop_layout import Board, TabletopObject, drawn_pieces, laid
from fathom.store.seeds import Name, rng

VERSION = "3"
ATTEMPTS = 60
"""How often objects are laid, moved and filmed anew before a world is given up."""

GROWS_FROM, GROWS_BY = 30, 0.02
"""From which attempt on the table grows, and by which share of its sides each time."""

Between = tuple[float, float]

TABLE_ASSET = f"{BUILT_IN}:{TABLE}"
"""What scenes call the table."""


@dataclass(frozen=True)
class Desktop:
    """What worlds on a table are drawn from; all ranges are drawn from continuously.

    seconds : length of the video
    fps : frames a second
    width, height : size of a frame in pixels
    fewest, most : objects on the table
    fewest_moved, most_moved : objects that are moved
    moves : how objects are moved
    again : whether an object that was moved may be moved once more
    spread : by how much more sizes differ than kinds say (`assets/sizes.py`); 0: all are of a middle size
    stacked : how likely an object stands on another at first where it could
    table_length_m, table_width_m, table_height_m : size of the table
    distance_m : from the camera to the middle of the table
    elevation_deg : how high the camera stands above the table
    sweep_deg : how far the camera goes around the table
    fov_deg : horizontal field of view
    in_hand : how likely the camera is held by hand; otherwise it goes along a rail
    sway_m, sway_deg : how far the hand moves and turns the camera
    seen_share : in which share of the frames the center of every object is in the picture
    contrast : by how much most of an object's surface differs from the table's top, in Oklab
    grounds : what the floor is made of; setts are paving stones
    """

    seconds: float = 10.0
    fps: float = 30.0
    width: int = 640
    height: int = 480
    fewest: int = 5
    most: int = 10
    fewest_moved: int = 1
    most_moved: int = 3
    moves: tuple[str, ...] = ("slid", "arced", "turned", "lifted", "stacked")
    again: bool = True
    spread: float = 1.0
    stacked: float = 0.15
    table_length_m: Between = (1.0, 1.6)
    table_width_m: Between = (0.65, 0.9)
    table_height_m: Between = (0.70, 0.78)
    distance_m: Between = (0.5, 1.2)
    elevation_deg: Between = (22.0, 55.0)
    sweep_deg: Between = (15.0, 110.0)
    fov_deg: Between = (52.0, 68.0)
    in_hand: float = 0.5
    sway_m: Between = (0.003, 0.009)
    sway_deg: Between = (0.2, 0.7)
    seen_share: float = 0.5
    contrast: float = 0.15
    grounds: tuple[str, ...] = ("concrete", "setts", "gravel", "grass")

    def __post_init__(self) -> None:
        if self.seconds * self.fps < 10 or self.seconds < 1.0 or self.fps <= 0:
            raise InputError(
                f"desktop: {self.seconds:g} s at {self.fps:g} frames a second: expected at least 1 s and 10 "
                "frames; film longer or faster"
            )
        if not 1 <= self.fewest <= self.most or not 0 <= self.fewest_moved <= self.most_moved:
            raise InputError(
                f"desktop: {self.fewest} to {self.most} objects of which {self.fewest_moved} to "
                f"{self.most_moved} are moved: expected at least one object, and no fewer at most than at "
                "least; correct the settings"
            )
        if self.most_moved * 0.9 > self.seconds:
            raise InputError(
                f"desktop: {self.most_moved} moves in {self.seconds:g} s: expected 0.9 s or more for each; "
                "film longer or move less"
            )


def draw_desktop(
    index: int, seed: Name, settings: Desktop | None = None, library: Library | None = None
) -> Scene:
    """Return the world `index` of a seed: objects on a table, one pose each or one a frame, and its camera.

    Beside the built-in objects those of the library are there. Raises UnfitError where the settings leave no
    room for so many objects, moves, or for seeing them, AssetError where a model cannot be used.
    """
    wanted = settings or Desktop()
    times = routes.frame_times(wanted.seconds, wanted.fps)
    g = rng(seed, "desktop", index, "what")
    count = int(g.integers(wanted.fewest, wanted.most + 1))
    moves = int(g.integers(wanted.fewest_moved, wanted.most_moved + 1))
    drawn_board = Board(*(round(float(g.uniform(*r)), 6) for r in _sides(wanted)))
    top = list(TOPS)[int(rng(seed, "desktop", index, "top").integers(len(TOPS)))]
    seen = partial(stands_out, top=TOPS[top], apart=wanted.contrast)
    pieces = drawn_pieces(g, count, wanted.spread, tabletop_assets(library), seen)
    for attempt in range(ATTEMPTS):
        h = rng(seed, "desktop", index, "where", attempt)
        board = _grown(drawn_board, 1 + GROWS_BY * max(0, attempt - GROWS_FROM))
        stood = laid(h, pieces, board, wanted.stacked, _reach_m(pieces) * (1 + 0.02 * attempt))
        done = (
            handled(h, stood, board, moves, times, wanted.moves, wanted.again) if stood is not None else None
        )
        if stood is None or done is None:
            continue
        objects = _objects(stood, done[0], done[1], done[2], board, top)
        camera = _filmed(objects, times, wanted, seed, index, attempt)
        if camera is not None:
            return Scene(
                id=f"desktop-{index:06d}",
                generator="desktop",
                version=VERSION,
                seed=str(seed),
                objects=objects,
                cameras=(camera,),
                environment=_outside(wanted, seed, index),
                times_s=tuple(round(float(t), 6) for t in times),
                source={"setting": "desktop", "video": f"{index:06d}"},
            )
    raise UnfitError(
        f"desktop world {index}: {count} objects and {moves} moves found no room on a table of "
        f"{board.length_m:.2f} × {board.width_m:.2f} m in {ATTEMPTS} attempts; ask for fewer objects "
        "or larger tables"
    )


def models_at(scene: Scene, frame: int, library: Library | None = None) -> dict[str, Model]:
    """Return the model of each object by its id, in its own frame; objects here look the same at every frame.

    Raises DataError where an object is of neither the built-in set nor the library, or is no longer what the
    scene was made with.
    """
    there = [t for t in scene.objects if pose_at(t.poses, frame).valid]
    return {t.id: model_of(t, library) for t in there}


def model_of(obj: SceneObject, library: Library | None = None) -> Model:
    """Return the model of an object from its record alone: kind, size and colour."""
    edits = dict(e.partition(":")[::2] for e in obj.asset.edits)
    name, sha256 = obj.asset.name, obj.asset.sha256
    if (name, sha256) == (TABLE_ASSET, table_hash()):
        return replace(table_model(obj.size_m, edits["top"]), name=obj.id)
    asset = tabletop_assets(library).get(name)
    if asset is None or shape_hash(asset) != sha256:
        raise DataError(
            f"{obj.id}: the scene was made with {name} {sha256[:9]}, which is not at hand; use the version "
            "of Fathom, and name the folder of models, that the dataset was built with"
        )
    color = edits.get("color", "").partition("=")[2]
    return replace(dressed(asset, obj.size_m, color), name=obj.id)


def _outside(wanted: Desktop, seed: Name, index: int) -> Environment:
    """Return what is around the table: one of the skies in which colours can be told, over a ground."""
    among = [e for e in environments() if e.ground in wanted.grounds]
    if not among:
        known = ", ".join(sorted({e.ground for e in environments()}))
        raise InputError(f"--set grounds={','.join(wanted.grounds)}: there is {known}")
    return drawn(among, seed, "desktop", index)


def _sides(wanted: Desktop) -> tuple[Between, Between, Between]:
    return wanted.table_length_m, wanted.table_width_m, wanted.table_height_m


def _grown(board: Board, factor: float) -> Board:
    return Board(round(board.length_m * factor, 6), round(board.width_m * factor, 6), board.height_m)


def _reach_m(pieces: list[TabletopObject]) -> float:
    """Return the radius of the place in which objects are laid: some three times what they cover."""
    return max(0.12, math.sqrt(3.0 * sum(p.size_m[0] * p.size_m[1] for p in pieces) / math.pi))


def _objects(
    stood: list[TabletopObject],
    tracks: dict[int, tuple[Pose, ...]],
    moves: list[Move],
    ended: list[TabletopObject],
    board: Board,
    top: str,
) -> tuple[SceneObject, ...]:
    size = (board.length_m, board.width_m, board.height_m)
    edits = ("size:" + ",".join(f"{v:.6f}" for v in size), f"top:{top}")
    table = SceneObject(
        id=TABLE,
        category=STRUCTURE,
        subtype=TABLE,
        size_m=size,
        poses=(Pose(position_m=(0.0, 0.0, 0.0), rotation_wxyz=(1.0, 0.0, 0.0, 0.0)),),
        asset=AssetRef(name=TABLE_ASSET, sha256=table_hash(), edits=edits),
        attributes={"name": TABLE, "color": ""},
    )
    return (table, *(_object(k, p, tracks, moves, ended[k]) for k, p in enumerate(stood)))


def _object(
    k: int, piece: TabletopObject, tracks: dict[int, tuple[Pose, ...]], moves: list[Move], end: TabletopObject
) -> SceneObject:
    still = routes.rounded(np.array(piece.place_m), yaw_quaternion(piece.heading_rad), 0.0)
    edits = ["size:" + ",".join(f"{v:.6f}" for v in piece.size_m)]
    if piece.color:
        edits.insert(0, f"color:body={piece.color}")
    said = {"name": piece.asset.noun, "color": piece.color, "stands_on": _id(piece.on)}
    if not piece.asset.has_front:
        said["front"] = "unknown"
    if end.on != piece.on:
        said["ends_on"] = _id(end.on)
    done = [f"{m.kind} {m.begin_s:.3f} {m.end_s:.3f}" for m in moves if m.piece == k]
    if done:
        said["moves"] = "; ".join(done)
    return SceneObject(
        id=_id(k),
        category=piece.asset.noun,
        subtype=piece.asset.noun,
        size_m=piece.size_m,
        poses=tracks.get(k, (still,)),
        asset=AssetRef(name=piece.asset.asset, sha256=shape_hash(piece.asset), edits=tuple(edits)),
        attributes=said,
    )


def _id(k: int) -> str:
    return TABLE if k < 0 else f"thing{k}"


def _filmed(
    objects: tuple[SceneObject, ...], times: Array, wanted: Desktop, seed: Name, index: int, attempt: int
) -> Camera | None:
    """Return a camera that sees every object long enough and comes near to none; None where there is none."""
    centres = np.stack([_centres(t, len(times)) for t in objects[1:]], axis=1)
    low, high = centres.min(axis=(0, 1)), centres.max(axis=(0, 1))
    focus = (low + high) / 2
    tallest = max(
        float(c) + t.size_m[2] / 2 for c, t in zip(centres[..., 2].max(axis=0), objects[1:], strict=True)
    )
    least = float(np.clip(0.9 * np.linalg.norm(high - low), *wanted.distance_m))
    distances = (least, wanted.distance_m[1])
    # In little time nobody gets far round a table.
    farthest = math.degrees(0.4 * DESKTOP.camera_speed * float(times[-1]) / distances[1])
    sweep = (min(wanted.sweep_deg[0], farthest), min(wanted.sweep_deg[1], farthest))
    for k in range(6):
        names = (index, "camera", attempt, k)
        g = rng(seed, "desktop", *names)
        if g.random() < wanted.in_hand:
            sways = (float(g.uniform(*wanted.sway_m)), float(g.uniform(*wanted.sway_deg)))
            ways = distances, wanted.elevation_deg, sweep
            poses = cameras.in_hand(g, focus, times, *ways, *sways, seed, "desktop", *names)
        else:
            poses = cameras.on_a_rail(g, focus, times, distances, wanted.elevation_deg, sweep)
        camera = cameras.pinhole(
            wanted.width, wanted.height, math.radians(float(g.uniform(*wanted.fov_deg))), poses
        )
        seen = cameras.framed(camera, centres).mean(axis=0)
        lowest = min(p.position_m[2] for p in poses)
        steps = np.diff([p.position_m for p in poses], axis=0) / np.diff(times)[:, None]
        calm = bool((np.linalg.norm(steps, axis=1) <= DESKTOP.camera_speed).all())
        if calm and (seen >= wanted.seen_share).all() and lowest > tallest + DESKTOP.near_m:
            return camera
    return None


def _centres(obj: SceneObject, frames: int) -> Array:
    """Return (F, 3) the centres of an object's box; it stands upright."""
    rows = np.array([p.position_m for p in obj.poses]) + np.array([0.0, 0.0, obj.size_m[2] / 2])
    return np.asarray(np.broadcast_to(rows, (frames, 3)))

"""Rooms as HSSD and Habitat write them: a JSON of which model stands where, and models by their names.

folder = read_placed_rooms(Path("hssd"))
folder.rooms[0].objects[0].heading_rad

A folder holds `*.scene_instance.json` files, GLB files named after their templates, and a table of what the
templates are: `semantics/objects.csv` with the columns id, name and, where it is known, front. A scene file
may name a stage: a GLB of floors, walls and ceilings, which stands at the origin. The files have y up and
metres; here z is up, and x, y are their x and −z.

Ref: Habitat Synthetic Scenes Dataset (HSSD-200), https://arxiv.org/abs/2306.11290
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.geometry.poses import rotation_matrix
from fathom.records import InputError

SCENE_FILES, SUFFIX = "*.scene_instance.json", ".scene_instance.json"
TABLE = "semantics/objects.csv"
STAGE = "stage"
"""What the model of a house's floors and walls is called."""

Z_UP: NDArray[np.float64] = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""From the files' axes to those here."""

TILT_DEG = 3.0
"""What is turned from upright by more is left out: no room stands so."""

Axis = tuple[float, float, float]

AXES: Mapping[str, Axis] = {
    "+x": (1, 0, 0), "-x": (-1, 0, 0), "+y": (0, 1, 0), "-y": (0, -1, 0), "+z": (0, 0, 1), "-z": (0, 0, -1)
}  # fmt: skip
FRONT = "-z"
"""Where things face in the files, where the table does not say: no front is told of them."""


@dataclass(frozen=True)
class ModelTemplate:
    """What a table says of a model: its file, what it is called, and which axis its front points along.

    front : "" where nobody says so
    """

    id: str
    path: Path
    noun: str
    front: str


@dataclass(frozen=True)
class PlacedObject:
    """A model where it stands: the origin of its file in metres, z up; which way its front points; and by how
    much its length, width and height are larger than in the file.
    """

    template: ModelTemplate
    place_m: tuple[float, float, float]
    heading_rad: float
    scale: tuple[float, float, float]


@dataclass(frozen=True)
class PlacedRoom:
    """One scene file: its objects, and what was left out of it, a sentence each; its stage, None without."""

    name: str
    objects: tuple[PlacedObject, ...]
    left_out: tuple[str, ...]
    stage: PlacedObject | None = None


@dataclass(frozen=True)
class PlacedRooms:
    """A folder of rooms; `left_out` are files that cannot be used, a sentence each."""

    rooms: tuple[PlacedRoom, ...]
    left_out: tuple[str, ...]


def read_placed_rooms(folder: Path) -> PlacedRooms:
    """Return the rooms of a folder; what cannot be used is left out, and said.

    Raises InputError where the folder holds no scene file that can be read, or no table.
    """
    files = sorted(folder.rglob(SCENE_FILES)) if folder.is_dir() else []
    if not files:
        raise InputError(f"{folder}: expected files {SCENE_FILES}, found none; check the path")
    table = _table(folder / TABLE)
    models = {p.stem: p for p in sorted(folder.rglob("*.glb"))}
    rooms, faults = [], []
    for path in files:
        try:
            rooms.append(_room(path, table, models))
        except InputError as e:
            faults.append(str(e))
    if not rooms:
        raise InputError(f"{folder}: no scene file can be used: {'; '.join(faults[:3])}")
    return PlacedRooms(tuple(rooms), tuple(faults))


def _table(path: Path) -> dict[str, dict[str, str]]:
    """Return the rows of the table of templates by their ids. Raises InputError where there is no table."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as e:
        raise InputError(
            f"{path}: expected a table of what each model is, with the columns id and name ({e})"
        ) from e
    if not rows or not {"id", "name"} <= set(rows[0]):
        raise InputError(f"{path}: expected the columns id and name; add them")
    return {row["id"]: {k: (v or "").strip() for k, v in row.items() if k} for row in rows}


def _room(path: Path, table: Mapping[str, Mapping[str, str]], models: Mapping[str, Path]) -> PlacedRoom:
    """Return what one scene file says. Raises InputError where it is none."""
    try:
        said = json.loads(path.read_bytes())
        listed = said["object_instances"]
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise InputError(f"{path}: expected JSON with object_instances ({type(e).__name__}: {e})") from e
    if not isinstance(listed, list):
        raise InputError(f"{path}: expected a list of object_instances, found {type(listed).__name__}")
    found, faults = [], []
    for number, entry in enumerate(listed):
        where = f"{path.name}, object {number}"
        try:
            found.append(_placed(entry, table, models, where))
        except InputError as e:
            faults.append(str(e))
    stage = None
    try:
        stage = _stage(said.get("stage_instance"), models, path.name)
    except InputError as e:
        faults.append(str(e))
    return PlacedRoom(path.name.removesuffix(SUFFIX), tuple(found), tuple(faults), stage)


def _stage(entry: Any, models: Mapping[str, Path], where: str) -> PlacedObject | None:
    """Return the stage that a scene file names, or None. Raises InputError where it has no model."""
    if entry is None:
        return None
    if not isinstance(entry, dict) or not isinstance(entry.get("template_name"), str):
        raise InputError(f"{where}: expected a stage_instance with a template_name; its walls are not shown")
    name = Path(entry["template_name"]).name
    if name not in models:
        raise InputError(f"{where}: there is no file {name}.glb of its stage; its walls are not shown")
    return PlacedObject(
        template=ModelTemplate(name, models[name], STAGE, ""),
        place_m=(0.0, 0.0, 0.0),
        heading_rad=math.pi / 2,
        scale=(1.0, 1.0, 1.0),
    )


def _placed(
    entry: Any, table: Mapping[str, Mapping[str, str]], models: Mapping[str, Path], where: str
) -> PlacedObject:
    """Return one object of a scene file. Raises InputError where it says too little, or there is no model."""
    if not isinstance(entry, dict) or not isinstance(entry.get("template_name"), str):
        raise InputError(f"{where}: expected an object with a template_name")
    name = Path(entry["template_name"]).name
    if name not in models:
        raise InputError(f"{where}: there is no file {name}.glb; it is left out")
    row = table.get(name)
    if row is None or not row["name"]:
        raise InputError(f"{where}: the table has no name for {name}; it is left out")
    front = _axis(row.get("front", ""), where)
    up = _axis(row.get("up", "") or "+y", where)
    if up != "+y" or front in ("+y", "-y"):
        raise InputError(f"{where}: {name} has its top along {up}, its front along {front}: expected +y up")
    place = np.array(_numbers(entry.get("translation"), 3, f"{where}: translation"))
    turn = Z_UP @ _turn(entry.get("rotation", [1, 0, 0, 0]), f"{where}: rotation")
    if math.degrees(math.acos(min(1.0, max(-1.0, float(turn[2, 1]))))) > TILT_DEG:
        raise InputError(f"{where}: {name} does not stand upright; it is left out")
    ahead = turn @ np.array(AXES[front or FRONT], dtype=np.float64)
    at = Z_UP @ place
    return PlacedObject(
        template=ModelTemplate(name, models[name], row["name"].lower().replace("_", " "), front),
        place_m=(float(at[0]), float(at[1]), float(at[2])),
        heading_rad=math.atan2(ahead[1], ahead[0]),
        scale=_scale(entry, front or FRONT, where),
    )


def _scale(entry: Mapping[str, Any], front: str, where: str) -> tuple[float, float, float]:
    """Return the scale along an object's length, width and height, from scales along the file's axes."""
    uniform = entry.get("uniform_scale")
    if uniform is not None:
        values: Sequence[float] = [*_numbers([uniform], 1, f"{where}: uniform_scale")] * 3
    else:
        values = _numbers(entry.get("non_uniform_scale", [1, 1, 1]), 3, f"{where}: non_uniform_scale")
    if min(values) <= 0:
        raise InputError(f"{where}: a scale of {min(values):g}: expected more than 0")
    along, across = (2, 0) if front.endswith("z") else (0, 2)
    return values[along], values[across], values[1]


def _turn(value: Any, where: str) -> NDArray[np.float64]:
    w, x, y, z = _numbers(value, 4, where)
    long = math.sqrt(w * w + x * x + y * y + z * z)
    if long < 1e-9:
        raise InputError(f"{where}: expected a quaternion [w, x, y, z], found zeros")
    return np.asarray(rotation_matrix((w / long, x / long, y / long, z / long)))


def _axis(text: str, where: str) -> str:
    """Return an axis by its name, "" of none: "+z", or three numbers such as "0,0,1". Raises InputError."""
    said = text.strip().lower()
    if not said or said in AXES:
        return said
    try:
        numbers = [float(v) for v in said.replace(";", ",").replace(" ", ",").split(",") if v]
    except ValueError:
        numbers = []
    found = list(_nearest(numbers))
    if not found:
        raise InputError(f"{where}: {text!r} is no axis; write one of {', '.join(AXES)}, or nothing")
    return found[0]


def _nearest(numbers: Sequence[float]) -> Iterator[str]:
    """Yield the axis that three numbers point along."""
    if len(numbers) == 3 and math.hypot(*numbers) > 1e-9:
        unit = np.array(numbers) / math.hypot(*numbers)
        yield from (name for name, axis in AXES.items() if float(unit @ axis) > 0.99)


def _numbers(value: Any, count: int, where: str) -> list[float]:
    if not isinstance(value, list) or len(value) != count:
        raise InputError(f"{where}: expected {count} numbers, found {value!r}")
    if not all(isinstance(v, int | float) and math.isfinite(v) for v in value):
        raise InputError(f"{where}: expected {count} finite numbers, found {value!r}")
    return [float(v) for v in value]

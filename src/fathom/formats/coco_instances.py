"""COCO's instances as help for people: the boxes and categories of photographs, by the names of their files.

    {"images": [{"id", "file_name", "width", "height"}, …],
     "categories": [{"id", "name"}, …],
     "annotations": [{"image_id", "category_id", "bbox": [x, y, width, height]}, …]}

What does not fit is left out and said in one sentence each; the rest is read.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from fathom.records import InputError

Box = tuple[float, float, float, float]
"""Left, top, right, bottom, in shares of a picture's sides."""

NAMED_MOST = 3
"""So many files are named in a sentence about several."""

_UPRIGHT: Mapping[int, Callable[[float, float], tuple[float, float]]] = {
    2: lambda x, y: (1 - x, y),
    3: lambda x, y: (1 - x, 1 - y),
    4: lambda x, y: (x, 1 - y),
    5: lambda x, y: (y, x),
    6: lambda x, y: (1 - y, x),
    7: lambda x, y: (1 - y, 1 - x),
    8: lambda x, y: (y, 1 - x),
}
"""EXIF orientation → where a point of the stored picture lies in the upright one, in shares of the sides."""


@dataclass(frozen=True)
class KnownObject:
    """One annotated object: what it is, and its box."""

    label: str
    box: Box


@dataclass(frozen=True)
class AnnotatedPhotos:
    """What is annotated: file name → size in pixels and objects, with boxes of the stored picture.

    `said` tells what was left out.
    """

    photos: Mapping[str, tuple[tuple[int, int], tuple[KnownObject, ...]]]
    said: tuple[str, ...] = ()

    def of(self, name: str) -> tuple[tuple[int, int], tuple[KnownObject, ...]] | None:
        """Return what is annotated of a photograph, by its path in the folder or else by its file's name."""
        return self.photos.get(name) or self.photos.get(PurePosixPath(name).name)


class _Image(msgspec.Struct):
    id: Any
    file_name: str
    width: int
    height: int


class _Category(msgspec.Struct):
    id: Any
    name: str


class _Annotation(msgspec.Struct):
    image_id: Any
    category_id: Any = None
    bbox: Any = None


class _File(msgspec.Struct):
    images: list[_Image]
    categories: list[_Category] = []
    annotations: list[_Annotation] = []


@dataclass
class _LeftOut:
    counts: Counter[str] = field(default_factory=Counter)

    def said(self, path: Path) -> tuple[str, ...]:
        return tuple(
            f"{path}: {n:,} annotation{'s' * (n != 1)} {why}; left out" for why, n in self.counts.items()
        )


def read_instances(path: Path) -> AnnotatedPhotos:
    """Return what a file of instances says of photographs. Raises InputError where it cannot be read."""
    try:
        file = msgspec.json.decode(path.read_bytes(), type=_File)
    except OSError as e:
        raise InputError(f"{path}: cannot be read ({e.strerror}); check the path") from e
    except msgspec.DecodeError as e:
        raise InputError(f"{path}: expected COCO's instances (images, categories, annotations): {e}") from e
    images = {_key(i.id): i for i in file.images}
    names = {_key(c.id): c.name.strip() for c in file.categories}
    found: dict[str, list[KnownObject]] = {}
    left = _LeftOut()
    for annotation in file.annotations:
        image, label = images.get(_key(annotation.image_id)), names.get(_key(annotation.category_id))
        box = _box(annotation.bbox, image) if image else None
        if image is None:
            left.counts["of a picture that the file does not list"] += 1
        elif not label:
            left.counts["of a category that the file does not list"] += 1
        elif box is None:
            left.counts["without a box within the picture"] += 1
        else:
            found.setdefault(image.file_name, []).append(KnownObject(label, box))
    sizes = {i.file_name: (i.width, i.height) for i in file.images}
    return AnnotatedPhotos({n: (sizes[n], tuple(some)) for n, some in found.items()}, left.said(path))


def _key(value: Any) -> str:
    return f"{value}"


def _box(bbox: Any, image: _Image) -> Box | None:
    """Return a box in shares; None where it is no box, or has nothing within the picture."""
    if not isinstance(bbox, list) or len(bbox) != 4 or image.width < 1 or image.height < 1:
        return None
    if not all(isinstance(v, int | float) and math.isfinite(v) for v in bbox):
        return None
    x, y, wide, high = map(float, bbox)
    left, right = (min(1.0, max(0.0, v / image.width)) for v in (x, x + wide))
    top, bottom = (min(1.0, max(0.0, v / image.height)) for v in (y, y + high))
    return (left, top, right, bottom) if right > left and bottom > top else None


def upright(box: Box, orientation: int) -> Box:
    """Return where a box of a stored picture lies once it is turned as its EXIF orientation says.

    >>> upright((0.0, 0.0, 0.25, 0.5), 6)
    (0.5, 0.0, 1.0, 0.25)
    """
    turn = _UPRIGHT.get(orientation)
    if turn is None:
        return box
    (x0, y0), (x1, y1) = turn(box[0], box[1]), turn(box[2], box[3])
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def offered_of(
    found: AnnotatedPhotos, name: str, stored_px: tuple[int, int], orientation: int
) -> tuple[tuple[KnownObject, ...], str]:
    """Return the annotated objects of a photograph as it is shown, and what is to be said about it ("").

    Its annotations may be of the stored or of the upright picture; their size tells, and where both are alike
    they are taken to be of the stored one. Of another size they are of another picture.
    """
    known = found.of(name)
    if known is None:
        return (), ""
    size, instances = known
    if size == stored_px:
        return tuple(KnownObject(i.label, upright(i.box, orientation)) for i in instances), ""
    if size == stored_px[::-1] and orientation in (5, 6, 7, 8):
        return instances, ""
    shown = " × ".join(map(str, stored_px))
    return (), f"{name}: has {shown} pixels, annotated are {size[0]} × {size[1]}; its boxes are left out"


def not_there(found: AnnotatedPhotos, names: Sequence[str], folder: Path) -> str:
    """Return which annotated photographs a folder does not have, in a sentence; "" where it has all."""
    there = {*names, *(PurePosixPath(n).name for n in names)}
    missing = sorted(n for n in found.photos if n not in there and PurePosixPath(n).name not in there)
    if not missing:
        return ""
    named = ", ".join(missing[:NAMED_MOST]) + (" …" if len(missing) > NAMED_MOST else "")
    what = "photograph is" if len(missing) == 1 else "photographs are"
    return f"{len(missing):,} annotated {what} not in {folder} ({named}); what is said of them is left out"

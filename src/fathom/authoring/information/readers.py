"""What other tools said of pictures: JSON lines of our records, or COCO JSON of boxes.

JSON lines hold a `VisualInformation` a line, in which `source` may be left out. COCO JSON has images,
categories and annotations (its boxes are x, y, width, height in pixels); results of a detector beside such a
file may have a score an annotation. A picture is found by its name, with or without its ending.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from fathom.authoring.information.extractors import VisionExtractor, one_by_one
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import Box, SeenInstance, VisualInformation, clipped
from fathom.records import DataError, InputError
from fathom.store.files import read_json, sha256_file

_LISTS = ("captions", "instances", "regions", "texts")


def opened_lines(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the reader of a file of JSON lines. Raises DataError with file and line for one that is none."""
    path = _file(rest, "jsonl")
    found: dict[str, VisualInformation] = {}
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            said = _with_source(msgspec.json.decode(line, type=dict[str, Any]), path.stem)
            record = msgspec.convert(said, VisualInformation)
        except (msgspec.MsgspecError, UnicodeDecodeError) as e:
            raise DataError(f"{path}:{number}: not visual information ({e}); correct the line") from e
        for box in _boxes(record):
            if clipped(box) != tuple(round(v, 4) for v in box):
                raise DataError(f"{path}:{number}: the box {box} is not left, top, right, bottom from 0 to 1")
        found[record.id] = record
    return _reader(f"jsonl:{path.stem}", path, lambda picture: _looked_up(found, picture, path))


def _boxes(record: VisualInformation) -> list[Box]:
    return [
        *(i.box for i in record.instances),
        *(r.box for r in record.regions),
        *(t.box for t in record.texts),
    ]


def _with_source(said: dict[str, Any], source: str) -> dict[str, Any]:
    for name in _LISTS:
        for entry in said.get(name, ()):
            if isinstance(entry, dict):
                entry.setdefault("source", source)
    return said


class _CocoImage(msgspec.Struct):
    id: int | str
    file_name: str
    width: int
    height: int


class _CocoCategory(msgspec.Struct):
    id: int
    name: str


class _CocoBox(msgspec.Struct):
    image_id: int | str
    category_id: int
    bbox: tuple[float, float, float, float]
    score: float = 1.0
    segmentation: Any = None


class _Coco(msgspec.Struct):
    images: list[_CocoImage]
    categories: list[_CocoCategory]
    annotations: list[_CocoBox]


def opened_coco(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the reader of a COCO JSON. Raises DataError for one that is none."""
    path = _file(rest, "coco")
    coco = read_json(path, _Coco)
    images, names = {i.id: i for i in coco.images}, {c.id: c.name for c in coco.categories}
    found = {_stem(i.file_name): VisualInformation(id=_stem(i.file_name)) for i in coco.images}
    for box in coco.annotations:
        image = images.get(box.image_id)
        if image is None or box.category_id not in names or min(image.width, image.height) < 1:
            raise DataError(f"{path}: a box of image {box.image_id} names no image or category that it lists")
        name = _stem(image.file_name)
        instance = _instance(box, image, names[box.category_id], path.stem)
        before = found[name]
        found[name] = msgspec.structs.replace(before, instances=(*before.instances, instance))
    return _reader(f"coco:{path.stem}", path, lambda picture: _looked_up(found, picture, path))


def _instance(box: _CocoBox, image: _CocoImage, label: str, source: str) -> SeenInstance:
    x, y, width, height = box.bbox
    w, h = image.width, image.height
    outlines = box.segmentation if isinstance(box.segmentation, list) else []
    return SeenInstance(
        label=label,
        box=clipped((x / w, y / h, (x + width) / w, (y + height) / h)),
        source=source,
        score=box.score,
        polygons=tuple(
            tuple(round(float(v) / (h if k % 2 else w), 4) for k, v in enumerate(line)) for line in outlines
        ),
    )


def _looked_up(
    found: Mapping[str, VisualInformation], picture: GivenPicture, path: Path
) -> VisualInformation:
    for name in (picture.id, _stem(picture.id), PurePosixPath(picture.id).name):
        if name in found:
            record: VisualInformation = msgspec.structs.replace(found[name], id=picture.id)
            return record
    raise InputError(f"{path}: says nothing of {picture.id}")


def _stem(name: str) -> str:
    return PurePosixPath(name).with_suffix("").as_posix()


def _file(rest: str, name: str) -> Path:
    path = Path(rest)
    if not rest or not path.is_file():
        raise InputError(f"--extractors {name}={rest}: expected a file; say which behind the equals sign")
    return path


def _reader(name: str, path: Path, look: Callable[[GivenPicture], VisualInformation]) -> VisionExtractor:
    return one_by_one(name, sha256_file(path)[:16], look)

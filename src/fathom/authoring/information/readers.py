"""What other tools said of pictures: JSON lines of our records, or COCO JSON of boxes.

JSON lines hold a `VisualInformation` a line, in which `source` may be left out; one that has the picture's
`size`, width and height in pixels, has boxes in pixels. COCO JSON has images, categories and annotations (its
boxes are x, y, width, height in pixels); results of a detector beside such a file may have a score an
annotation. A picture is found by its name, with or without its ending.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

import msgspec

from fathom.authoring.information.extractors import VisionExtractor, one_by_one
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import Box, SeenInstance, VisualInformation, clipped
from fathom.records import DataError, InputError
from fathom.store.files import read_json, sha256_file

_LISTS = ("captions", "instances", "regions", "texts")

_WHOLE = (1.0, 1.0)
"""The size of a picture whose boxes are shares of it."""

_Positive = Annotated[float, msgspec.Meta(gt=0)]


def opened_lines(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the reader of a file of JSON lines. Raises DataError with file and line for one that is none."""
    path = named_file(rest, "jsonl")
    found: dict[str, VisualInformation] = {}
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            record, size = _record(_with_source(msgspec.json.decode(line, type=dict[str, Any]), path.stem))
        except (msgspec.MsgspecError, UnicodeDecodeError) as e:
            raise DataError(f"{path}:{number}: not visual information ({e}); correct the line") from e
        for box in _boxes(record):
            left, top, right, bottom = _shares(box, size)
            if clipped((left, top, right, bottom)) != tuple(round(v, 4) for v in (left, top, right, bottom)):
                within = f"within {size[0]:g} by {size[1]:g} pixels" if size != _WHOLE else "from 0 to 1"
                raise DataError(f"{path}:{number}: the box {box} is not left, top, right, bottom {within}")
        found[record.id] = _in_shares(record, size)
    return file_reader(f"jsonl:{path.stem}", path, lambda picture: _looked_up(found, picture, path))


def _record(said: dict[str, Any]) -> tuple[VisualInformation, tuple[float, float]]:
    """Return a line as a record in the units of its boxes, and the size of the picture in these units."""
    size = msgspec.convert(said.pop("size", _WHOLE), tuple[_Positive, _Positive])
    return msgspec.convert(said, VisualInformation), size


def _shares(numbers: Sequence[float], size: tuple[float, float]) -> tuple[float, ...]:
    return tuple(v / size[k % 2] for k, v in enumerate(numbers))


def _in_shares(record: VisualInformation, size: tuple[float, float]) -> VisualInformation:
    """Return a record with its boxes and outlines as shares of a picture of this size."""
    if size == _WHOLE:
        return record

    def scaled(entry: Any) -> Any:
        left, top, right, bottom = _shares(entry.box, size)
        lines = {"polygons": tuple(_shares(line, size) for line in getattr(entry, "polygons", ()))}
        more = lines if isinstance(entry, SeenInstance) else {}
        return msgspec.structs.replace(entry, box=clipped((left, top, right, bottom)), **more)

    lists = {name: tuple(map(scaled, getattr(record, name))) for name in _LISTS if name != "captions"}
    found: VisualInformation = msgspec.structs.replace(record, **lists)
    return found


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
    path = named_file(rest, "coco")
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
    return file_reader(f"coco:{path.stem}", path, lambda picture: _looked_up(found, picture, path))


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


def named_file(rest: str, name: str) -> Path:
    """Return the file that stands behind an extractor's name. Raises InputError where there is none."""
    path = Path(rest)
    if not rest or not path.is_file():
        raise InputError(f"--extractors {name}={rest}: expected a file; say which behind the equals sign")
    return path


def file_reader(name: str, path: Path, look: Callable[[GivenPicture], VisualInformation]) -> VisionExtractor:
    """Return an extractor that says of each picture what a file says of it."""
    return one_by_one(name, sha256_file(path)[:16], look)

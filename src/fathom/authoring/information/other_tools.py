"""What Tag2Text, VinVL, GRiT and PaddleOCR say of pictures, in the names that they give it.

A file has a line a picture: JSON that names its picture, or the picture's name, a tab, and JSON. Boxes are
left, top, right, bottom; outlines of words have four corners or more. Both are in pixels, or in shares of the
picture where no number of the line is above 1. Pixels are those of the picture that the line is about, or of
`width` and `height` where the line has them. docs/benchmarks/seed-bench-written.md has a line of each tool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from fathom.authoring.information.extractors import VisionExtractor
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.readers import file_reader, named_file
from fathom.authoring.information.record import (
    Box,
    CaptionOf,
    RegionCaption,
    SeenInstance,
    SeenText,
    VisualInformation,
    clipped,
)
from fathom.media.images import inspect_image
from fathom.records import DataError, InputError

OVER_PX = 1.0
"""So far beyond the edge of its picture a box may reach, as last pixels are counted differently."""

Size = tuple[float, float]
Corners = list[tuple[float, float]]


class _Line(msgspec.Struct):
    image: str = ""
    input_path: str = ""
    width: float = 0.0
    height: float = 0.0


class _Tags(_Line):
    caption: str = ""
    tags: str | list[str] = ""


class _Thing(msgspec.Struct):
    rect: Box
    label: str = msgspec.field(name="class")
    conf: float = 1.0
    attr: list[str] = []


class _Things(_Line, kw_only=True):
    objects: list[_Thing]


class _Dense(_Line, kw_only=True):
    pred_boxes: list[Box]
    pred_object_descriptions: list[str]
    scores: list[float] = []


class _Words(_Line, kw_only=True):
    rec_texts: list[str]
    rec_polys: list[Corners]
    rec_scores: list[float] = []


class _Transcript(msgspec.Struct):
    transcription: str
    points: Corners


ToShares = Callable[[Sequence[Corners]], list[Box]]
"""From the corners of everything in a line to boxes. Raises ValueError for what is no box of the picture."""

Told = Callable[[Any, ToShares, str], VisualInformation]
"""From a line, and what makes boxes of corners, to what it says, by the name of its source."""


@dataclass(frozen=True)
class OtherTool:
    """A tool by its name: the type of its JSON, and what that says of a picture."""

    name: str
    form: Any
    told: Told


def _of_tags(line: _Tags, _: ToShares, source: str) -> VisualInformation:
    tags = line.tags.split("|") if isinstance(line.tags, str) else line.tags
    names = ", ".join(tag.strip() for tag in tags if tag.strip())
    texts = [line.caption.strip(), f"A picture of {names}." if names else ""]
    if not any(texts):
        raise ValueError("it has neither a caption nor tags")
    return VisualInformation(
        id="", captions=tuple(CaptionOf(text=text, source=source, of="tags") for text in texts if text)
    )


def _of_things(line: _Things, shares: ToShares, source: str) -> VisualInformation:
    boxes = shares([_corners(thing.rect) for thing in line.objects])
    return VisualInformation(
        id="",
        instances=tuple(
            SeenInstance(
                label=thing.label,
                box=box,
                source=source,
                score=thing.conf,
                attributes={f"attribute {k}": word for k, word in enumerate(thing.attr, 1)},
            )
            for thing, box in zip(line.objects, boxes, strict=True)
        ),
    )


def _of_regions(line: _Dense, shares: ToShares, source: str) -> VisualInformation:
    texts, scores = line.pred_object_descriptions, line.scores or [1.0] * len(line.pred_boxes)
    _as_many("pred_boxes, pred_object_descriptions and scores", line.pred_boxes, texts, scores)
    boxes = shares([_corners(box) for box in line.pred_boxes])
    return VisualInformation(
        id="",
        regions=tuple(
            RegionCaption(text=text, box=box, source=source, score=score)
            for text, box, score in zip(texts, boxes, scores, strict=True)
        ),
    )


def _of_words(line: _Words | list[_Transcript], shares: ToShares, source: str) -> VisualInformation:
    if isinstance(line, list):
        line = _Words(rec_texts=[t.transcription for t in line], rec_polys=[t.points for t in line])
    scores = line.rec_scores or [1.0] * len(line.rec_texts)
    _as_many("rec_texts, rec_polys and rec_scores", line.rec_texts, line.rec_polys, scores)
    boxes = shares(line.rec_polys)
    return VisualInformation(
        id="",
        texts=tuple(
            SeenText(text=text, box=box, source=source, score=score)
            for text, box, score in zip(line.rec_texts, boxes, scores, strict=True)
        ),
    )


def _as_many(names: str, *lists: Sequence[object]) -> None:
    if len({len(some) for some in lists}) > 1:
        raise ValueError(f"{names} are not as many as each other")


def _corners(box: Box) -> Corners:
    left, top, right, bottom = box
    if not (left < right and top < bottom):
        raise ValueError(f"the box {box} is not left, top, right, bottom")
    return [(left, top), (right, bottom)]


def _size(line: Any, picture: GivenPicture) -> Size:
    """Return the width and height in pixels that the boxes of a line are meant for."""
    if isinstance(line, _Line) and line.width > 0 < line.height:
        return line.width, line.height
    if picture.path is None or picture.wrong:
        raise ValueError("its boxes are in pixels; add the picture's width and height")
    info = inspect_image(picture.data(), picture.id)
    return info.width, info.height


def _shares(size_of: Callable[[], Size], outlines: Sequence[Corners]) -> list[Box]:
    """Return the boxes around outlines as shares of the picture, whose size in pixels is looked up."""
    whole = all(0 <= v <= 1 for line in outlines for point in line for v in point)
    size = (1.0, 1.0) if whole else size_of()
    found = []
    for line in outlines:
        xs, ys = [x for x, _ in line], [y for _, y in line]
        box = (min(xs, default=0.0), min(ys, default=0.0), max(xs, default=0.0), max(ys, default=0.0))
        if not (box[0] < box[2] and box[1] < box[3]):
            raise ValueError(f"the outline {line} has no area")
        over = max(-box[0], -box[1], box[2] - size[0], box[3] - size[1])
        if over > OVER_PX:
            raise ValueError(f"the box {box} is not within a picture of {size[0]:g} by {size[1]:g} pixels")
        found.append(clipped((box[0] / size[0], box[1] / size[1], box[2] / size[0], box[3] / size[1])))
    return found


def _opened(tool: OtherTool, rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the reader of a tool's file. Raises DataError with file and line for what is not its shape."""
    path = named_file(rest, tool.name)
    given = {p.id: p for p in pictures}
    ids = {PurePosixPath(name).with_suffix("").as_posix(): name for name in given} | {n: n for n in given}
    found: dict[str, VisualInformation] = {}
    for number, row in enumerate(path.read_bytes().splitlines(), 1):
        if not row.strip():
            continue
        try:
            named, line = _read(tool, row)
            name = next((ids[end] for end in _endings(named) if end in ids), "")
            if not name:
                continue
            if name in found:
                raise ValueError(f"{name} stands in a line before it")
            record = tool.told(line, partial(_shares, partial(_size, line, given[name])), tool.name)
        except (msgspec.MsgspecError, UnicodeDecodeError, ValueError) as e:
            raise DataError(f"{path}:{number}: not a line of {tool.name} ({e}); correct it") from e
        found[name] = msgspec.structs.replace(record, id=name)

    def look(picture: GivenPicture) -> VisualInformation:
        if picture.id not in found:
            raise InputError(f"{path}: says nothing of {picture.id}")
        return found[picture.id]

    return file_reader(f"{tool.name}:{path.stem}", path, look)


def _read(tool: OtherTool, row: bytes) -> tuple[str, Any]:
    """Return the name of the picture that a row is about, and what it says."""
    before, tab, after = row.partition(b"\t")
    line = msgspec.json.decode(after if tab else row, type=tool.form)
    name = before.decode() if tab else (line.image or line.input_path if isinstance(line, _Line) else "")
    if not name.strip():
        raise ValueError("it names no picture: begin it with the name and a tab, or add image")
    return name.strip(), line


def _endings(name: str) -> Iterator[str]:
    """Yield a path, and what is left of it without its first folders, with and without its suffix."""
    parts = Path(name.replace("\\", "/")).parts
    for start in range(len(parts)):
        end = PurePosixPath(*parts[start:])
        yield end.as_posix()
        yield end.with_suffix("").as_posix()


TOOLS = (
    OtherTool("tag2text", _Tags, _of_tags),
    OtherTool("vinvl", _Things, _of_things),
    OtherTool("grit", _Dense, _of_regions),
    OtherTool("paddleocr", _Words | list[_Transcript], _of_words),
)

opened_tag2text, opened_vinvl, opened_grit, opened_paddleocr = (partial(_opened, tool) for tool in TOOLS)

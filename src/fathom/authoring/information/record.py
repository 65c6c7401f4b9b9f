"""The visual information of one picture: what was said of it, by whom, and how sure.

Boxes are (left, top, right, bottom) as shares of the picture's width and height, from 0 to 1.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from fathom.records import Record

Box = tuple[float, float, float, float]


class CaptionOf(Record, frozen=True, kw_only=True):
    """A caption of the whole picture, or one that was made from its tags."""

    text: str
    source: str
    of: Literal["image", "tags"] = "image"
    score: float = 1.0


class SeenInstance(Record, frozen=True, kw_only=True):
    """One object: its class, its box, its attributes; `id` is there where its source knows it apart.

    `polygons` are outlines, each x, y, x, y … as shares of the picture, where a source draws any.
    """

    label: str
    box: Box
    source: str
    score: float = 1.0
    id: str = ""
    attributes: dict[str, str] = {}
    polygons: tuple[tuple[float, ...], ...] = ()


class RegionCaption(Record, frozen=True, kw_only=True):
    """A short sentence about one region."""

    text: str
    box: Box
    source: str
    score: float = 1.0


class SeenText(Record, frozen=True, kw_only=True):
    """Letters in the picture and where they stand."""

    text: str
    box: Box
    source: str
    score: float = 1.0


class VisualInformation(Record, frozen=True, kw_only=True):
    """All that was said of one picture; `failed` says of each source that could not tell, why."""

    id: str
    captions: tuple[CaptionOf, ...] = ()
    instances: tuple[SeenInstance, ...] = ()
    regions: tuple[RegionCaption, ...] = ()
    texts: tuple[SeenText, ...] = ()
    failed: dict[str, str] = {}


def joined(first: VisualInformation, second: VisualInformation) -> VisualInformation:
    """Return what two sources say of the same picture, the first one's before the second's.

    An outline that the second one draws of an object of the first is added to that object.
    """
    outlines = {(i.label, i.box): i for i in second.instances if i.polygons}
    known = {(i.label, i.box) for i in first.instances if not i.polygons}
    return VisualInformation(
        id=first.id,
        captions=first.captions + second.captions,
        instances=(
            *(_outlined(i, outlines.get((i.label, i.box))) for i in first.instances),
            *(i for i in second.instances if not (i.polygons and (i.label, i.box) in known)),
        ),
        regions=first.regions + second.regions,
        texts=first.texts + second.texts,
        failed=first.failed | second.failed,
    )


def _outlined(instance: SeenInstance, outline: SeenInstance | None) -> SeenInstance:
    if outline is None or instance.polygons:
        return instance
    source = f"{instance.source}, {outline.source}"
    found: SeenInstance = msgspec.structs.replace(instance, polygons=outline.polygons, source=source)
    return found


def clipped(box: tuple[float, float, float, float]) -> Box:
    """Return a box with its corners in order, cut at the edges of the picture, to four decimals."""
    left, right = sorted((box[0], box[2]))
    top, bottom = sorted((box[1], box[3]))
    left, top, right, bottom = (round(min(1.0, max(0.0, v)), 4) for v in (left, top, right, bottom))
    return (left, top, right, bottom)

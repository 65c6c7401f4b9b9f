"""The perfect extractor: what a camera sees of a scene, from its record alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fathom.authoring.information.extractors import VisionExtractor, one_by_one
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import (
    CaptionOf,
    RegionCaption,
    SeenInstance,
    VisualInformation,
    clipped,
)
from fathom.english import article, number, plural
from fathom.records import InputError, Scene

NAME, VERSION = "perfect", "1"

LEAST_PX = 60
"""What shows fewer pixels than these is not said to be there."""


def opened(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the extractor. Raises InputError where something is said behind its name."""
    if rest:
        raise InputError(f"--extractors perfect={rest}: it has nothing to set")
    return one_by_one(NAME, VERSION, lambda picture: described(picture.id, seen_in(picture), NAME))


def seen_in(picture: GivenPicture) -> tuple[str, list[SeenInstance]]:
    """Return where a scene is, and what the camera sees there, the nearest in the picture last.

    Raises InputError for a picture of which no scene of stills is known.
    """
    if picture.scene is None:
        raise InputError(f"{picture.id}: no scene is known of it, and truth comes from scenes alone")
    return _place(picture.scene), _instances(picture.scene)


def _instances(scene: Scene) -> list[SeenInstance]:
    camera = scene.cameras[0]
    seen = {v.object_id: v for v in scene.visibility}
    found = []
    for thing in scene.objects:
        v = seen.get(thing.id)
        if v is None or v.visible_px < LEAST_PX:
            continue
        left, top, right, bottom = v.box_px
        box = clipped(
            (left / camera.width, top / camera.height, right / camera.width, bottom / camera.height)
        )
        attributes: dict[str, str] = {
            k: thing.attributes[k] for k in ("color", "size") if k in thing.attributes
        }
        if thing.subtype and thing.subtype != thing.category:
            attributes["type"] = thing.subtype
        found.append(
            SeenInstance(label=thing.category, box=box, source=NAME, id=thing.id, attributes=attributes)
        )
    return found


def _place(scene: Scene) -> str:
    """Return where a scene is in words: its ground, and its sky where the built-in one is above it."""
    sky, _, kind = scene.environment.name.partition(":")
    ground = f"on {scene.environment.ground} ground"
    return f"{ground} under a sky of a {kind.replace('-', ' ')}" if sky == "sky" and kind else ground


def described(name: str, seen: tuple[str, Sequence[SeenInstance]], source: str) -> VisualInformation:
    """Return all that follows from where a picture is and what is in it: also captions and regions."""
    place, instances = seen
    counts = Counter(i.label for i in instances)
    told = [
        f"{article(label)} {label}" if n == 1 else f"{number(n)} {plural(label)}"
        for label, n in counts.items()
    ]
    listed = " and ".join([", ".join(told[:-1]), told[-1]]) if len(told) > 1 else "".join(told) or "nothing"
    return VisualInformation(
        id=name,
        captions=(
            CaptionOf(text=f"{listed[0].upper()}{listed[1:]} {place}.", source=source),
            CaptionOf(text=f"A picture of {listed}.", source=source, of="tags"),
        ),
        instances=tuple(instances),
        regions=tuple(
            RegionCaption(text=_phrase(i), box=i.box, source=source) for i in instances if i.attributes
        ),
    )


def _phrase(instance: SeenInstance) -> str:
    words = " ".join(v for k in ("size", "color", "type") if (v := instance.attributes.get(k, "")))
    return f"{article(words)} {words} {instance.label}"

"""The perfect extractor: what a camera sees of a scene, from its record alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from fathom.authoring.information.deeds import ToldDeed, deeds_in
from fathom.authoring.information.extractors import VisionExtractor, one_by_one
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import (
    Box,
    CaptionOf,
    RegionCaption,
    SeenInstance,
    SeenText,
    VisualInformation,
    clipped,
)
from fathom.english import article, number, plural
from fathom.records import InputError, ObjectVisibility, Scene, SceneObject

NAME, VERSION = "perfect", "3"

LEAST_PX, LEAST_SHARE = 60, 0.05
"""What shows fewer pixels than these, or less of its whole silhouette, is not said to be there."""

LEAST_LETTERS_PX, LEGIBLE_SHARE = 12, 0.9
"""Words can be read that are so high in the picture at least, and of which this share is not hidden."""

SETTINGS = MappingProxyType(
    {"indoor": "in a room", "desktop": "on a table", "outdoor": "on a street", "acted": "in a room"}
)
"""Where the scenes of videos are, in words."""


class SeenScene(NamedTuple):
    """Where a scene is in words, the objects and texts that the camera sees there, and what people do."""

    place: str
    instances: Sequence[SeenInstance]
    texts: Sequence[SeenText] = ()
    deeds: Sequence[ToldDeed] = ()


def opened(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the extractor. Raises InputError where something is said behind its name."""
    if rest:
        raise InputError(f"--extractors perfect={rest}: it has nothing to set")
    return one_by_one(NAME, VERSION, lambda picture: described(picture.id, seen_in(picture), NAME))


def seen_in(picture: GivenPicture) -> SeenScene:
    """Return what the camera sees in a picture. Raises InputError for one of which no scene is known."""
    if picture.scene is None:
        raise InputError(f"{picture.id}: no scene is known of it, and truth comes from scenes alone")
    scene = picture.scene()
    return SeenScene(_place(scene), _instances(scene), _texts(scene), deeds_in(scene, picture.frame))


def _instances(scene: Scene) -> list[SeenInstance]:
    found = []
    for thing, v in _shown(scene):
        if "text" in thing.attributes:
            continue
        label = thing.attributes.get("name") or thing.category
        attributes = {k: value for k in ("color", "size") if (value := thing.attributes.get(k, ""))}
        if thing.subtype and thing.subtype not in (thing.category, label):
            attributes["type"] = thing.subtype
        found.append(
            SeenInstance(label=label, box=_box(scene, v), source=NAME, id=thing.id, attributes=attributes)
        )
    return found


def _texts(scene: Scene) -> list[SeenText]:
    """Return the words of a scene that can be read: high enough, and hardly hidden."""
    return [
        SeenText(text=thing.attributes["text"], box=_box(scene, v), source=NAME)
        for thing, v in _shown(scene)
        if "text" in thing.attributes
        and v.box_px[3] - v.box_px[1] >= LEAST_LETTERS_PX
        and v.visible_px >= LEGIBLE_SHARE * v.full_px
    ]


def _shown(scene: Scene) -> Iterator[tuple[SceneObject, ObjectVisibility]]:
    """Yield the objects of which enough is seen to say that they are there."""
    seen = {v.object_id: v for v in scene.visibility}
    for thing in scene.objects:
        v = seen.get(thing.id)
        if v is not None and v.visible_px >= max(LEAST_PX, LEAST_SHARE * v.full_px):
            yield thing, v


def _box(scene: Scene, v: ObjectVisibility) -> Box:
    camera = scene.cameras[0]
    left, top, right, bottom = v.box_px
    return clipped((left / camera.width, top / camera.height, right / camera.width, bottom / camera.height))


def _place(scene: Scene) -> str:
    """Return where a scene is in words: its room, its setting, or its ground and the built-in sky above."""
    if room := scene.source.get("room"):
        return f"in {article(room)} {room}"
    if (setting := scene.source.get("setting", "")) in SETTINGS:
        return SETTINGS[setting]
    if scene.environment.name == "white":
        return "on a white background"
    sky, _, kind = scene.environment.name.partition(":")
    ground = f"on {scene.environment.ground} ground"
    return f"{ground} under a sky of a {kind.replace('-', ' ')}" if sky == "sky" and kind else ground


def described(name: str, seen: SeenScene, source: str) -> VisualInformation:
    """Return all that follows from where a picture is and what is in it: also captions and regions.

    What people do is an attribute of theirs, a sentence of a caption, and a region.
    """
    place, instances = seen.place, seen.instances
    doing = _doing(seen)
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
            *(CaptionOf(text=text, source=source) for text in _deeds_told(instances, doing)),
        ),
        instances=tuple(_doer(i, doing.get(i.id, "")) for i in instances),
        regions=(
            *(RegionCaption(text=_phrase(i), box=i.box, source=source) for i in instances if i.attributes),
            *(
                RegionCaption(text=f"{article(i.label)} {i.label} {doing[i.id]}", box=i.box, source=source)
                for i in instances
                if i.id in doing
            ),
        ),
        texts=tuple(seen.texts),
    )


def _doing(seen: SeenScene) -> dict[str, str]:
    """Return what each person who is seen does, in words; nothing of what is done to something unseen."""
    known = {i.id: i for i in seen.instances if i.id}
    told: dict[str, list[str]] = {}
    for deed in seen.deeds:
        if deed.who in known and (not deed.what or deed.what in known):
            named = f" {_named(known[deed.what])}" if deed.what else ""
            told.setdefault(deed.who, []).append(f"{deed.words}{named}")
    return {who: " and ".join(words) for who, words in told.items()}


def _named(instance: SeenInstance) -> str:
    color = instance.attributes.get("color", "")
    words = f"{color} {instance.label}".strip()
    return f"{article(words)} {words}"


def _deeds_told(instances: Sequence[SeenInstance], doing: Mapping[str, str]) -> list[str]:
    """Return one caption that says what people do; none where nobody does anything."""
    told = [f"{article(i.label).title()} {i.label} is {doing[i.id]}." for i in instances if i.id in doing]
    return [" ".join(told)] if told else []


def _doer(instance: SeenInstance, does: str) -> SeenInstance:
    attributes = {**instance.attributes, "does": does} if does else instance.attributes
    found: SeenInstance = msgspec.structs.replace(instance, attributes=attributes)
    return found


def _phrase(instance: SeenInstance) -> str:
    words = " ".join(v for k in ("size", "color", "type") if (v := instance.attributes.get(k, "")))
    return f"{article(words)} {words} {instance.label}"

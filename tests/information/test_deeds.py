"""What people do in a scene, as the perfect extractor says it, and as the noisy one mistakes it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest

from fathom.authoring.information.as_text import as_text
from fathom.authoring.information.deeds import ToldDeed, deeds_in
from fathom.authoring.information.noisy import NoiseRates, noisy_information, vocabulary_of
from fathom.authoring.information.perfect import NAME, SeenScene, described, seen_in
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import SeenInstance, VisualInformation
from fathom.records import Scene
from tests.information.worlds import still

ACTS = "picks car 0.400 1.400; walks bus 2.000 3.000; waves - 3.500 4.000; puts car 5.000 6.000"


def acted(acts: str, times_s: Iterable[float]) -> Scene:
    """Return a scene whose first object is somebody who acts; the others are called by their ids."""
    base = still(0)
    names = ("actor", "car", "bus", "lamp")
    who = {"name": "woman", "color": "", "stands_on": "floor", "does": "acts", "acts": acts}
    objects = [
        msgspec.structs.replace(
            thing, id=name, category=name, subtype=name,
            attributes=who if name == "actor" else {"name": name, "color": "red", "stands_on": "floor"},
        )
        for thing, name in zip(base.objects, names, strict=True)
    ]  # fmt: skip
    seen = [
        msgspec.structs.replace(v, object_id=name) for v, name in zip(base.visibility, names, strict=True)
    ]
    changed: Scene = msgspec.structs.replace(
        base, objects=tuple(objects), visibility=tuple(seen), times_s=tuple(times_s),
        source={"setting": "acted"},
    )  # fmt: skip
    return changed


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (0, []),
        (1, [("picking up", "car")]),
        (2, [("holding", "car")]),
        (3, [("walking towards", "bus"), ("holding", "car")]),
        (4, [("waving", ""), ("holding", "car")]),
        (5, [("putting down", "car")]),
        (6, []),
    ],
)
def test_who_acts_does_what_the_record_says_at_that_time(frame: int, told: list[tuple[str, str]]) -> None:
    scene = acted(ACTS, (0.0, 1.0, 1.7, 2.5, 3.7, 5.5, 7.0))
    assert deeds_in(scene, frame) == [ToldDeed("actor", *words) for words in told]


def test_what_is_held_from_the_beginning_is_held_until_it_is_put_down() -> None:
    scene = acted("puts car 2.000 3.000", (0.5, 2.5, 4.0))
    objects = [
        msgspec.structs.replace(t, attributes={**t.attributes, "stands_on": "hand"}) if t.id == "car" else t
        for t in scene.objects
    ]
    scene = msgspec.structs.replace(scene, objects=tuple(objects))
    told = [[d.words for d in deeds_in(scene, frame)] for frame in range(3)]
    assert told == [["holding"], ["putting down"], []]


def picture(scene: Scene, frame: int) -> GivenPicture:
    return GivenPicture("one", scene=lambda: scene, frame=frame)


def test_a_writer_reads_what_somebody_does_in_caption_attributes_and_regions() -> None:
    given = picture(acted(ACTS, (0.0, 1.0)), 1)
    told = as_text(described("one", seen_in(given), NAME))
    assert "- A woman is picking up a red car." in told
    assert ": picking up a red car" in told.partition("Attributes")[2]
    assert "- a woman picking up a red car: [" in told
    assert "picking" not in as_text(described("one", seen_in(picture(given.scene(), 0)), NAME))  # type: ignore[misc]


def seen(*deeds: ToldDeed) -> VisualInformation:
    box = (0.1, 0.1, 0.2, 0.2)
    things = [SeenInstance(label=label, box=box, source=NAME, id=label) for label in ("woman", "chair")]
    return described("one", SeenScene("in a room", things, (), deeds), NAME)


def test_what_is_done_to_something_that_is_not_seen_is_not_told() -> None:
    assert len(seen(ToldDeed("woman", "sitting on", "chair")).captions) == 3
    for hidden in (ToldDeed("woman", "holding", "mug"), ToldDeed("man", "sitting on", "chair")):
        assert len(seen(hidden).captions) == 2
        assert not any(i.attributes for i in seen(hidden).instances)


def test_noise_mistakes_deeds_by_the_rate_of_attributes_and_objects_by_that_of_labels() -> None:
    pictures = [GivenPicture(f"p{n}", scene=lambda: acted(ACTS, (1.0, 2.5)), frame=n % 2) for n in range(200)]
    words = vocabulary_of(pictures)
    assert words["does to"] == ("holding", "picking up", "walking towards")
    told = {
        rate: [_does(noisy_information(p, NoiseRates(attributes=rate), words)) for p in pictures]
        for rate in (0.0, 0.3)
    }
    assert told[0.0] == [_does(described(p.id, seen_in(p), NAME)) for p in pictures]
    changed = sum(a.split(" a ")[0] != b.split(" a ")[0] for a, b in zip(told[0.0], told[0.3], strict=True))
    assert 0.2 < changed / 200 < 0.5
    other = [_does(noisy_information(p, NoiseRates(labels=1.0), words)) for p in pictures]
    assert not any("car" in does and "picking" in does for does in other)


def _does(info: VisualInformation) -> str:
    return next((i.attributes["does"] for i in info.instances if "does" in i.attributes), "")

"""What the perfect extractor says of rooms, tables and streets, held against their exact boxes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fathom import api
from fathom.authoring.information.perfect import NAME, described, seen_in
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import Box, VisualInformation
from fathom.datasets.visible_scenes import scenes_by_cell
from fathom.geometry.box_gaps import corners_m
from fathom.programs.views.video import VideoView, video_view
from fathom.records import Scene
from fathom.scenes.videos.audit import STRUCTURE
from fathom.store.datasets import open_dataset

SLACK = 0.02
"""So far beyond the rectangle around an object's box its silhouette may reach, as a share of the picture."""

QUICK = {
    "scales": "indoor,outdoor", "indoor.seconds": "5", "indoor.fps": "5",
    "outdoor.seconds": "3", "outdoor.fps": "5", "outdoor.width": "400", "outdoor.height": "300",
    "indoor.width": "400", "indoor.height": "300",
}  # fmt: skip

Seen = list[tuple[Scene, VideoView, int, VisualInformation]]


def seen_of(out: Path, benchmark: str, scenes: int, seed: str, **settings: str) -> Seen:
    """Build a set without pictures; return what the perfect extractor says of every third frame."""
    api.build_dataset(benchmark, out, scenes=scenes, seed=seed, renderer="none", workers=1, settings=settings)
    dataset = open_dataset(out)
    found: Seen = []
    for scene in dataset.scenes():
        view = video_view(scene)
        for (_, frame), at in list(scenes_by_cell(dataset, scene).items())[::3]:
            picture = GivenPicture(f"{scene.id} {frame}", scene=at)
            found.append((scene, view, frame, described(picture.id, seen_in(picture), NAME)))
    return found


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    few = {"further": "0", "table.fps": "3"}
    return seen_of(tmp_path_factory.mktemp("stills") / "set", "seed-bench", 4, "5", **few)


@pytest.fixture(scope="module")
def moving(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    return seen_of(tmp_path_factory.mktemp("films") / "set", "sti-bench", 2, "7", **QUICK)


def around(view: VideoView, obj: int, frame: int, size: tuple[int, int]) -> Box | None:
    """Return the rectangle around an object's box as shares of the picture; None where it is beside us."""
    at = slice(frame, frame + 1)
    corners = corners_m(view.centres_m[obj, at], view.rotations[obj, at], view.sizes_m[obj])[0]
    local = (corners - view.eyes_m[frame]) @ view.views[frame]
    if local[:, 2].min() < 0.05:
        return None
    flat = local[:, :2] / local[:, 2:] * view.focal_px / np.array(size) + 0.5
    low, high = flat.min(axis=0), flat.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def inside(box: Box, other: Box) -> bool:
    """Return whether a box lies in another one, but for the slack."""
    low = all(b >= o - SLACK for b, o in zip(box[:2], other[:2], strict=True))
    return low and all(b <= o + SLACK for b, o in zip(box[2:], other[2:], strict=True))


@pytest.mark.parametrize("worlds", ["still", "moving"])
def test_every_object_that_is_named_lies_where_its_box_is(
    worlds: str, request: pytest.FixtureRequest
) -> None:
    compared = 0
    settings = set()
    for scene, view, frame, info in request.getfixturevalue(worlds):
        camera = scene.cameras[0]
        things = {thing.id: thing for thing in scene.objects}
        for instance in info.instances:
            thing = things[instance.id]
            assert instance.label == (thing.attributes.get("name") or thing.category)
            assert instance.attributes.get("color", "") == thing.attributes.get("color", "")
            own = around(view, view.objects.index(instance.id), frame, (camera.width, camera.height))
            if own is not None:
                assert inside(instance.box, own), (scene.id, frame, instance, own)
                compared += 1
        settings.add(scene.source.get("setting", scene.generator))
    assert compared > 40 and len(settings) >= 2


def test_only_words_on_posters_are_read_and_where_they_hang(still: Seen) -> None:
    read = 0
    for scene, view, frame, info in still:
        camera = scene.cameras[0]
        written = {t.attributes["text"]: t.id for t in scene.objects if "text" in t.attributes}
        for text in info.texts:
            own = around(view, view.objects.index(written[text.text]), frame, (camera.width, camera.height))
            assert own is not None and inside(text.box, own)
            read += 1
        assert not {i.id for i in info.instances} & set(written.values()), "a word is no object"
    assert read


def test_nothing_of_the_house_is_counted(still: Seen, moving: Seen) -> None:
    """Walls and floors are in the scene, and in no list of what there is to see."""
    rooms = 0
    for scene, _, _, info in (*still, *moving):
        house = {t.id for t in scene.objects if t.category == STRUCTURE}
        assert not house & {i.id for i in info.instances}
        rooms += bool(house)
    assert rooms

"""The perfect extractor says of objects alone what each view shows, from their truth."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from fathom import api
from fathom.authoring.information.extracting import information_in
from fathom.authoring.information.perfect import seen_in
from fathom.authoring.information.pictures import GivenPicture
from fathom.datasets.visible_scenes import scenes_by_cell
from fathom.scenes.visibility_files import read_visibility_grid
from fathom.store.datasets import open_dataset

SLACK_PX = 2.0


def test_boxes_in_every_view_are_those_of_the_depth_buffer(films: Path) -> None:
    """But for thin things, such as strings of balloons, of which rays or the depth buffer miss pieces."""
    dataset, apart = open_dataset(films), list[float]()
    for scene in dataset.scenes():
        grid = read_visibility_grid(dataset.path / "visibility" / f"{scene.id}.npz")
        size = np.array([scene.cameras[0].width, scene.cameras[0].height] * 2)
        cells = scenes_by_cell(dataset, scene)
        assert len({view for view, _ in cells}) > 1
        for (view, frame), at in list(cells.items())[::5]:
            g = int(np.searchsorted(grid.frames, frame))
            for found in seen_in(GivenPicture("", scene=at)).instances:
                shown = grid.boxes[view, g, grid.objects.index(found.id)]
                apart.append(float(np.abs(np.array(found.box) * size - shown).max()))
    assert len(apart) > 100
    assert np.mean(np.array(apart) <= SLACK_PX) > 0.8


def test_of_each_film_that_was_not_painted_one_frame_is_told(films: Path, tmp_path: Path) -> None:
    report = api.extract_information(films, tmp_path / "info", extractors=["perfect"])
    assert not report.failures
    told = information_in(open_dataset(tmp_path / "info"))
    assert told.keys() == {s.id for s in open_dataset(films).scenes()}
    for scene in open_dataset(films).scenes():
        actor = scene.objects[0]
        (seen,) = [i for i in told[scene.id].instances if i.id == actor.id]
        assert seen.label == actor.attributes["name"]
        assert told[scene.id].captions[0].text.endswith(" on a white background.")

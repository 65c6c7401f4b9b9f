"""Stories of models made by artists stand up to the same audit."""

from pathlib import Path

import pytest

from fathom.assets.animated.library import AnimatedLibrary, open_animated_library
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.free_space import audit
from fathom.scenes.scene_at_time import Staging

EVERY_KIND = ("counting", "spatial", "temporal", "action", "appearance", "counterfactual")


@pytest.fixture(scope="module")
def found(assets_folder: Path) -> AnimatedLibrary:
    """The actors in the folder of animated models."""
    folder = assets_folder / "animated"
    if not folder.is_dir():
        pytest.skip("there are no animated models in FATHOM_ASSETS")
    return open_animated_library(folder)


@pytest.mark.parametrize(("index", "kind"), list(enumerate(EVERY_KIND)))
def test_a_story_of_a_found_actor_is_sound_and_eventful(
    found: AnimatedLibrary, index: int, kind: str
) -> None:
    scene = draw_animated_scene(index, "found", found, Staging(stage="props", views=4, kinds={kind: 1.0}))
    checked = audit(scene, found, step=12)
    assert (checked.crossing, checked.floating, checked.sunk, checked.loose) == (0, 0, 0, 0)
    assert len({e.start_s for t in scene.objects for e in t.events}) >= 3

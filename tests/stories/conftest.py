"""A few stories with the built-in actors, drawn once."""

import pytest

from fathom.assets.animated.library import AnimatedLibrary
from fathom.records import Scene
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.scene_at_time import Staging


@pytest.fixture(scope="session")
def library() -> AnimatedLibrary:
    """The built-in actors."""
    return built_in_animated()


@pytest.fixture(scope="session")
def stories(library: AnimatedLibrary) -> tuple[Scene, ...]:
    """Eighteen stories with few views."""
    return tuple(draw_animated_scene(k, "tests", library, Staging(stage="props", views=4)) for k in range(18))

"""A few stories with the built-in actors, drawn once."""

import pytest

from fathom.assets.animated.library import AnimatedLibrary
from fathom.records import Scene
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.animated_scenes import draft_of, draw_animated_scene
from fathom.scenes.designs import SceneDraft
from fathom.scenes.scene_at_time import Staging


@pytest.fixture(scope="session")
def library() -> AnimatedLibrary:
    """The built-in actors."""
    return built_in_animated()


@pytest.fixture(scope="session")
def stories(library: AnimatedLibrary) -> tuple[Scene, ...]:
    """Twelve stories with few views."""
    return tuple(draw_animated_scene(k, "tests", library, Staging(stage="props", views=4)) for k in range(12))


@pytest.fixture(scope="session")
def drafts(library: AnimatedLibrary) -> tuple[SceneDraft, ...]:
    """Two dozen films of the object alone, before anything is looked at."""
    return tuple(draft_of(k, "drafts", library, Staging()) for k in range(24))

"""A few stories with the built-in actors, drawn once."""

import pytest

from fathom.records import Scene
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.players import Troupe, built_in_players
from fathom.scenes.scene_at_time import Staging


@pytest.fixture(scope="session")
def troupe() -> Troupe:
    """The built-in actors."""
    return built_in_players()


@pytest.fixture(scope="session")
def stories(troupe: Troupe) -> tuple[Scene, ...]:
    """Thirty stories with few views."""
    return tuple(draw_animated_scene(k, "tests", troupe, Staging(views=4)) for k in range(30))

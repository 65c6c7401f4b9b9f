"""A few stories with the built-in actors, drawn once."""

import pytest

from fathom.build.worlds.players import Players, built_in_players
from fathom.build.worlds.staging import Staging
from fathom.build.worlds.stories import draw_story
from fathom.records import Scene


@pytest.fixture(scope="session")
def troupe() -> Players:
    """The built-in actors."""
    return built_in_players()


@pytest.fixture(scope="session")
def stories(troupe: Players) -> tuple[Scene, ...]:
    """Thirty stories with few views."""
    return tuple(draw_story(k, "tests", troupe, Staging(views=4)) for k in range(30))

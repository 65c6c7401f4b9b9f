"""Worlds that several tests look at, drawn once."""

from __future__ import annotations

import pytest

from fathom.records import Scene
from fathom.scenes.videos.desktop import draw_desktop
from fathom.scenes.videos.driving import STORIES
from fathom.scenes.videos.outdoor import Outdoor, draw_outdoor


@pytest.fixture(scope="session")
def desktops() -> tuple[Scene, ...]:
    return tuple(draw_desktop(k, "tests") for k in range(20))


@pytest.fixture(scope="session")
def outdoors() -> tuple[Scene, ...]:
    """One street of each story."""
    return tuple(draw_outdoor(k, "tests", Outdoor(stories=(s,))) for k, s in enumerate(STORIES))

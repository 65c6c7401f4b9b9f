"""Worlds that several tests look at, drawn once."""

from __future__ import annotations

import pytest

from fathom.build.worlds.videos.desktop import draw_desktop
from fathom.build.worlds.videos.driving import STORIES
from fathom.build.worlds.videos.outdoor import Outdoor, draw_outdoor
from fathom.records import Scene


@pytest.fixture(scope="session")
def desktops() -> tuple[Scene, ...]:
    return tuple(draw_desktop(k, "tests") for k in range(20))


@pytest.fixture(scope="session")
def outdoors() -> tuple[Scene, ...]:
    """One street of each story."""
    return tuple(draw_outdoor(k, "tests", Outdoor(stories=(s,))) for k, s in enumerate(STORIES))

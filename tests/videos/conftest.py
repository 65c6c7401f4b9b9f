"""Worlds that several tests look at, drawn once."""

from __future__ import annotations

import pytest

from fathom.build.worlds.videos.desktop import draw_desktop
from fathom.records import Scene


@pytest.fixture(scope="session")
def desktops() -> tuple[Scene, ...]:
    return tuple(draw_desktop(k, "tests") for k in range(20))

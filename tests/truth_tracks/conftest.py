"""One world on a table, looked at once."""

from __future__ import annotations

import numpy as np
import pytest

from fathom.ground_truth.footage import as_filmed, footage
from fathom.scenes.videos.desktop import Desktop, draw_desktop, models_at
from fathom.verify.observed.video import ObservedVideo, observed_video
from tests.truth_tracks.programs import Film


@pytest.fixture(scope="session")
def film() -> Film:
    """A world of five objects of which two are moved, and what its 30 frames show."""
    wanted = Desktop(width=480, height=360, fewest=5, most=5, fewest_moved=2, most_moved=2, stacked=0.0)
    scene = draw_desktop(1, "second derivation", wanted)
    filmed, models = as_filmed(scene, models_at(scene, 0))
    frames = np.linspace(0, len(scene.times_s) - 1, 30).round().astype(int).tolist()
    return Film(scene, tuple(footage(filmed, models, frames)))


@pytest.fixture(scope="session")
def video(film: Film) -> ObservedVideo:
    """What the cells of the world show."""
    return observed_video(film.scene, film.cells)

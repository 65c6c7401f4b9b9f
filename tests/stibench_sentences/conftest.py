"""All that some worlds of each scale offer to ask, and one small dataset as it is built: made once."""

from __future__ import annotations

import pytest

from fathom.records import Question, Scene
from tests.stibench_sentences.corpus import everything, worlds
from tests.videos_built.conftest import videos

__all__ = ["videos"]

Texts = list[tuple[Scene, Question]]


@pytest.fixture(scope="session")
def texts() -> Texts:
    return list(everything(worlds({"desktop": (1, 4, 6, 8), "indoor": (0, 1), "outdoor": (9, 10)}, "s2")))

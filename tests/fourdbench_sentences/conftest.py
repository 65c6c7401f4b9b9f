"""Questions of every form, made once."""

from __future__ import annotations

import pytest

from fathom.records import Question, Scene
from tests.fourdbench_sentences.corpus import everything

Texts = list[tuple[Scene, Question]]


@pytest.fixture(scope="session")
def texts() -> Texts:
    return list(everything())

"""What color everybody knows that something has which an actor wears is not asked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from fathom.benchmarks.fourdbench.words import LANGUAGE
from fathom.questions.contexts.animated_obvious import is_obvious
from fathom.questions.templates import Fill


@pytest.mark.parametrize(("worn", "color", "known"), [("wheels", "black", True), ("crown", "black", False)])
def test_that_wheels_are_black_is_known_without_looking(worn: str, color: str, known: bool) -> None:
    actor = SimpleNamespace(parts={})
    stage: Any = SimpleNamespace(language=LANGUAGE, scene=SimpleNamespace(objects=[actor]), actions=[])
    form: Any = SimpleNamespace(asks="colors", slots={"T": "carried"}, program="color $T whole")
    assert is_obvious(stage, form, {"T": Fill(worn, {})}, color) is known

"""What something on a body is at, by its height alone: the belly, the back, or neither."""

from __future__ import annotations

import numpy as np
import pytest

from fathom.verify.observed.attachments import ELSEWHERE, _called

OWN = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 2.0]])


@pytest.mark.parametrize(("height", "place"), [(0.1, "belly"), (0.6, ELSEWHERE), (1.8, "back")])
def test_between_belly_and_back_nothing_is_told(height: float, place: str) -> None:
    assert _called("body", OWN, np.array([0.0, 0.0, height]), OWN) == place

"""Which side of a body something is on: the back, a side or the belly; of an upright one the chest."""

from __future__ import annotations

import numpy as np
import pytest

from fathom.verify.observed.attachments import ELSEWHERE, _on_body

LYING = np.array([(x, y, z) for x in (-2.0, 2.0) for y in (-0.5, 0.5) for z in (1.0, 2.0)])
STANDING = LYING[:, [2, 1, 0]] + (-1.5, 0.0, 3.0)
LEGS = np.array([(0.0, 0.0, 0.0)])


@pytest.mark.parametrize(
    ("spot", "place"),
    [
        ((0.3, 0.0, 2.0), "back"),
        ((0.3, 0.5, 1.6), "left side"),
        ((-1.0, -0.5, 1.4), "right side"),
        ((0.0, 0.0, 0.4), "belly"),
        ((0.0, 0.5, 2.0), ELSEWHERE),
        ((0.0, 0.1, 1.0), ELSEWHERE),
    ],
)
def test_on_a_body_that_lies_backs_and_sides_are_told_apart(
    spot: tuple[float, float, float], place: str
) -> None:
    assert _on_body(np.array(spot), LYING, np.concatenate([LYING, LEGS])) == place


@pytest.mark.parametrize(
    ("spot", "place"),
    [((0.3, 0.1, 5.0), "back"), ((0.1, 0.5, 3.2), "left side"), ((0.5, 0.0, 3.5), ELSEWHERE)],
)
def test_what_is_long_as_a_whole_lies_though_its_trunk_is_short(
    spot: tuple[float, float, float], place: str
) -> None:
    """A fish's head and tail are limbs of their own, and what is between them is taller than long."""
    ends = np.array([(4.0, 0.0, 3.0), (-4.0, 0.0, 3.0)])
    assert _on_body(np.array(spot), STANDING, np.concatenate([STANDING, ends])) == place


@pytest.mark.parametrize(
    ("spot", "place"),
    [
        ((0.5, 0.0, 3.5), "chest"),
        ((-0.5, 0.1, 3.5), "back"),
        ((0.1, 0.5, 3.0), "left side"),
        ((0.5, 0.5, 3.0), ELSEWHERE),
        ((-0.1, -0.19, 3.5), ELSEWHERE),  # in a hollow, nearest to its right wall
        ((0.0, 0.0, 1.0), "belly"),
    ],
)
def test_on_an_upright_body_the_chest_is_ahead(spot: tuple[float, float, float], place: str) -> None:
    assert _on_body(np.array(spot), STANDING, np.concatenate([STANDING, LEGS])) == place

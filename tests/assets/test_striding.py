"""People who walk: limbs that swing about a trunk that does not."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.modelling.street.striding import FLAT_FROM, FLAT_UNTIL, KEYS
from tools.modelling.street.striding import walker as modelled

from fathom.assets.loading import built_in_parts, built_in_parts_at
from fathom.assets.model import SWINGING, Part
from fathom.assets.street.catalogue import BUILT_IN, STREET
from fathom.geometry.poses import Array

STRIDE_M = STREET["walker a"].stride_m


def walker(looks: str, phase: float | None = None) -> tuple[Part, ...]:
    name = f"walker {looks}"
    if phase is None:
        return built_in_parts("street", name)
    return built_in_parts_at("street", name, STREET[name].stride_clip, phase % 1.0)


def points(parts: tuple[Part, ...], name: str = "") -> Array:
    return np.concatenate([p.vertices for p in parts if p.name.startswith(name)])


@settings(max_examples=40, deadline=None)
@given(st.floats(0, 5), st.sampled_from("ab"))
def test_the_box_of_the_whole_stride_holds_every_phase(phase: float, looks: str) -> None:
    rest, now = points(walker(looks)), points(walker(looks, phase))
    assert now.shape == rest.shape
    assert (now.min(axis=0) > rest.min(axis=0) - 3e-3).all()
    assert (now.max(axis=0) < rest.max(axis=0) + 3e-3).all()


@settings(max_examples=20, deadline=None)
@given(st.floats(0, 5))
def test_trunk_and_head_are_the_same_at_every_phase(phase: float) -> None:
    for a, b in zip(walker("a"), walker("a", phase), strict=True):
        assert a.name == b.name and (a.faces == b.faces).all()
        assert a.name.startswith(SWINGING) or (a.vertices == b.vertices).all()


@settings(max_examples=40, deadline=None)
@given(st.floats(FLAT_FROM, FLAT_UNTIL), st.floats(FLAT_FROM, FLAT_UNTIL))
def test_a_foot_on_the_ground_goes_back_as_fast_as_the_trunk_goes_on(one: float, other: float) -> None:
    a, b = (points(walker("a", p), f"{SWINGING} shoes") for p in (one, other))
    left = slice(0, len(a) // 2)
    assert a[left] - b[left] == pytest.approx(
        np.broadcast_to([-STRIDE_M * (one - other), 0, 0], a[left].shape), abs=1e-6
    )


@pytest.mark.parametrize("looks", "ab")
def test_at_its_keyframes_a_walker_is_as_it_was_modelled(looks: str) -> None:
    assert points(walker(looks)) == pytest.approx(points(modelled(looks)), abs=1e-6)
    for phase in KEYS[:-1:9]:
        assert points(walker(looks, phase)) == pytest.approx(points(modelled(looks, phase)), abs=1e-6)


def test_both_feet_do_the_same_half_a_stride_apart() -> None:
    for phase in (0.0, 0.21, 0.55, 0.83):
        now, later = (points(walker("b", p), f"{SWINGING} shoes") for p in (phase, phase + 0.5))
        half = len(now) // 2
        mirrored = np.sort(later[half:] * (1, -1, 1), axis=0)
        assert np.sort(now[:half], axis=0) == pytest.approx(mirrored, abs=1e-4)


def test_a_walker_of_another_size_takes_longer_steps() -> None:
    usual = BUILT_IN.model("walker a").extents
    size = (usual[0] * 1.1, usual[1] * 1.1, usual[2] * 1.1)
    large = BUILT_IN.walking("walker a", size, "red", 1.1 * STRIDE_M * 3.25)
    small = BUILT_IN.walking("walker a", usual, "red", STRIDE_M * 0.25)
    assert points(large.parts) == pytest.approx(points(small.parts) * 1.1, abs=1e-9)
    assert BUILT_IN.model("walker a").extents[2] == pytest.approx(1.73, abs=0.05)

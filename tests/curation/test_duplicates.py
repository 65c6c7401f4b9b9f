"""The same asset under two names, and the same object twice."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import msgspec
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.assets.model import Material
from fathom.curation.duplicates import (
    Fingerprint,
    color_histogram,
    find_duplicates,
    look_of,
    shape_histogram,
    surface_colors,
)
from fathom.curation.pixels import reduced, thumbnail
from tests.curation.made import blob, picture, turned

LUMPS = {name: blob(name) for name in ("a", "b", "c", "d")}


def known_by(name: str, lump: str, *sequence: str, angle: float = 0.0, scale: float = 1.0) -> Fingerprint:
    part = turned(LUMPS[lump], angle, scale)
    return Fingerprint(
        name=name, shape=shape_histogram([part]), color=color_histogram([part]), sequence=sequence
    )


@cache
def named_after_lump(name: str) -> Fingerprint:
    return known_by(name, name[0], "Walk")


def replace_look(one: Fingerprint, look: bytes) -> Fingerprint:
    return msgspec.structs.replace(one, look=look)


def seen_as(name: str, x: float, y: float = 60.0) -> Fingerprint:
    return Fingerprint(name=name, look=look_of([thumbnail(reduced(picture(x, y), 128), 16)] * 3))


@settings(max_examples=15, deadline=None)
@given(st.floats(0.1, 3), st.floats(0.01, 50))
def test_a_turned_and_scaled_asset_is_the_same(angle: float, scale: float) -> None:
    found = find_duplicates([known_by("one", "a"), known_by("two", "a", angle=angle, scale=scale)])
    assert [c.kept for c in found.clusters] == ["one"]
    assert "the same asset as one" in found.reasons()["two"]


def test_other_shapes_are_other_assets() -> None:
    found = find_duplicates([known_by(name, name) for name in LUMPS])
    assert not found.clusters


def test_two_clips_of_one_asset_are_two_objects_and_twice_the_same_clips_are_one() -> None:
    walk, eat = known_by("fox-1", "a", "Walk"), known_by("fox-2", "a", "Eating")
    again = known_by("kitsune", "a", "Walk", angle=1.0)
    found = find_duplicates([again, eat, walk])
    assert [(c.kept, list(c.dropped)) for c in found.clusters] == [("fox-1", ["kitsune"])]
    assert "the same clips (Walk)" in found.reasons()["kitsune"]


def test_a_recolored_asset_stays_and_is_said_to_be_one() -> None:
    blue = replace(LUMPS["a"], material=Material("skin", (0.1, 0.2, 0.8)))
    painted = Fingerprint(name="blue", shape=shape_histogram([blue]), color=color_histogram([blue]))
    found = find_duplicates([known_by("x", "a"), painted])
    assert not found.clusters
    assert found.recolored == (("blue", "x"),)


def test_what_looks_the_same_all_the_time_is_the_same_whatever_it_is_made_from() -> None:
    found = find_duplicates([seen_as("b", 60.3), seen_as("a", 60), seen_as("c", 75)])
    assert [(c.kept, list(c.dropped)) for c in found.clusters] == [("a", ["b"])]
    assert "looks like a in every view" in found.reasons()["b"]


def test_clips_with_names_of_their_own_stay_however_alike_they_look() -> None:
    look = seen_as("x", 60).look
    forward, back = (known_by(n, "a", n) for n in ("Forward", "Backwards"))
    same_look = [replace_look(p, look) for p in (forward, back)]
    assert not find_duplicates(same_look).clusters
    nameless = [replace_look(known_by(n, n), look) for n in ("a", "b")]
    assert len(find_duplicates(nameless).clusters) == 1


def test_looks_from_other_numbers_of_views_are_not_compared() -> None:
    one = seen_as("a", 60)
    more = Fingerprint(name="b", look=one.look * 2)
    assert not find_duplicates([one, more]).clusters


def test_what_is_not_known_is_not_compared() -> None:
    assert not find_duplicates([Fingerprint(name="a"), Fingerprint(name="b")]).clusters
    assert shape_histogram([]) == ()
    assert color_histogram([]) == ()


def test_textures_count_with_the_places_that_are_shown() -> None:
    image = np.zeros((2, 2, 3), np.uint8)
    image[:, 1] = 255
    uv = np.full((len(LUMPS["a"].vertices), 2), (0.75, 0.5))
    part = replace(LUMPS["a"], material=Material("skin", texture=image), uv=uv)
    assert color_histogram([part])[63] == 1.0


@settings(max_examples=10, deadline=None)
@given(st.permutations(["a1", "a2", "b1", "b2", "c1"]))
def test_the_first_by_name_stays_whatever_the_order(order: list[str]) -> None:
    found = find_duplicates([named_after_lump(n) for n in order])
    assert [(c.kept, list(c.dropped)) for c in found.clusters] == [("a1", ["a2"]), ("b1", ["b2"])]


def test_colors_of_material_and_vertices_multiply_as_light_does() -> None:
    lump = replace(LUMPS["a"], material=Material("paint", (0.45, 0.3, 0.15)), uv=None)
    white = replace(lump, vertex_colors=np.ones_like(lump.vertices))
    assert np.allclose(surface_colors(white), (0.45, 0.3, 0.15), atol=1e-4)
    assert color_histogram([white]) == color_histogram([lump])
    # Half the light is 0.735 in sRGB, and half of the light of 0.735 is 0.537.
    gray = Material("paint", (0.735357,) * 3)
    dimmed = replace(lump, material=gray, vertex_colors=np.full_like(lump.vertices, 0.735357))
    assert np.allclose(surface_colors(dimmed), 0.537099, atol=1e-3)


def test_colors_of_material_and_texture_multiply_as_light_does() -> None:
    texture = np.full((4, 4, 3), 255, np.uint8)
    lump = LUMPS["a"]
    uv = np.zeros((len(lump.vertices), 2))
    part = replace(lump, material=Material("paint", (0.45, 0.3, 0.15), texture=texture), uv=uv)
    assert np.allclose(surface_colors(part), (0.45, 0.3, 0.15), atol=1e-4)

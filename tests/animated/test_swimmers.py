"""Fish whose joints are named after nothing: the end that swings farthest is the tail."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from fathom.assets.animated.library import AnimatedLibrary
from fathom.assets.gltf.moving import Moving
from fathom.indexing.proposing import propose_asset
from fathom.indexing.swimmers import swimmer_of

FISH = ("fish-shark", "fish-puffer", "fish-lionfish")


def renamed(moving: Moving, name: str) -> Moving:
    """Return a model whose joints have numbers alone."""
    nodes = tuple(replace(n, name=f"{name}.{k:03}") for k, n in enumerate(moving.document.nodes))
    return replace(moving, document=replace(moving.document, nodes=nodes))


def test_of_all_models_just_the_fish_are_taken_for_such(library: AnimatedLibrary) -> None:
    found = {a.name for a in library.assets if swimmer_of(a.moving) is not None}
    assert found == {a.name for a in library.assets if a.name.startswith("fish-")}
    assert len(found) == 10


@pytest.mark.parametrize("name", FISH)
def test_head_tail_and_front_are_those_that_people_see(name: str, library: AnimatedLibrary) -> None:
    asset = library.asset(name)
    found = swimmer_of(asset.moving)
    assert found is not None and found.front == asset.entry.front
    for limb, patterns in found.limbs().items():
        own = asset.joints_of[limb]
        assert all(any(re.fullmatch(o, p) for o in own) for p in patterns), limb


def test_names_play_no_part(library: AnimatedLibrary) -> None:
    moving = library.asset(FISH[0]).moving
    found, again = swimmer_of(moving), swimmer_of(renamed(moving, "Bone"))
    assert found is not None and again is not None
    assert again.front == found.front and len(again.joints) == len(found.joints)
    assert all(name.startswith("Bone.") for name in again.joints)


def test_who_looks_the_other_way_is_turned_round(library: AnimatedLibrary) -> None:
    """Of the same vertices with x and z the other way round the head is at the other end."""

    class Turned:
        def __init__(self, moving: Moving) -> None:
            self.moving = moving
            self.pieces, self.document, self.clips = moving.pieces, moving.document, moving.clips

        def vertices_at(self, clip: str, time_s: float) -> np.ndarray:
            return self.moving.vertices_at(clip, time_s) * (-1, 1, -1)

        def vertices_over(self, clip: str, times_s: np.ndarray, rows: np.ndarray) -> np.ndarray:
            return self.moving.vertices_over(clip, times_s, rows) * (-1, 1, -1)

    moving = library.asset(FISH[0]).moving
    found, turned = swimmer_of(moving), swimmer_of(Turned(moving))  # type: ignore[arg-type]
    assert found is not None and turned is not None
    assert {found.front, turned.front} == {"+z", "-z"} and turned.joints == found.joints


def test_the_index_calls_it_a_fish_with_a_head_and_a_tail(library: AnimatedLibrary, tmp_path: Path) -> None:
    asset = library.asset(FISH[0])
    entry, guess = propose_asset(asset.folder, asset.entry.file, "0001")
    assert (entry.noun, entry.category, guess.front) == ("fish", "fish", asset.entry.front)
    assert set(entry.limbs) == {"head", "body", "tail"}
    assert "tail" in guess.reasons[0] and 0.5 < guess.confidence < 0.9
    named, _ = propose_asset(asset.folder, asset.entry.file, "Great White Shark")
    assert named.noun == "shark"

"""The reviewed packs, held against the models themselves: every clip shows what its verb says."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import pytest

from fathom.assets.animated.clips import PosedClip, Rows, measured
from fathom.assets.animated.lexicon import read_lexicon, unmet
from fathom.assets.animated.library import AnimatedLibrary, asset_of
from fathom.assets.animated.manifest import AnimatedManifest
from fathom.assets.animated.motion import limb_masks, measures
from fathom.assets.gltf.moving import Moving
from fathom.assets.model import Points
from fathom.curation.duplicates import surface_colors
from fathom.indexing.clip_motions import moved_verb
from fathom.indexing.proposing import front_of, propose_asset

TRIMMED_BY_EYE = 10
"""The dead fish snap back in their last frame, which is cut off."""


def test_every_animated_model_is_known(library: AnimatedLibrary, assets_folder: Path) -> None:
    files = {p.name for p in (assets_folder / "animated").iterdir() if p.suffix in (".glb", ".gltf")}
    assert {a.entry.file for a in library.assets} == files
    assert len(library.assets) == 50
    assert sum(len(a.clips) for a in library.assets) >= 300


def test_every_clip_of_a_file_is_reviewed(library: AnimatedLibrary) -> None:
    for a in library.assets:
        assert not a.moving.left_out, a.name
        assert {c.name for c in a.entry.clips} == {c.name for c in a.moving.clips}, a.name


@pytest.mark.slow
def test_every_clip_moves_as_its_verb_implies(library: AnimatedLibrary) -> None:
    lexicon = read_lexicon()
    wrong = [
        f"{a.name}: {c.name} is no {c.verb}: {', '.join(missing)}"
        for a in library.assets
        for c in a.clips
        if (missing := unmet(lexicon.verb(c.verb), measures(a, c)))
    ]
    assert not wrong, "\n".join(wrong)


def in_sizes(moving: Moving, clip: str, size: float, times_s: Points, rows: Rows) -> Points:
    return moving.vertices_over(clip, times_s, rows) / size


@pytest.mark.slow
def test_trims_and_loops_are_those_that_are_measured(library: AnimatedLibrary) -> None:
    by_eye = 0
    for a in library.assets:
        rest = a.moving.vertices_at("", 0.0)
        size = float(np.ptp(rest, axis=0).max())
        for c in a.clips:
            whole = a.moving.clip(c.name)
            posed = PosedClip(len(rest), partial(in_sizes, a.moving, c.name, size))
            found = measured(posed, whole.begin_s, whole.end_s)
            assert found is not None, (a.name, c.name)
            assert c.duration_s == pytest.approx(whole.duration_s, abs=1e-3)
            if (found.start_s, found.end_s) != (c.start_s, c.end_s):
                by_eye += 1
            else:
                assert found.loops == c.loops, (a.name, c.name)
    assert by_eye == TRIMMED_BY_EYE


def test_left_is_left_on_every_actor(library: AnimatedLibrary) -> None:
    sides = 0
    for a in library.assets:
        points, limbs = a.vertices_at("", 0.0), limb_masks(a)
        for name in limbs:
            other = name.replace("left ", "right ", 1)
            if name.startswith("left ") and other in limbs:
                sides += 1
                assert points[limbs[name], 1].mean() > points[limbs[other], 1].mean(), (a.name, name)
    assert sides >= 50


def test_heads_lie_ahead_of_tails(library: AnimatedLibrary) -> None:
    pairs = 0
    for a in library.assets:
        points, limbs = a.vertices_at("", 0.0), limb_masks(a)
        if "head" in limbs and "tail" in limbs:
            pairs += 1
            assert points[limbs["head"], 0].mean() > points[limbs["tail"], 0].mean(), a.name
    assert pairs >= 25


def test_every_named_limb_has_vertices_and_most_vertices_a_limb(library: AnimatedLibrary) -> None:
    for a in library.assets:
        limbs = limb_masks(a)
        assert set(limbs) == set(a.limbs), (a.name, set(a.limbs) - set(limbs))
        if limbs:
            held = sum(len(m) for m in limbs.values())
            assert held >= 0.99 * len(a.vertices_at("", 0.0)), (a.name, held)


def test_the_proposed_front_agrees_with_the_reviewed_one_almost_always(library: AnimatedLibrary) -> None:
    wrong = [a.name for a in library.assets if front_of(a.moving).front != a.entry.front]
    assert len(wrong) <= 2, wrong


def test_actors_stand_on_the_ground_at_their_size(library: AnimatedLibrary) -> None:
    for a in library.assets:
        points = a.vertices_at("", 0.0)
        low, high = points.min(axis=0), points.max(axis=0)
        assert (high - low).max() == pytest.approx(a.size_m)
        assert (low + high)[:2] == pytest.approx((0, 0), abs=1e-9)
        if a.entry.ground == "stance":
            assert low[2] == pytest.approx(0, abs=1e-9)


def test_what_is_called_white_is_light_and_what_is_called_black_is_dark(library: AnimatedLibrary) -> None:
    """A mid gray was called white, and two readers found no white in the picture."""
    found = 0
    for asset in library.assets:
        parts = asset.model_at("", 0.0).parts
        for look in asset.parts:
            own = [
                surface_colors(p).reshape(-1, 3).mean(axis=0)
                for p in parts
                if p.material.name == look.material
            ]
            if own and look.color in ("white", "black"):
                light = float(np.mean(own))
                assert light > 0.65 if look.color == "white" else light < 0.3, (asset.name, look, light)
                found += 1
    assert found > 10


@pytest.mark.parametrize(
    ("file", "clip", "verb"),
    [("Platformer_Skull.glb", "No", ""), ("Fish_Goldfish.glb", "Swimming_Normal", "swim")],
)
def test_what_swims_bends_and_a_skull_that_is_shaken_does_not(
    library: AnimatedLibrary, assets_folder: Path, file: str, clip: str, verb: str
) -> None:
    folder = assets_folder / "animated"
    entry, _ = propose_asset(folder, file, "0001")
    shown = [msgspec.structs.replace(c, verb="") for c in entry.clips if c.name.endswith(f"|{clip}")]
    one = msgspec.structs.replace(entry, clips=tuple(shown))
    asset = asset_of(folder, one, AnimatedManifest(name="one", assets=(one,)))
    assert moved_verb(asset, asset.clips[0]).verb == verb

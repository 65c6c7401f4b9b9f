"""Actors stand on the ground, look along x, and keep their place whatever they do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fathom.assets.animated.library import AnimatedAsset, asset_of, open_animated_library
from fathom.assets.animated.manifest import (
    FILE_NAME,
    AnimatedEntry,
    AnimatedManifest,
    ClipEntry,
    MaterialEntry,
    read_animated_manifest,
    write_animated_manifest,
)
from fathom.assets.animated.motion import limb_masks, measures
from fathom.indexing.model_names import name_of
from fathom.indexing.proposal import propose_animated
from fathom.indexing.proposing import NOTHING_MOVES
from fathom.records import AssetError, InputError
from fathom.store.files import sha256_file
from tests.animated.moving_gltf import clip, hopping, skinned, sliding
from tests.assets.tiny_gltf import Tiny, wedge

UID = "0123456789abcdef0123456789abcdef"


def entry(**more: Any) -> AnimatedEntry:
    plain: dict[str, Any] = {
        "file": "model.gltf",
        "name": "wedge",
        "noun": "wedge",
        "category": "object",
        "size_m": 2.0,
        "clips": (ClipEntry(name="Hop", verb="jump", end_s=2.0, duration_s=2.0, loops=True),),
        "materials": {"paint": MaterialEntry(word="skin", color="red")},
        "reviewed": True,
    }
    return AnimatedEntry(**(plain | more))


def actor(tiny: Tiny, folder: Path, **more: Any) -> AnimatedAsset:
    tiny.write(folder / "model.gltf")
    e = entry(**more)
    return asset_of(folder, e, AnimatedManifest(name="test", assets=(e,)))


def test_an_actor_stands_centred_on_the_ground_at_its_size(tmp_path: Path) -> None:
    points = actor(hopping(), tmp_path).vertices_at("", 0.0)
    low, high = points.min(axis=0), points.max(axis=0)
    assert (low + high)[:2] == pytest.approx((0, 0), abs=1e-9)
    assert low[2] == pytest.approx(0)
    assert (high - low).max() == pytest.approx(2.0)
    assert actor(hopping(), tmp_path).extents_m == pytest.approx((2.0, 1.0, 0.5))


@pytest.mark.parametrize(("front", "forward"), [("+z", 1), ("-z", -1)])
def test_its_front_looks_along_x(tmp_path: Path, front: str, forward: int) -> None:
    points = actor(hopping(), tmp_path, front=front).vertices_at("", 0.0)
    sharp = points[points[:, 2] < 0.1]
    tall = points[points[:, 2] > 0.4]
    assert forward * sharp[:, 0].max() * 1.0 >= forward * tall[:, 0].max() - 1e-9
    assert np.sign(tall[:, 0].mean()) == -forward


def test_a_jump_leaves_the_ground_because_the_placing_is_that_of_the_stance(tmp_path: Path) -> None:
    a = actor(hopping(), tmp_path, stance="Hop")
    lows = [a.vertices_at("Hop", t)[:, 2].min() for t in (0.0, 1.0, 2.0)]
    assert lows == pytest.approx([0.0, 1.0, 0.0], abs=1e-6)


def test_the_ground_may_be_the_files_own_or_under_all_clips(tmp_path: Path) -> None:
    falling = clip(wedge(), "Sink", (0, "translation", [0, 1], [[0, 4, 0], [0, 1, 0]]))
    clips = (ClipEntry(name="Sink", verb="fall", end_s=1.0, duration_s=1.0),)
    lows = {}
    for ground in ("stance", "file", "clips"):
        a = actor(falling, tmp_path, stance="Sink", ground=ground, clips=clips)
        lows[ground] = tuple(round(float(a.vertices_at("Sink", t)[:, 2].min()), 6) for t in (0.0, 1.0))
    assert lows == {"stance": (0.0, -1.5), "file": (2.0, 0.5), "clips": (1.5, 0.0)}


def test_a_model_has_the_words_of_its_materials_as_the_names_of_its_parts(tmp_path: Path) -> None:
    a = actor(hopping(), tmp_path)
    (part,) = a.model_at("Hop", 1.0).parts
    assert part.name == "skin"
    (unnamed,) = actor(hopping(), tmp_path, materials={}).model_at("Hop", 1.0).parts
    assert unnamed.name == "(paint)"
    assert a.model_at("Hop", 1.0).subtype == "wedge"


def test_vertices_belong_to_limbs_by_the_joints_they_hang_on_most(tmp_path: Path) -> None:
    bend = (ClipEntry(name="Bend", verb="nod", end_s=1.0, duration_s=1.0),)
    limbs = {"head": (r"Head\.[LR]",), "back": ("Back.*",)}
    a = actor(skinned(), tmp_path, limbs=limbs, clips=bend)
    assert [limb.tolist() for limb in a.limb_of_vertex()] == [[1, 1, 1, 1, 0, 0]]
    assert {k: len(v) for k, v in limb_masks(a).items()} == {"head": 2, "back": 4}
    nothing = actor(skinned(), tmp_path, limbs={"wing": ("Wing",)}, clips=bend)
    assert [limb.tolist() for limb in nothing.limb_of_vertex()] == [[-1] * 6]


def test_measures_say_how_high_a_jump_is_and_that_it_comes_back(tmp_path: Path) -> None:
    a = actor(hopping(), tmp_path)
    found = measures(a, a.clips[0])
    assert found.rise == pytest.approx(2.0, abs=0.01)
    assert found.ends_up == pytest.approx(0, abs=1e-6)
    assert found.lift == pytest.approx(2.0, abs=0.01)
    assert found.turned_most_deg == pytest.approx(0, abs=0.01)
    assert np.isnan(found.head_down)


def test_the_reference_changes_with_whatever_changes_the_poses(tmp_path: Path) -> None:
    first = actor(hopping(), tmp_path).ref().sha256
    assert actor(hopping(), tmp_path).ref().sha256 == first
    assert actor(hopping(), tmp_path, size_m=3.0).ref().sha256 != first
    assert actor(hopping(), tmp_path, front="+x").ref().sha256 != first
    assert actor(sliding(), tmp_path, clips=()).ref().sha256 != first


def folder_with(folder: Path, *entries: AnimatedEntry, **more: Any) -> Path:
    hopping().write(folder / "model.gltf")
    write_animated_manifest(folder / FILE_NAME, AnimatedManifest(name="mine", assets=entries, **more))
    return folder


def test_a_folder_is_opened_by_its_manifest(tmp_path: Path) -> None:
    library = open_animated_library(folder_with(tmp_path, entry()))
    assert [a.name for a in library.assets] == ["wedge"]
    a = library.asset("wedge")
    assert (a.plural, a.clips[0].verb, a.parts[0].color) == ("wedges", "jump", "red")
    with pytest.raises(InputError, match="wedge"):
        library.asset("bull")
    with pytest.raises(AssetError, match="Hop"):
        a.clip("Run")


def test_a_manifest_reads_as_it_was_written(tmp_path: Path) -> None:
    manifest = AnimatedManifest(
        name="mine",
        assets=(entry(rig="beast", limbs={"head": ("Head",)}),),
        rigs={"beast": {"tail": ("Tail",)}},
    )
    write_animated_manifest(tmp_path / "m.json", manifest)
    again = read_animated_manifest(tmp_path / "m.json")
    assert again == manifest
    assert list(again.limbs_of(again.assets[0])) == ["tail", "head"]


def test_a_clip_that_is_left_out_says_why_and_is_no_clip_of_the_actor(tmp_path: Path) -> None:
    clips = (*entry().clips, ClipEntry(name="Hum", reason="nobody can see it"))
    library = open_animated_library(folder_with(tmp_path, entry(clips=clips)))
    assert [c.name for c in library.assets[0].clips] == ["Hop"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"noun": "Wedge!"}, "noun"),
        ({"category": "mineral"}, "category"),
        ({"front": "north"}, "front"),
        ({"front": "+y"}, "right angles"),
        ({"size_m": 0.0}, "size_m"),
        ({"ground": "sea"}, "ground"),
        ({"rig": "centaur"}, "rig"),
        ({"stance": "Sit"}, "stance"),
        ({"limbs": {"head": ("(",)}}, "regular expression"),
        ({"clips": (ClipEntry(name="Hop", verb="jump"),)}, "start < end"),
        ({"clips": (ClipEntry(name="Hop"), ClipEntry(name="Hop"))}, "twice"),
        ({"clips": (ClipEntry(name="Hop", cycles=0),)}, "cycles"),
    ],
)
def test_a_manifest_that_cannot_be_is_refused_with_the_reason(
    tmp_path: Path, change: dict[str, Any], words: str
) -> None:
    with pytest.raises(AssetError, match=words):
        open_animated_library(folder_with(tmp_path, entry(**change)))


def test_a_folder_that_cannot_be_opened_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="check the path"):
        open_animated_library(tmp_path / "none")
    with pytest.raises(AssetError, match="index"):
        open_animated_library(tmp_path)
    with pytest.raises(AssetError, match="not reviewed"):
        open_animated_library(folder_with(tmp_path, entry(reviewed=False)))
    with pytest.raises(AssetError, match="is taken"):
        open_animated_library(folder_with(tmp_path, entry(), entry(file="other.gltf")))
    with pytest.raises(AssetError, match="restore it"):
        open_animated_library(folder_with(tmp_path, entry(), files={"model.gltf": "0" * 64}))
    with pytest.raises(AssetError, match="outside"):
        open_animated_library(folder_with(tmp_path, entry(file="../model.gltf")))
    (tmp_path / FILE_NAME).write_text(json.dumps({"name": "x", "actors": [], "extra": 1}))
    with pytest.raises(AssetError, match="extra"):
        open_animated_library(tmp_path)


def test_files_are_checked_against_their_hashes(tmp_path: Path) -> None:
    hopping().write(tmp_path / "model.gltf")
    files = {"model.gltf": sha256_file(tmp_path / "model.gltf")}
    assert open_animated_library(folder_with(tmp_path, entry(), files=files)).assets


def test_folders_by_uid_are_named_by_the_uid() -> None:
    assert name_of(Path(f"{UID}.glb")) == UID
    assert name_of(Path(f"{UID}/scene.gltf")) == UID
    assert name_of(Path("beasts/ox.glb")) == "ox"


def test_a_proposal_measures_what_there_is_and_lists_what_cannot_be_used(tmp_path: Path) -> None:
    hopping("Jump").write(tmp_path / f"{UID}.gltf")
    both = clip(skinned(name="Head_No"), "Stay", (2, "translation", [0, 1], [[0, 0, 0], [0, 0, 0]]))
    both.write(tmp_path / ("f" * 32) / "whatever.gltf")
    wedge().write(tmp_path / "still.gltf")
    (tmp_path / "broken.glb").write_bytes(b"glTF")
    proposal = propose_animated(tmp_path)
    found = {a.name: a for a in proposal.manifest.assets}
    assert set(found) == {UID, "f" * 32}
    (jump,) = found[UID].clips
    assert (jump.verb, jump.loops, jump.cycles) == ("jump", True, 1)
    assert found[UID].materials["paint"].color == "red"
    shake, stay = found["f" * 32].clips
    assert (shake.verb, stay.verb, stay.reason) == ("shake_head", "", NOTHING_MOVES)
    assert set(found["f" * 32].limbs) == {"head"}
    refused = proposal.manifest.refused
    assert "no animation" in refused["still.gltf"]
    assert "cut short" in refused["broken.glb"]
    assert not any(a.reviewed for a in found.values())


def test_two_files_of_one_name_are_told_apart(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        hopping().write(tmp_path / folder / "ox.gltf")
    assert [a.name for a in propose_animated(tmp_path).manifest.assets] == ["ox", "ox (2)"]


def test_the_front_is_read_from_the_names_of_joints(tmp_path: Path) -> None:
    for names, front in ((("Tail", "Head"), "+z"), (("Head", "Tail"), "-z"), (("Arm.L", "Arm.R"), "+x")):
        tiny = skinned()
        tiny.json["nodes"][1]["name"], tiny.json["nodes"][2]["name"] = names
        tiny.write(tmp_path / "model.gltf")
        (guess,) = propose_animated(tmp_path).fronts.values()
        assert guess.front == front
        assert guess.confidence > 0.9


def test_without_names_the_front_is_the_custom_of_the_format(tmp_path: Path) -> None:
    hopping().write(tmp_path / "model.gltf")
    (guess,) = propose_animated(tmp_path).fronts.values()
    assert (guess.front, guess.confidence) == ("+z", 0.5)


def test_an_empty_folder_has_nothing_to_propose(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match=r"no file ends with \.gltf or \.glb"):
        propose_animated(tmp_path)


def test_every_pack_of_the_project_can_be_read() -> None:
    from fathom.assets.animated.lexicon import read_lexicon
    from fathom.assets.animated.manifest import PACKS

    keys = read_lexicon().by_key
    packs = [read_animated_manifest(p) for p in sorted(PACKS.glob("*.json"))]
    assert sum(len(p.assets) for p in packs) == 50
    for pack in packs:
        assert set(pack.files) == {a.file for a in pack.assets}
        for a in pack.assets:
            assert a.reviewed
            assert all(c.verb in keys for c in a.clips if c.verb)
            assert all(bool(c.verb) != bool(c.reason) for c in a.clips)

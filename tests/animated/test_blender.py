"""Blender in a process of its own: other formats, and a second opinion on every posed vertex."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest

from fathom import api
from fathom.assets.blender.runner import VARIABLE, blender_python, converted, posed
from fathom.assets.gltf import read_document, still_parts
from fathom.assets.gltf.moving import Moving, open_moving
from fathom.records import AssetError, MissingExtraError
from tests.animated.moving_gltf import skinned

COMPARED = (
    "Alpaca.glb", "Astronaut_Frog_draco.glb", "Cyberpunk_Character.glb", "Fish_Piranha.glb",
    "Fox_textured.glb", "Frog.glb", "KnightCharacter.glb", "Mech_George.glb", "MorphStressTest.gltf",
    "Platformer_Chest.glb", "Spider.glb", "Tank.glb", "Trex.glb", "WindTurbine.gltf",
)  # fmt: skip
CLOSE = 1e-4
"""How far a vertex may be from Blender's, in sizes of the model."""


@pytest.fixture(scope="module")
def blender() -> None:
    if VARIABLE not in os.environ:
        pytest.skip(f"{VARIABLE} does not name a Python that has Blender's module bpy")


def test_without_blender_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "/no/such/python")
    with pytest.raises(MissingExtraError, match=r"fathom-bench\[blender\]"):
        blender_python()


def test_what_is_no_other_format_is_not_converted(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match=r"\.fbx"):
        converted(tmp_path / "model.glb", tmp_path / "out.glb")
    with pytest.raises(AssetError, match="no such file"):
        converted(tmp_path / "model.fbx", tmp_path / "out.glb")


def test_nothing_of_blender_is_imported() -> None:
    assert "bpy" not in sys.modules
    assert "fathom.assets.blender.script" not in sys.modules


def standing_in(folder: Path, crash: str) -> str:
    """Return a Python whose bpy writes what it is asked for, remarks on it, and then ends as `crash` says."""
    (folder / "bpy.py").write_text(
        "import atexit, os, pathlib, signal, sys\nfrom types import SimpleNamespace as N\n"
        "def export(filepath, **rest):\n    pathlib.Path(filepath).write_bytes(b'glTF')\n"
        "    print('12:00:00 | INFO: Finished glTF 2.0 export', file=sys.stderr)\n"
        "def read(**rest):\n    pass\n"
        "ops = N(wm=N(read_factory_settings=read, obj_import=read), export_scene=N(gltf=export))\n" + crash
    )
    python = folder / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{folder}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return str(python)


def test_a_model_that_was_written_counts_although_blender_crashes_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = standing_in(tmp_path, "atexit.register(os.kill, os.getpid(), signal.SIGSEGV)\n")
    monkeypatch.setenv(VARIABLE, python)
    (tmp_path / "wedge.obj").write_text("v 0 0 0\n")
    assert converted(tmp_path / "wedge.obj", tmp_path / "wedge.glb").read_bytes() == b"glTF"


@pytest.mark.parametrize(
    ("crash", "said"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)\n", "it crashed with signal 11"),
        (
            "def read(**rest):\n"
            "    print('12:00:00 | INFO: import finished', file=sys.stderr)\n"
            "    raise RuntimeError('no mesh in it\\nLocation: /ops.py:109')\n"
            "ops.wm.obj_import = read\n",
            "no mesh in it",
        ),
    ],
)
def test_why_blender_cannot_read_a_model_is_its_reason_and_no_remark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, crash: str, said: str
) -> None:
    monkeypatch.setenv(VARIABLE, standing_in(tmp_path, crash))
    (tmp_path / "wedge.obj").write_text("v 0 0 0\n")
    with pytest.raises(AssetError, match=rf"Blender cannot read it \((RuntimeError: )?{said}\); open"):
        converted(tmp_path / "wedge.obj", tmp_path / "wedge.glb")


def agreement(path: Path, moving: Moving, asked: list[tuple[str, float]]) -> float:
    """Return how far our vertices are from Blender's at most, in sizes of the model.

    Each of our vertices is tied to the nearest of Blender's in the pose of the file, and to that one at all
    other times, so that a vertex that hangs on the wrong joint is found.
    """
    from scipy.spatial import cKDTree

    theirs = posed(path, [("", 0.0), *asked])
    ours = [moving.vertices_at(clip, time_s) for clip, time_s in [("", 0.0), *asked]]
    _, same = cKDTree(theirs[0]).query(ours[0])
    size = float(np.ptp(ours[0], axis=0).max())
    return max(
        float(np.linalg.norm(a - b[same], axis=1).max()) / size for a, b in zip(ours, theirs, strict=True)
    )


def thrice_of_three(moving: Moving) -> list[tuple[str, float]]:
    """Return three times of three clips each: the first, one in the middle and the last; all on keyframes.

    Between keyframes Blender mixes the numbers of quaternions where glTF asks for the even turn.
    """
    chosen = sorted({0, len(moving.clips) // 2, len(moving.clips) - 1})
    asked = []
    for clip in (moving.clips[i] for i in chosen):
        keys = np.unique(np.concatenate([t.times_s for t in (*clip.tracks, *clip.morphs.values())]))
        asked += [(clip.name, float(keys[int(u * (len(keys) - 1))])) for u in (0.1, 0.5, 0.9)]
    return asked


def test_a_made_up_model_is_posed_as_blender_poses_it(tmp_path: Path, blender: None) -> None:
    path = skinned().write(tmp_path / "model.gltf")
    moving = open_moving(path)
    assert agreement(path, moving, [("Bend", 0.0), ("Bend", 1.0)]) < CLOSE


@pytest.mark.slow
@pytest.mark.parametrize("name", COMPARED)
def test_real_models_are_posed_as_blender_poses_them(name: str, assets_folder: Path, blender: None) -> None:
    path = assets_folder / "animated" / name
    if not path.is_file():
        pytest.skip(f"there is no {name} in FATHOM_ASSETS")
    moving = open_moving(path)
    try:
        apart = agreement(path, moving, thrice_of_three(moving))
    except AssetError as e:
        if "libextern_draco" not in str(e):
            raise
        pytest.skip(f"this Blender came without its library for Draco, which {name} needs")
    assert apart < CLOSE


def test_another_format_is_converted_into_what_is_read(tmp_path: Path, blender: None) -> None:
    source = tmp_path / "wedge.obj"
    source.write_text("v 0 0 0\nv 2 0 0\nv 0 1 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    (part,) = still_parts(read_document(converted(source, tmp_path / "out" / "wedge.glb")))
    assert np.ptp(part.vertices, axis=0) == pytest.approx((2, 1, 3), abs=1e-5)


def test_what_blender_cannot_read_is_refused_in_one_sentence(tmp_path: Path, blender: None) -> None:
    source = tmp_path / "broken.fbx"
    source.write_bytes(b"no model at all")
    with pytest.raises(AssetError, match="Blender cannot read it") as caught:
        converted(source, tmp_path / "out.glb")
    assert "\n" not in str(caught.value)


CUBE = "".join(f"v {x} {y} {z}\n" for x in (0, 2) for y in (0, 1) for z in (0, 1)) + (
    "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n"
)


def test_a_folder_of_other_formats_alone_says_what_converts_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "/no/such/python")
    (tmp_path / "crate.obj").write_text(CUBE)
    with pytest.raises(AssetError, match=f"no Blender can convert it.*{VARIABLE}"):
        api.index_assets(tmp_path)


def test_a_folder_of_still_models_of_other_formats_is_converted_and_indexed(
    blender: None, tmp_path: Path
) -> None:
    pytest.importorskip("mitsuba", reason="the package mitsuba is not installed")
    (tmp_path / "crate.obj").write_text(CUBE)
    said = api.index_assets(tmp_path)
    assert (tmp_path / "crate.glb").is_file()
    assert "1 models can be used, 0 cannot" in said

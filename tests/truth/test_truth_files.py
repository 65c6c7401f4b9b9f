"""A truth file: the same truth again, the same bytes, and no damage goes unnoticed."""

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.ground_truth.trace import Truth, read_truth, trace, write_truth
from fathom.records import DataError
from tests.truth.street import at, camera, lorry, street, world


def same(a: Truth, b: Truth) -> bool:
    arrays = ("ids", "depth_m", "over_px", "seen_px")
    objects = ("depth_m", "part", "pixels", "points_m")
    return (
        a.camera == b.camera
        and all(np.array_equal(getattr(a, n), getattr(b, n)) for n in arrays)
        and (a.ways_m is None) == (b.ways_m is None)
        and (a.ways_m is None or b.ways_m is None or np.array_equal(a.ways_m, b.ways_m))
        and len(a.objects) == len(b.objects)
        and all(
            (s.object_id, s.window, s.parts, s.full_px) == (t.object_id, t.window, t.parts, t.full_px)
            and all(np.array_equal(getattr(s, n), getattr(t, n)) for n in objects)
            for s, t in zip(a.objects, b.objects, strict=True)
        )
    )


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 6))
def test_what_was_written_is_read(tmp_path_factory: pytest.TempPathFactory, seed: int, count: int) -> None:
    path = tmp_path_factory.mktemp("truth") / "a.truth"
    truth = trace(*street(seed, count))
    write_truth(path, truth)
    assert same(read_truth(path), truth)


def test_a_object_out_of_sight_is_written_and_read(tmp_path: Path) -> None:
    truth = trace(*world({"away": (lorry(), at(60, -60)), "here": (lorry(), at(0, 0))}))
    write_truth(tmp_path / "a.truth", truth)
    assert same(read_truth(tmp_path / "a.truth"), truth)


def test_the_same_truth_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_truth(tmp_path / name, trace(*street(2)))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_scene_of_ten_takes_little_room(tmp_path: Path) -> None:
    write_truth(tmp_path / "a", trace(*street(7, 10, camera(640, 480))))
    assert (tmp_path / "a").stat().st_size < 150_000


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is none"):
        read_truth(tmp_path / "nowhere.truth")


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    path = tmp_path / "whole.truth"
    write_truth(path, trace(*street(2)))
    return path


@pytest.mark.parametrize("keep", [0, 1, 100, 0.5, 0.99])
def test_a_file_cut_short_is_refused(whole: Path, keep: float) -> None:
    data = whole.read_bytes()
    whole.write_bytes(data[: int(keep * len(data)) if keep < 1 else int(keep)])
    with pytest.raises(DataError, match="not a valid truth file"):
        read_truth(whole)


def test_a_flipped_bit_is_noticed(whole: Path) -> None:
    data = bytearray(whole.read_bytes())
    with zipfile.ZipFile(whole) as z:
        entry = z.getinfo("depth.npy")
    data[entry.header_offset + 200] ^= 0x10
    whole.write_bytes(bytes(data))
    with pytest.raises(DataError, match="not a valid truth file"):
        read_truth(whole)


def edited(path: Path, name: str, data: bytes | None) -> None:
    with zipfile.ZipFile(path) as z:
        held = {n: z.read(n) for n in z.namelist()}
    with zipfile.ZipFile(path, "w") as z:
        for n, kept in held.items():
            if n != name or data is not None:
                z.writestr(n, data if n == name and data is not None else kept)


def npy(array: np.ndarray, pickled: bool = False) -> bytes:
    out = io.BytesIO()
    np.save(out, array, allow_pickle=pickled)
    return out.getvalue()


@pytest.mark.parametrize(
    "name", ["head.json", "mask.npy", "depth.npy", "part.npy", "pixels.npy", "points.npy", "ways.npy"]
)
def test_a_file_without_one_of_its_pieces_is_refused(whole: Path, name: str) -> None:
    edited(whole, name, None)
    with pytest.raises(DataError, match="not a valid truth file"):
        read_truth(whole)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("head.json", b"{}"),
        ("head.json", b"\xff\xfe"),
        ("depth.npy", npy(np.zeros((8, 3), np.uint8))),
        ("depth.npy", npy(np.zeros(5))),
        ("part.npy", npy(np.array([{"a": 1}], dtype=object), pickled=True)),
        ("mask.npy", npy(np.zeros(4, np.uint8))),
        ("points.npy", b"not an array"),
        ("ways.npy", npy(np.zeros((2, 3, 3), np.float32))),
        ("ways.npy", npy(np.full((2, 6, 6), np.nan, np.float32))),
        ("ways.npy", npy(np.zeros((2, 6, 6)))),
    ],
)
def test_a_file_edited_by_hand_is_refused(whole: Path, name: str, data: bytes) -> None:
    edited(whole, name, data)
    with pytest.raises(DataError, match="not a valid truth file"):
        read_truth(whole)


def test_a_file_of_the_format_before_has_no_ways_and_is_read(whole: Path) -> None:
    truth = read_truth(whole)
    assert truth.ways_m is not None and truth.ways_m.shape == (2, 6, 6)
    with zipfile.ZipFile(whole) as z:
        head = z.read("head.json")
    edited(whole, "ways.npy", None)
    edited(whole, "head.json", head.replace(b'"format":2', b'"format":1').replace(b',"ways":true', b""))
    assert same(read_truth(whole), replace(truth, ways_m=None))
    edited(whole, "head.json", head.replace(b'"format":2', b'"format":3'))
    with pytest.raises(DataError, match="its format is 3, this version reads 1 to 2"):
        read_truth(whole)


def test_windows_outside_the_picture_are_refused(whole: Path) -> None:
    with zipfile.ZipFile(whole) as z:
        head = z.read("head.json")
    edited(whole, "head.json", head.replace(b'"width":160', b'"width":16'))
    with pytest.raises(DataError, match="not a valid truth file"):
        read_truth(whole)

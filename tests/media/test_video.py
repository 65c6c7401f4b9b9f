"""Frames of videos: exactly those asked for, in their right colours, without reading through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("av", reason="the package av is not installed")

import av

from fathom.media import video
from fathom.media.video import probe, read_frames
from fathom.records import InputError
from tests.media.films import CODINGS, coded, frame, write_film


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("films")


def read_through(path: Path) -> list[video.Picture]:
    """Decode everything, in order."""
    with av.open(str(path)) as container:
        return [video._rgb(decoded) for decoded in container.decode(video=0)]


@pytest.mark.parametrize("coding", CODINGS)
def test_every_frame_is_the_one_that_reading_through_gives(coding: str, films: Path) -> None:
    path = coded(films, coding)
    expected = read_through(path)
    assert probe(path).frames == len(expected) == 60
    for number in range(0, 60, 7):
        assert np.array_equal(read_frames(path, [number])[0], expected[number]), f"frame {number}"
    together = read_frames(path, range(60))
    assert all(np.array_equal(a, b) for a, b in zip(together, expected, strict=True))


@pytest.mark.parametrize("coding", ["h264", "vp9", "mpeg4"])
def test_a_frame_shows_what_was_put_into_it(coding: str, films: Path) -> None:
    path = coded(films, coding)
    for number, picture in zip((3, 31, 59), read_frames(path, [3, 31, 59]), strict=True):
        assert np.abs(picture[48:, :8].astype(int) - frame(number)[48:, :8].astype(int)).max() <= 8


@given(st.lists(st.integers(0, 59), min_size=1, max_size=12))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_frames_come_in_the_order_asked_for_as_often_as_asked_for(films: Path, numbers: list[int]) -> None:
    path = coded(films, "h264")
    alone = {number: read_frames(path, [number])[0] for number in set(numbers)}
    together = read_frames(path, numbers)
    assert [p.tobytes() for p in together] == [alone[number].tobytes() for number in numbers]


def test_no_more_than_a_group_is_decoded_for_a_frame(films: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = coded(films, "h264")
    video._index(path)
    packets = 0
    decode = video._decode

    def counted(context: object, packet: object) -> list[object]:
        nonlocal packets
        packets += packet is not None
        return decode(context, packet)  # type: ignore[arg-type,return-value]

    monkeypatch.setattr(video, "_decode", counted)
    read_frames(path, [57])
    assert packets <= 12, "from the keyframe at 50"


COLORS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (0, 0, 0), (128, 128, 128), (200, 100, 50))


@pytest.mark.parametrize(
    ("matrix", "range_", "pixels"),
    [
        pytest.param(0, 0, "yuv420p", id="unmarked: BT.601, limited"),
        pytest.param(5, 1, "yuv420p", id="BT.601 limited"),
        pytest.param(6, 1, "yuv420p", id="SMPTE 170M limited"),
        pytest.param(5, 2, "yuv420p", id="BT.601 full"),
        pytest.param(1, 1, "yuv420p", id="BT.709 limited"),
        pytest.param(1, 2, "yuv420p", id="BT.709 full"),
        pytest.param(9, 1, "yuv420p", id="BT.2020 limited"),
        pytest.param(0, 2, "yuvj420p", id="full by its pixel format"),
        pytest.param(1, 1, "yuv444p", id="BT.709 without subsampling"),
        pytest.param(1, 1, "yuv420p10le", id="BT.709 in 10 bits"),
    ],
)
def test_colours_come_out_as_they_went_in(matrix: int, range_: int, pixels: str, tmp_path: Path) -> None:
    plain = [np.zeros((48, 64, 3), np.uint8) + np.array(c, np.uint8) for c in COLORS]
    path = write_film(
        tmp_path / "c.mp4", "libx264", {"qp": "0"}, frames=plain, matrix=matrix, range_=range_, pixels=pixels
    )
    for color, picture in zip(COLORS, read_frames(path, range(len(COLORS))), strict=True):
        assert np.abs(picture.astype(int) - color).max() <= 4, color


@pytest.mark.parametrize(("turned", "corner"), [(90, (1, 0)), (180, (1, 1)), (-90, (0, 1)), (0, (0, 0))])
def test_a_video_stands_upright(turned: int, corner: tuple[int, int], tmp_path: Path) -> None:
    """`turned` is counter-clockwise: what was filmed in the upper left corner ends up in `corner`."""
    picture = np.zeros((48, 64, 3), np.uint8)
    picture[:16, :16] = 255
    path = write_film(tmp_path / "t.mp4", "libx264", frames=[picture] * 3, turned=turned)
    (shown,) = read_frames(path, [1])
    height, width = shown.shape[:2]
    assert (width, height) == ((48, 64) if turned in (90, -90) else (64, 48))
    assert (probe(path).width, probe(path).height) == (width, height)
    bright = shown[8 if corner[0] == 0 else height - 8, 8 if corner[1] == 0 else width - 8]
    assert bright.min() > 200


def test_a_steady_video_is_told_from_one_that_is_not(tmp_path: Path) -> None:
    even = probe(write_film(tmp_path / "e.mp4", "libx264", frames=20))
    assert (even.fps, even.steady, even.frames) == (30.0, True, 20)
    times = [k * k for k in range(20)]
    uneven = probe(write_film(tmp_path / "u.mp4", "libx264", frames=20, times=times))
    assert not uneven.steady
    assert uneven.frames == 20
    assert 20 / (19 * 19 / 30) < uneven.fps < 2.1, "how long the last frame is shown is not known"


def test_frames_of_an_uneven_video_are_counted_not_timed(tmp_path: Path) -> None:
    path = write_film(tmp_path / "u.mp4", "libx264", frames=20, times=[k * k for k in range(20)])
    expected = read_through(path)
    for number in (0, 7, 19):
        assert np.array_equal(read_frames(path, [number])[0], expected[number])


def test_a_frame_that_is_missing_at_the_end_is_said(films: Path) -> None:
    path = coded(films, "h264")
    said: list[str] = []
    late, last = read_frames(path, [61, 59], said.append)
    assert np.array_equal(late, last)
    assert said == [f"{path}: frame 61 is not there, and frame 59 was taken in its place"]


@pytest.mark.parametrize("number", [-1, 63, 10_000])
def test_a_frame_out_of_range_is_refused(number: int, films: Path) -> None:
    with pytest.raises(InputError, match=rf"expected a frame from 0 to 59, found {number}"):
        read_frames(coded(films, "h264"), [0, number])


def spoil_middle(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes(b ^ 0x5A for b in data[middle : middle + 400]) + data[middle + 400 :]


def test_a_frame_that_is_damaged_is_refused_and_those_before_it_are_read(films: Path, tmp_path: Path) -> None:
    whole = coded(films, "h264 with open groups")
    path = tmp_path / "spoiled.mkv"
    path.write_bytes(spoil_middle(whole.read_bytes()))
    count = probe(path).frames
    expected = read_through(whole)
    assert np.array_equal(read_frames(path, [2])[0], expected[2])
    good = 0
    for number in range(count):
        try:
            read_frames(path, [number])
            good += 1
        except InputError as e:
            assert "cannot be decoded" in str(e)
    assert good > 10


Spoil = Callable[[bytes], bytes]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(lambda data: b"", id="nothing"),
        pytest.param(lambda data: b"hello " * 50, id="text"),
        pytest.param(lambda data: data[: len(data) // 2], id="half a file"),
        pytest.param(lambda data: data[:40], id="a head"),
        pytest.param(lambda data: data[:8] + b"\xff" * 600 + data[608:], id="a broken head"),
    ],
)
def test_what_is_no_video_is_refused_with_its_path(content: Spoil, films: Path, tmp_path: Path) -> None:
    path = tmp_path / "x.mp4"
    path.write_bytes(content(coded(films, "h264").read_bytes()))
    with pytest.raises(InputError, match=r"x\.mp4"):
        probe(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        probe(tmp_path / "none.mp4")


def playlist(film: Path) -> bytes:
    return f"#EXTM3U\n#EXTINF:1,\n{film}\n#EXT-X-ENDLIST\n".encode()


def concatenation(film: Path) -> bytes:
    return f"ffconcat version 1.0\nfile {film}\n".encode()


@pytest.mark.parametrize(
    ("name", "content"), [("x.m3u8", playlist), ("x.mp4", playlist), ("x.mp4", concatenation)]
)
def test_a_playlist_does_not_open_another_file(
    name: str, content: Callable[[Path], bytes], films: Path, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(content(coded(films, "h264 in a transport stream")))
    with pytest.raises(InputError, match="expected a video"):
        probe(path)


def test_a_path_that_looks_like_an_address_is_a_path(
    films: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = coded(films, "h264").read_bytes()
    monkeypatch.chdir(tmp_path)
    for name in ("concat:a|b.mp4", "http:x.mp4", "a%03d.mp4"):
        Path(name).write_bytes(data)
        assert probe(Path(name)).frames == 60


def test_a_video_that_was_replaced_is_read_anew(films: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.mp4"
    path.write_bytes(coded(films, "h264").read_bytes())
    assert probe(path).frames == 60
    write_film(path, "libx264", frames=20)
    assert probe(path).frames == 20


@pytest.mark.parametrize("numbers", [(0,), (59, 0), (24, 25, 26)])
def test_frames_read_in_many_threads_are_the_same(numbers: Sequence[int], films: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    path = coded(films, "h264")
    alone = read_frames(path, numbers)
    with ThreadPoolExecutor(4) as threads:
        for found in threads.map(lambda _: read_frames(path, numbers), range(8)):
            assert all(np.array_equal(a, b) for a, b in zip(found, alone, strict=True))

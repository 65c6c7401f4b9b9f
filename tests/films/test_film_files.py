"""Films as files: every frame as it was given, in a form that browsers play, whole or not there."""

from __future__ import annotations

import base64
import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("av", reason="the package av is not installed")

import av

from fathom.media.film import FilmWriter
from fathom.media.video import probe, read_frames
from fathom.records import InputError
from tests.reporting.conftest import NAMES

COLORS = ((255, 255, 255), (200, 30, 30), (30, 160, 40), (30, 40, 200), (240, 200, 20), (0, 0, 0))


def picture(number: int, width: int = 96, height: int = 64) -> NDArray[np.uint8]:
    """Wide stripes of nameable colours that move two pixels a frame."""
    stripes = np.repeat(np.array(COLORS, np.uint8), width // len(COLORS), axis=0)
    return np.broadcast_to(np.roll(stripes, 2 * number, axis=0), (height, width, 3)).copy()


def film(path: Path, frames: int = 25, fps: float = 12.0) -> Path:
    with FilmWriter(path, fps, (96, 64)) as made:
        for k in range(frames):
            made.add(picture(k))
    return path


@pytest.mark.parametrize(("frames", "fps"), [(1, 12.0), (25, 12.0), (48, 29.97)])
def test_a_film_has_as_many_frames_a_second_as_it_was_given(tmp_path: Path, frames: int, fps: float) -> None:
    info = probe(film(tmp_path / "a.mp4", frames, fps))
    assert (info.frames, info.width, info.height, info.steady) == (frames, 96, 64, True)
    assert info.fps == pytest.approx(fps, abs=0.01)


def test_frames_come_back_in_the_colours_in_which_they_were_given(tmp_path: Path) -> None:
    numbers = [0, 7, 24]
    for k, found in zip(numbers, read_frames(film(tmp_path / "a.mp4"), numbers), strict=True):
        apart = np.abs(found.astype(int) - picture(k))
        middle = np.abs(np.roll(apart, -2 * k, axis=1)[:, 8::16])
        assert middle.max() <= 6
        assert (np.roll(found, -2 * k, axis=1)[:, 4:12] == 255).mean() > 0.9


def test_a_film_can_be_streamed_and_says_how_its_colours_are_meant(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4")
    data = path.read_bytes()
    assert 0 < data.find(b"moov") < data.find(b"mdat")
    with av.open(str(path)) as container:
        context = container.streams.video[0].codec_context
        assert (context.name, context.pix_fmt) == ("h264", "yuv420p")
        assert (context.colorspace, context.color_primaries, context.color_trc, context.color_range) == (
            1, 1, 1, 1,
        )  # fmt: skip


def test_the_same_frames_give_the_same_bytes(tmp_path: Path) -> None:
    assert film(tmp_path / "a.mp4").read_bytes() == film(tmp_path / "b.mp4").read_bytes()


def test_a_browser_plays_it_to_the_end(tmp_path: Path) -> None:
    sync_api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    binary = next((path for name in NAMES if (path := shutil.which(name))), None)
    if binary is None:
        pytest.skip(f"no browser to test with: none of {', '.join(NAMES)} is installed")
    data = base64.b64encode(film(tmp_path / "a.mp4", 12).read_bytes()).decode()
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=binary, headless=True, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page()
        page.set_content(f'<video muted src="data:video/mp4;base64,{data}"></video>')
        if not page.evaluate("document.createElement('video').canPlayType('video/mp4; codecs=avc1.64001f')"):
            browser.close()
            pytest.skip("the browser was built without H.264")
        found = page.evaluate(
            """async () => {
                const v = document.querySelector('video');
                await new Promise((done, fail) => {
                    v.onended = done; v.onerror = () => fail(v.error.message); v.play().catch(fail);
                });
                return [v.videoWidth, v.videoHeight, v.duration, v.currentTime];
            }"""
        )
        browser.close()
    assert found[:2] == [96, 64]
    assert found[2:] == pytest.approx([1.0, 1.0], abs=0.05)


def test_an_error_half_way_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(KeyError), FilmWriter(tmp_path / "a.mp4", 12, (96, 64)) as made:
        made.add(picture(0))
        raise KeyError("stopped")
    assert list(tmp_path.iterdir()) == []


def test_a_film_that_was_there_stays_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mp4", 3)
    before = path.read_bytes()
    with FilmWriter(path, 12, (96, 64)) as made:
        made.add(picture(0))
        assert path.read_bytes() == before
    assert probe(path).frames == 1


@pytest.mark.parametrize(("fps", "size"), [(0.0, (96, 64)), (12.0, (95, 64)), (12.0, (0, 0))])
def test_what_cannot_be_a_film_is_refused(tmp_path: Path, fps: float, size: tuple[int, int]) -> None:
    with pytest.raises(InputError, match="even sides and a positive rate"):
        FilmWriter(tmp_path / "a.mp4", fps, size)


def test_a_frame_of_another_size_and_no_frames_at_all_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="frame 0 has shape"), FilmWriter(
        tmp_path / "a.mp4", 12, (96, 64)
    ) as made:  # fmt: skip
        made.add(picture(0, 48))
    with pytest.raises(InputError, match="at least one frame"), FilmWriter(tmp_path / "a.mp4", 12, (96, 64)):
        pass
    assert list(tmp_path.iterdir()) == []

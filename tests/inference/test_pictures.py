"""The pictures of a prompt: bytes as they lie on disk, frames as new pictures."""

from __future__ import annotations

import hashlib
import io
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import numpy as np
import pytest

pytest.importorskip("av", reason="the package av is not installed")

from PIL import Image

from fathom.inference import pictures
from fathom.inference.pictures import PromptImages, decode_picture, encode_picture
from fathom.media import video
from fathom.media.video import read_frames
from fathom.records import ClipPart, DataError, InputError, Media, MediaPart, Prompt, pictures_of
from fathom.store.datasets import MEDIA, Dataset, hash_of_stills, open_dataset
from fathom.store.files import write_jsonl
from tests.inference.folders import make_dataset
from tests.media.films import write_film


def part(media: str, number: int = -1) -> MediaPart:
    return MediaPart(media=media, frame=number)


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    """A dataset of one picture, s0, and one video, v0, of 30 frames."""
    made = make_dataset(tmp_path / "d", questions=4)
    path = write_film(made.path / "media" / "v0.mp4", "libx264", {"g": "10"}, frames=30)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    film = Media(
        id="v0", path="media/v0.mp4", kind="video", size=(96, 64), sha256=digest, frames=30, fps=30.0
    )
    write_jsonl(made.path / MEDIA, [made.media("s0"), film])
    return open_dataset(made.path)


def test_a_picture_goes_out_as_it_lies_on_disk(dataset: Dataset) -> None:
    assert PromptImages(dataset)([part("s0")]) == [(dataset.path / "media" / "s0.png").read_bytes()]


def test_a_frame_becomes_a_picture_that_looks_like_it(dataset: Dataset) -> None:
    (held,) = read_frames(dataset.path / "media" / "v0.mp4", [12])
    jpeg, png = (PromptImages(dataset, quality)([part("v0", 12)])[0] for quality in (95, 0))
    assert (Image.open(io.BytesIO(jpeg)).format, Image.open(io.BytesIO(png)).format) == ("JPEG", "PNG")
    assert np.array_equal(decode_picture(png, "png"), held)
    assert np.abs(decode_picture(jpeg, "jpeg").astype(int) - held).mean() < 4


def test_pictures_and_frames_come_in_the_order_asked_for(dataset: Dataset) -> None:
    asked = [part("v0", 20), part("s0"), part("v0", 3), part("v0", 20)]
    ours = PromptImages(dataset)
    found = ours(asked)
    assert found == [ours([one])[0] for one in asked]
    assert found[0] == found[3] != found[2]


def test_a_video_is_opened_once_a_request_and_not_again_for_what_was_shown_before(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[list[int]] = []

    def counted(path: Path, numbers: list[int]) -> object:
        calls.append(sorted(numbers))
        return video.iter_frames(path, numbers)

    monkeypatch.setattr(pictures, "iter_frames", counted)
    ours = PromptImages(dataset)
    ours([part("v0", k) for k in (9, 3, 6)])
    ours([part("v0", k) for k in (3, 6, 12)])
    assert calls == [[3, 6, 9], [12]]


def test_what_is_kept_stays_below_its_limit(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "KEPT_BYTES", 5_000)
    ours = PromptImages(dataset)
    sizes = [len(data) for k in range(30) for data in ours([part("v0", k)])]
    assert sum(sizes) > 10_000
    assert ours._kept_bytes == sum(len(data) for data in ours._kept.values()) <= 5_000


def test_many_threads_get_what_one_gets(dataset: Dataset) -> None:
    asked = [[part("v0", k), part("v0", (k * 7) % 30), part("s0")] for k in range(24)]
    alone = [PromptImages(dataset)(parts) for parts in asked]
    ours = PromptImages(dataset)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(ours, asked)) == alone


def test_a_video_that_was_changed_or_is_gone_is_refused(dataset: Dataset) -> None:
    path = dataset.path / "media" / "v0.mp4"
    write_film(path, "libx264", frames=29)
    with pytest.raises(DataError, match="is not the video that"):
        PromptImages(dataset)([part("v0", 0)])
    path.unlink()
    with pytest.raises(DataError, match="the video is missing"):
        PromptImages(dataset)([part("v0", 0)])


@pytest.fixture
def rendered(dataset: Dataset) -> Dataset:
    """The same, and v1, a video of which frames 0, 8 and 16 lie beside it as pictures, and no film does.

    Of v0 frame 12 is a still too: a picture that the film does not hold.
    """
    film = dataset.media("v0")
    stills = {}
    for name, frames in (("v0", (12,)), ("v1", (0, 8, 16))):
        for k in frames:
            data = encode_picture(np.full((64, 96, 3), 10 * k + 5, np.uint8), 0)
            path = dataset.path / "media" / name / f"frame_{k:04d}.png"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
            stills[name, k] = hashlib.sha256(data).hexdigest()
    both = msgspec.structs.replace(film, stills={12: stills["v0", 12]})
    only = {k: stills["v1", k] for k in (0, 8, 16)}
    alone = msgspec.structs.replace(
        film, id="v1", path="media/v1.mp4", stills=only, sha256=hash_of_stills(only), view=3
    )
    write_jsonl(dataset.path / MEDIA, [dataset.media("s0"), both, alone])
    return open_dataset(dataset.path)


def test_a_still_goes_out_as_it_lies_on_disk(rendered: Dataset) -> None:
    path = rendered.path / "media" / "v1" / "frame_0008.png"
    assert PromptImages(rendered)([part("v1", 8)]) == [path.read_bytes()]
    (pixels,) = PromptImages(rendered).pixels([part("v1", 8)])
    assert (pixels == 85).all()


def test_a_still_comes_before_the_film_and_other_frames_from_it(rendered: Dataset) -> None:
    still, frame = PromptImages(rendered).pixels([part("v0", 12), part("v0", 13)])
    assert (still == 125).all()
    assert np.array_equal(frame, read_frames(rendered.path / "media" / "v0.mp4", [13])[0])


def test_clips_are_shown_from_stills(rendered: Dataset) -> None:
    clip = ClipPart(frames=tuple(part("v1", k) for k in (0, 8, 16)), fps=1.5)
    shown = pictures_of(Prompt(parts=(clip,)))
    assert [int(p[0, 0, 0]) for p in PromptImages(rendered).pixels(shown)] == [5, 85, 165]


def test_a_frame_that_was_not_rendered_is_refused_with_those_that_were(rendered: Dataset) -> None:
    wanted = "frame 7 of view 3 was not rendered; build with --films, or sample among 0, 8, 16$"
    for asked in (PromptImages(rendered), PromptImages(rendered).pixels):
        with pytest.raises(DataError, match=wanted):
            asked([part("v1", 8), part("v1", 7)])
    with pytest.raises(DataError, match="frames 3, 7 of view 3 were not rendered"):
        PromptImages(rendered)([part("v1", 7), part("v1", 3)])


def test_a_still_that_was_changed_or_is_gone_is_refused(rendered: Dataset) -> None:
    path = rendered.path / "media" / "v1" / "frame_0008.png"
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(DataError, match="is not the frame that"):
        PromptImages(rendered)([part("v1", 8)])
    path.unlink()
    with pytest.raises(DataError, match="cannot be read"):
        PromptImages(rendered)([part("v1", 8)])


def test_a_film_that_is_gone_is_missed_though_there_are_stills(rendered: Dataset) -> None:
    (rendered.path / "media" / "v0.mp4").unlink()
    with pytest.raises(DataError, match="the video is missing"):
        PromptImages(rendered)([part("v0", 13)])


def test_a_quality_that_does_not_exist_is_refused(dataset: Dataset) -> None:
    with pytest.raises(InputError, match=r"expected 0 \(PNG\) to 100, found 101"):
        PromptImages(dataset, 101)


def test_a_picture_is_turned_the_way_its_camera_says() -> None:
    picture = Image.fromarray(np.zeros((4, 6, 3), np.uint8))
    exif = Image.Exif()
    exif[0x0112] = 6
    out = io.BytesIO()
    picture.save(out, "JPEG", exif=exif)
    assert decode_picture(out.getvalue(), "turned").shape == (6, 4, 3)


CUT_OFF = encode_picture(np.arange(60 * 60 * 3, dtype=np.uint8).reshape(60, 60, 3), 0)[:90]


@pytest.mark.parametrize("data", [b"", b"text", CUT_OFF], ids=["nothing", "text", "cut off"])
def test_what_is_no_picture_is_refused_with_its_name(data: bytes) -> None:
    with pytest.raises(InputError, match="m7: "):
        decode_picture(data, "m7")

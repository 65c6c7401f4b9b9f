"""Videos on their way to an endpoint: frames as pictures, decoded aside and once, or the file as it lies."""

from __future__ import annotations

import base64
import hashlib
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from fathom.inference import start
from fathom.inference.models import openai_media
from fathom.inference.pictures import PromptImages
from fathom.inference.plans import RunPlan
from fathom.inference.start import run_plan
from fathom.records import (
    ClipPart,
    InputError,
    Media,
    MediaOf,
    MediaPart,
    Prompt,
    TextPart,
    UnansweredQuestion,
    Variant,
)
from fathom.store.datasets import MEDIA, QUESTIONS, Dataset, open_dataset
from fathom.store.files import read_jsonl, write_jsonl
from tests.inference.endpoints import Server, serving
from tests.inference.folders import make_dataset, plan, question

FRAMES = (0, 10, 29)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A video of 30 frames."""
    from tests.media.films import write_film

    return write_film(tmp_path_factory.mktemp("film") / "a.mp4", "libx264", frames=30)


@pytest.fixture
def dataset(film: Path, tmp_path: Path) -> Dataset:
    """Eight questions about one video."""
    made = make_dataset(tmp_path / "d", questions=8, per_scene=8)
    data = film.read_bytes()
    (made.path / "media" / "a.mp4").write_bytes(data)
    old = list(read_jsonl(made.path / MEDIA, Media))
    sha = hashlib.sha256(data).hexdigest()
    video = Media(id="film", path="media/a.mp4", kind="video", size=(96, 64), sha256=sha, frames=30, fps=30.0)
    write_jsonl(made.path / MEDIA, [*old, video])
    write_jsonl(made.path / QUESTIONS, [question(k, 8) for k in range(8)])
    return open_dataset(made.path)


def shown(dataset: Dataset, url: str, out: Path, whole: bool = True, options: str = "") -> RunPlan:
    """Return a plan that shows three frames of the video as a clip."""

    def prompt(asked: UnansweredQuestion, variant: Variant, media_of: MediaOf) -> Prompt:
        frames = tuple(MediaPart(media="film", frame=f) for f in FRAMES)
        clip = ClipPart(frames=frames, fps=1.0, whole="film" if whole else "")
        return Prompt(parts=(clip, TextPart(text=asked.text)))

    made = plan(dataset, f"openai:m@{url}{options}", out)
    return replace(made, protocol=replace(made.protocol, prompt=prompt))


def urls(server: Server) -> list[tuple[str, str]]:
    """Return the type and the data URL of everything that was shown."""
    contents = [body["messages"][0]["content"] for body in server.bodies]  # type: ignore[index]
    parts = [part for content in contents for part in content if part["type"] != "text"]
    return [(part["type"], part[part["type"]]["url"]) for part in parts]


def test_frames_go_out_as_pictures_in_their_order(dataset: Dataset, tmp_path: Path) -> None:
    with serving() as server:
        assert run_plan(shown(dataset, server.url, tmp_path / "r")).complete
    sent = urls(server)
    assert len(sent) == 8 * len(FRAMES)
    expected = PromptImages(dataset)([MediaPart(media="film", frame=f) for f in FRAMES])
    for place, (kind, url) in enumerate(sent):
        assert kind == "image_url"
        assert url.startswith("data:image/jpeg;base64,")
        assert base64.b64decode(url.partition(",")[2]) == expected[place % len(FRAMES)]


def test_a_video_goes_out_as_it_lies_where_the_server_takes_videos(
    dataset: Dataset, film: Path, tmp_path: Path
) -> None:
    with serving() as server:
        assert run_plan(shown(dataset, server.url, tmp_path / "r", options=",video=url")).complete
    sent = urls(server)
    assert [kind for kind, _ in sent] == ["video_url"] * 8
    assert {url for _, url in sent} == {
        "data:video/mp4;base64," + base64.b64encode(film.read_bytes()).decode()
    }


def test_a_piece_of_a_video_goes_out_as_pictures_all_the_same(dataset: Dataset, tmp_path: Path) -> None:
    with serving() as server:
        run_plan(shown(dataset, server.url, tmp_path / "r", whole=False, options=",video=url"))
    assert {kind for kind, _ in urls(server)} == {"image_url"}


def test_both_ways_have_keys_of_their_own(dataset: Dataset, tmp_path: Path) -> None:
    url = "http://localhost:1/v1"
    plans = [shown(dataset, url, tmp_path / "r", options=o) for o in ("", ",video=url")]
    pictures, whole = ({r.key for r in p.requests(p.open())} for p in plans)
    assert not pictures & whole


def test_frames_that_many_questions_wait_for_are_decoded_once_and_aside(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: Counter[MediaPart] = Counter()
    threads: set[str] = set()

    class Slow(PromptImages):
        def __call__(self, parts: Sequence[MediaPart]) -> list[bytes]:
            asked.update(parts)
            threads.add(threading.current_thread().name)
            time.sleep(0.1)
            return super().__call__(parts)

    monkeypatch.setattr(start, "PromptImages", Slow)
    with serving() as server:
        assert run_plan(shown(dataset, server.url, tmp_path / "r")).complete
    assert asked == Counter({MediaPart(media="film", frame=f): 1 for f in FRAMES})
    assert threading.main_thread().name not in threads


def test_frames_are_got_ready_while_others_are_in_flight(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One request in flight for 0.1 s, and 0.1 s to decode for each: both at once take half as long."""

    class Slow(PromptImages):
        def __call__(self, parts: Sequence[MediaPart]) -> list[bytes]:
            time.sleep(0.1)
            return super().__call__(parts)

    monkeypatch.setattr(start, "PromptImages", Slow)
    monkeypatch.setattr(openai_media, "KEPT_BYTES", 0)
    with serving(delay_s=0.1) as server:
        whole = shown(dataset, server.url, tmp_path / "r")
        summary = run_plan(replace(whole, config=replace(whole.config, concurrency=1)))
        assert server.most_in_flight == 1
    assert summary.complete
    assert summary.seconds < 1.5  # one after the other it would be 1.6 and more


def test_a_video_that_cannot_be_decoded_ends_the_run_with_its_name(dataset: Dataset, tmp_path: Path) -> None:
    film = dataset.path / "media" / "a.mp4"
    data = b"no video at all" * 100
    film.write_bytes(data)
    rows = [m for m in read_jsonl(dataset.path / MEDIA, Media) if m.id != "film"]
    sha = hashlib.sha256(data).hexdigest()
    video = Media(id="film", path="media/a.mp4", kind="video", size=(96, 64), sha256=sha, frames=30, fps=30.0)
    write_jsonl(dataset.path / MEDIA, [*rows, video])
    broken = open_dataset(dataset.path)
    with serving() as server:
        with pytest.raises(InputError, match=r"a\.mp4: expected a video"):
            run_plan(shown(broken, server.url, tmp_path / "r"))
        with pytest.raises(InputError, match="film: expected an MP4, WebM, Matroska or AVI video"):
            run_plan(shown(broken, server.url, tmp_path / "s", options=",video=url"))
    assert server.bodies == []

"""Pictures and videos to show to tiny models, and requests that show them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from fathom.inference.backend import Context
from fathom.inference.models.hf import HFBackend, open_hf
from fathom.inference.pictures import PromptImages, encode_picture
from fathom.records import (
    ClipPart,
    Manifest,
    Media,
    MediaPart,
    Part,
    Prompt,
    Question,
    Request,
    Response,
    TextPart,
    UnansweredQuestion,
)
from fathom.store.datasets import MANIFEST, MEDIA, QUESTIONS, SCHEMA_VERSION, Dataset, open_dataset
from fathom.store.files import write_bytes, write_json, write_jsonl
from fathom.store.seeds import rng

OPTIONS = ("left", "right of the red car", "front", "behind the blue bus")
LETTERS = ("A", "B", "C", "D")


def picture(number: int, side: int = 40) -> NDArray[np.uint8]:
    """Return coloured squares, (side, side × 3/2, 3)."""
    squares = rng("shown", number).integers(0, 256, (4, 6, 3), dtype=np.uint8)
    return np.kron(squares, np.ones((side // 4, side // 4, 1), np.uint8)).astype(np.uint8)


def make_video(path: Path, frames: int, first: int) -> None:
    """Write a video whose frames are pictures, each shown once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream("libx264", rate=10)
        stream.width, stream.height, stream.pix_fmt = 60, 40, "yuv420p"
        for k in range(frames):
            for packet in stream.encode(av.VideoFrame.from_ndarray(picture(first + k), format="rgb24")):
                container.mux(packet)
        for packet in stream.encode(None):
            container.mux(packet)


def make_dataset(path: Path, pictures: int = 6) -> Dataset:
    """Write pictures p0 …, videos v0 (24 frames) and v1 (20), and a question a picture."""
    media = []
    for k in range(pictures):
        data = encode_picture(picture(k), 0)
        write_bytes(path / f"media/p{k}.png", data)
        digest = hashlib.sha256(data).hexdigest()
        media.append(Media(id=f"p{k}", path=f"media/p{k}.png", kind="image", size=(60, 40), sha256=digest))
    for k, frames in enumerate((24, 20)):
        video = path / f"media/v{k}.mp4"
        make_video(video, frames, 100 * (k + 1))
        digest = hashlib.sha256(video.read_bytes()).hexdigest()
        media.append(
            Media(
                id=f"v{k}",
                path=f"media/v{k}.mp4",
                kind="video",
                size=(60, 40),
                sha256=digest,
                frames=frames,
                fps=10.0,
            )
        )
    write_jsonl(path / MEDIA, media)
    questions = (
        Question(
            id=f"q{k}",
            task="L1_single",
            text="Which way does the car face?" + " Look again." * (k % 3),
            answer="left",
            possible=("left", "right"),
            media=(f"p{k}",),
        )
        for k in range(pictures)
    )
    write_jsonl(path / QUESTIONS, questions)
    manifest = Manifest(
        kind="dataset",
        tool="fathom",
        tool_version="0",
        schema_version=SCHEMA_VERSION,
        command="build",
        settings={},
        name=path.name,
        benchmark="pulsecheck457",
        benchmark_version="1",
        identity=hashlib.sha256(str(pictures).encode()).hexdigest(),
        complete=True,
    )
    write_json(path / MANIFEST, manifest)
    return open_dataset(path)


def request(
    text: str = "Which way does the car face?",
    pictures: Sequence[str] = ("p0",),
    *,
    clip: ClipPart | None = None,
    options: Sequence[str] = (),
    system: str = "",
    key: str = "",
) -> Request:
    """Return a request that shows pictures or a clip, then asks; between pictures stands a word."""
    parts: list[Part] = []
    for k, media in enumerate(pictures):
        parts += [TextPart(text=f"Picture {k + 1}:"), MediaPart(media=media)]
    if clip:
        parts.append(clip)
    parts.append(TextPart(text=text))
    return Request(
        key=key or hashlib.sha256(repr((text, tuple(pictures), clip, tuple(options))).encode()).hexdigest(),
        asked=UnansweredQuestion(id="q0", task="t", text=text),
        prompt=Prompt(parts=tuple(parts), system=system, continuations=tuple(options)),
    )


def clip(video: str = "v0", frames: Sequence[int] = range(0, 24, 3), fps: float = 2.0) -> ClipPart:
    """Return frames of a video as a clip."""
    return ClipPart(frames=tuple(MediaPart(media=video, frame=k) for k in frames), fps=fps)


def opened(folder: Path, dataset: Dataset, **options: object) -> HFBackend:
    """Return the backend for a checkpoint, writing 8 tokens at most."""
    context = Context(pixels_of=PromptImages(dataset).pixels, write_answer=str, parameters={"max_tokens": 8})
    return open_hf(str(folder), {name: str(value) for name, value in options.items()}, context)


def answers(backend: HFBackend, *requests: Request) -> list[Response]:
    """Return the responses, all of which have to be good; a model of random weights may say nothing."""
    found = list(backend.answer_all(requests))
    assert [r.error for r in found if not r.error.startswith("no answer: ")] == [""] * sum(
        r.status == "ok" for r in found
    )
    return found

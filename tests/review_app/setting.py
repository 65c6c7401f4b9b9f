"""A small dataset of pictures, a review of it, and a server of its own process or thread."""

from __future__ import annotations

import json
import shutil
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from PIL import Image

from fathom import api
from fathom.records import Media
from fathom.review.site.app import Site, app_of
from fathom.review.site.media import ItemMedia
from fathom.review.store import ReviewStore
from fathom.review.tasks.quality import QUALITY
from fathom.store.datasets import MEDIA, hash_of_stills, open_dataset
from fathom.store.files import write_jsonl

ONE_BY_ONE = replace(QUALITY, together=1)
"""The quality of objects, each on a page of its own."""

NASTY = '<img src=x onerror="document.title=1"><script>document.title=1</script>'


def dataset_of(folder: Path, questions: int = 6, text: str = "Which side is the square on?") -> Path:
    """Make a dataset of pictures of squares on the left and on the right."""
    raw = folder / "raw"
    raw.mkdir(parents=True)
    rows = []
    for k in range(questions):
        left = k % 2 == 0
        picture = Image.new("RGB", (120, 80), (230, 230, 230))
        picture.paste((30 + 20 * (k % 8), 80, 160), (10, 25, 40, 55) if left else (80, 25, 110, 55))
        picture.save(raw / f"p{k}.png")
        rows.append(
            {
                "id": f"q{k}",
                "question": text,
                "options": ["left", "right", "above"],
                "answer": "left" if left else "right",
                "image": f"p{k}.png",
                "task": "side" if k < 4 else "far",
            }
        )
    (raw / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = folder / "dataset"
    api.import_dataset("jsonl", raw / "questions.jsonl", out, media=raw, copy=True)
    return out


def with_video(dataset: Path, out: Path, span_s: tuple[float, float]) -> Path:
    """Make a copy whose questions are about a stretch of a video; every tenth of its frames is kept."""
    shutil.copytree(dataset, out)
    stills = {k: f"{k:064x}" for k in range(0, 120, 10)}
    video = Media(
        id="video", path="media/video.mp4", kind="video", size=(6, 4), frames=120, fps=29.999999,
        stills=stills, sha256=hash_of_stills(stills),
    )  # fmt: skip
    write_jsonl(out / MEDIA, [video])
    asked = [
        msgspec.structs.replace(q, media=("video",), span_s=span_s) for q in open_dataset(dataset).questions()
    ]
    write_jsonl(out / "questions.jsonl", asked)
    return out


def begun(dataset: Path, work: Path, **more: Any) -> tuple[api.Review, dict[str, str]]:
    """Begin a review of a dataset by Ana and Ben."""
    plan = {"task": "verify", "people": ("Ana", "Ben"), **more}
    return api.begin_review(api.ReviewPlan(source=dataset, work=work, **plan))


@contextmanager
def served(review: api.Review, wait_s: float = 0.0) -> Iterator[str]:
    """Serve a review from a thread; yield its address."""
    from fathom.api.review_sources import media_of

    picture, film = media_of(review.plan)
    site = Site(review.task, review.store, ItemMedia(picture, film), "Squares", wait_s=wait_s)
    server = uvicorn.Server(uvicorn.Config(app_of(site), log_level="warning", lifespan="off"))
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def opened(review: api.Review) -> ReviewStore:
    """Open the database of a review a second time."""
    return ReviewStore(review.store.path, [s.name for s in review.task.stages], review.task.label)


def sent(item: int, stage: str, values: Mapping[str, Any], client: str) -> dict[str, Any]:
    """Return what the page sends."""
    return {"item": item, "stage": stage, "values": dict(values), "client": client, "seconds": 1.5}

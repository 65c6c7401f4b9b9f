"""A made-up dataset of each benchmark that can be looked at: drawings, short videos, plain questions."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fathom.api import benchmark_named
from fathom.benchmarks.fourdbench.tasks import CAPTION
from fathom.benchmarks.fourdbench.tasks import TASKS as FOURD
from fathom.benchmarks.seedbench.tasks import FIRST
from fathom.benchmarks.stibench.tasks import TASKS as STI
from fathom.benchmarks.threedsrbench.tasks import OPTION_COUNTS
from fathom.inference.backend import Context, Scalar, knows_answers
from fathom.records import Groups, Manifest, Media, Question, Request, Response
from fathom.store.datasets import MANIFEST, MEDIA, QUESTIONS, SCHEMA_VERSION
from fathom.store.files import write_bytes, write_json, write_jsonl
from fathom.store.seeds import rng
from tests.protocols.made import ErraticBatches

MODEL = "tests.wiring.made:open_model"
COLORS = {"red": (200, 50, 45), "blue": (50, 90, 205), "green": (60, 140, 70), "yellow": (235, 190, 50)}
WHATS = ("ball", "mug", "chair", "lamp", "box", "robot")
DEEDS = ("waves its left arm", "turns once to the right", "jumps twice", "sits down slowly", "nods")


def drawing(name: str, width: int = 480, height: int = 320, shift: float = 0.0) -> NDArray[np.uint8]:
    """Return a room with four coloured blobs, (height, width, 3); `shift` moves them to the right."""
    g = rng("drawing", name)
    y, x = np.mgrid[:height, :width]
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:] = np.where(y[..., None] < 0.55 * height, (226, 224, 218), (188, 178, 164))
    for color in COLORS.values():
        cx, cy = g.uniform(0.1, 0.8) + shift, g.uniform(0.45, 0.8)
        rx, ry = g.uniform(0.05, 0.12), g.uniform(0.08, 0.2)
        inside = ((x / width - cx) / rx) ** 2 + ((y / height - cy) / ry) ** 2 < 1
        shade = 1 - 0.5 * np.clip((y / height - cy + ry) / (2 * ry), 0, 1)
        pixels[inside] = (np.array(color) * shade[inside][:, None]).astype(np.uint8)
    return pixels


def jpeg(pixels: NDArray[np.uint8]) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "JPEG", quality=85)
    return out.getvalue()


class Making:
    """Collects the media of a dataset while its questions are made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.media: dict[str, Media] = {}

    def image(self, name: str) -> str:
        data = jpeg(drawing(name))
        return self._add(name, f"media/{name}.jpg", "image", data, (480, 320))

    def video(self, name: str, view: int = 0, frames: int = 36) -> str:
        from tests.media.films import write_film

        path = self.folder / "media" / f"{name}.mp4"
        path.parent.mkdir(parents=True, exist_ok=True)
        pictures = [drawing(name, 320, 240, shift=0.3 * k / frames) for k in range(frames)]
        write_film(path, "libx264", {"g": "12"}, frames=pictures, rate=12)
        more = {"frames": frames, "fps": 12.0, "view": view}
        return self._add(name, f"media/{name}.mp4", "video", path.read_bytes(), (320, 240), **more)

    def _add(
        self, name: str, path: str, kind: str, data: bytes, size: tuple[int, int], **more: object
    ) -> str:
        write_bytes(self.folder / path, data)
        sha256 = hashlib.sha256(data).hexdigest()
        self.media[name] = Media(id=name, path=path, kind=kind, size=size, sha256=sha256, **more)  # type: ignore[arg-type]
        return name

    def finish(self, benchmark: str, questions: Sequence[Question]) -> Path:
        write_jsonl(self.folder / QUESTIONS, questions)
        write_jsonl(self.folder / MEDIA, self.media.values())
        files = {
            name: hashlib.sha256((self.folder / name).read_bytes()).hexdigest() for name in (QUESTIONS, MEDIA)
        }
        manifest = Manifest(
            kind="dataset",
            tool="fathom",
            tool_version="0",
            schema_version=SCHEMA_VERSION,
            command="import",
            name=f"made-up {benchmark}",
            settings={"source": "official"},
            benchmark=benchmark,
            benchmark_version=benchmark_named(benchmark).version,
            counts={"questions": len(questions)},
            files=files,
            identity=files[QUESTIONS],
            complete=True,
        )
        write_json(self.folder / MANIFEST, manifest)
        return self.folder


def choice(
    name: str, task: str, text: str, media: Sequence[str], number: int = 4, **more: object
) -> Question:
    g = rng("choice", name)
    texts = [f"The {c} {w}" for c in COLORS for w in WHATS] + [
        "About 0.42 metres per second, and slowing down"
    ]
    choices = tuple(texts[i] for i in g.permutation(len(texts))[:number])
    fields: dict[str, object] = {"groups": Groups(cluster=media[0] if media else name), **more}
    return Question(
        id=name,
        task=task,
        text=text,
        choices=choices,
        answer=choices[int(g.integers(number))],
        media=tuple(media),
        **fields,  # type: ignore[arg-type]
    )


def make_3dsrbench(folder: Path, per_task: int = 3) -> Path:
    made, questions = Making(folder), []
    for task, number in OPTION_COUNTS.items():
        for k in range(per_task):
            base = f"{task}-{k}"
            for side in ("", "-flip"):
                media = [made.image(f"coco-{base}{side}")]
                groups = Groups(cluster=base, flip=base)
                text = "Consider where things are in the room. Which object is nearer to the camera?"
                questions.append(choice(f"{base}{side}", task, text, media, number, groups=groups))
    return made.finish("3dsrbench", questions)


def make_seed_bench(folder: Path) -> Path:
    made, questions = Making(folder), []
    for i, (task, title) in enumerate(FIRST.items()):
        video = i >= 9
        several = task == "visual_reasoning"
        media = (
            [made.video(f"clip{i}")]
            if video
            else [made.image(f"photo{i}-{k}") for k in range(3 if several else 1)]
        )
        span = (0.5, 2.0) if task == "action_prediction" else None
        questions.append(choice(f"q{i}", task, f"{title}: what is right about this?", media, span_s=span))
    questions.append(choice("q-blind", "text_understanding", "Asked without any picture at all?", []))
    return made.finish("seed-bench", questions)


def make_sti_bench(folder: Path) -> Path:
    made, questions = Making(folder), []
    videos = [made.video(name, frames=48) for name in ("segment_camera_1", "scene0001_00")]
    for task, title in STI.items():
        for media in videos:
            text = f"{title}: how fast does the red ball move between 1.0 s and 3.0 s?"
            tags = {"video": f"{media}.mp4"}
            questions.append(choice(f"{task}-{media}", task, text, [media], 5, span_s=(1.0, 3.0), tags=tags))
    return made.finish("sti-bench", questions)


def make_4d_bench(folder: Path) -> Path:
    made, questions = Making(folder), []
    for i, task in enumerate(t for t in FOURD if t != CAPTION):
        views = [made.video(f"object{i}/view_{v}", v, frames=18) for v in (1, 8, 16)]
        questions.append(choice(f"object{i}-{task}", task, "What does the robot do in the end?", views))
    return made.finish("4d-bench", questions)


def make_captions(folder: Path, objects: int = 6, films: bool = True) -> Path:
    """Write 4D-Bench's captions; without `films` the objects are shown in one picture each."""
    made, questions = Making(folder), []
    for i in range(objects):
        name = f"object{i}"
        views = (
            [made.video(f"{name}/view_{v}", v, frames=12) for v in (1, 8)] if films else [made.image(name)]
        )
        said = tuple(caption_of(name, n) for n in range(5))
        questions.append(
            Question(
                id=name,
                task=CAPTION,
                text="",
                answer=said[0],
                references=said,
                media=tuple(views),
                groups=Groups(cluster=name),
            )
        )
    return made.finish("4d-bench", questions)


def caption_of(name: str, n: int) -> str:
    """Return what person n says of an object: the same deed, now and then in other words."""
    g = rng("caption", name)
    color, what, deed = g.choice(list(COLORS)), g.choice(WHATS), g.choice(DEEDS)
    size = ("small", "little", "toy", "small", "tiny")[n]
    end = ("", ", then stops", " on the spot", "", " while it stands still")[n]
    return f"A {size} {color} {what} {deed}{end}."


class Talkative(ErraticBatches):
    """Says why before it answers; captions objects with what somebody wrote, or with something else."""

    def respond(self, request: Request) -> Response:
        import msgspec

        response = super().respond(request)
        question = self._dataset.question(request.asked.id)
        if response.status != "ok" or response.option_logprobs:
            return response
        g = rng("talk", self.name, self._seed, question.id)
        if question.references:
            right = g.random() < self._skill
            text = question.references[int(g.integers(5))] if right else "A thing that moves a little."
            return msgspec.structs.replace(response, text=f"Caption: {text}")
        if g.random() < 0.04:
            return msgspec.structs.replace(response, text="I cannot tell from what I am shown.")
        return msgspec.structs.replace(
            response, text=f"I looked at every view. The answer is {response.text}"
        )


@knows_answers
def open_model(target: str, options: Mapping[str, str], context: Context) -> Talkative:
    return Talkative(target or f"made-up-{options.get('skill', '0.7')}", context, options)


class Judge:
    """Gives every caption the same two scores."""

    name, revision = "made-up-judge", ""
    parameters: Mapping[str, Scalar] = {}
    notes: tuple[str, ...] = ()

    def answer_all(self, requests: Sequence[Request]) -> list[Response]:
        return [
            Response(
                key=r.key,
                question=r.asked.id,
                status="ok",
                text=f'{{"score": {4 if r.variant.name == "appearance" else 2}}}',
                variant=r.variant,
                purpose=r.purpose,
            )
            for r in requests
        ]


def open_judge(target: str, options: Mapping[str, str], context: Context) -> Judge:
    return Judge()


MAKERS: Mapping[str, Callable[[Path], Path]] = {
    "4d-bench": make_4d_bench,
    "captions": make_captions,
    "seed-bench": make_seed_bench,
    "sti-bench": make_sti_bench,
    "3dsrbench": make_3dsrbench,
}
PROTOCOLS = {"captions": "captions", "seed-bench": "generation"}

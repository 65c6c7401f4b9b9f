"""Made-up datasets of each benchmark, in the shape of its imported files, and models to put them to."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from fathom.api import benchmark_named
from fathom.benchmarks.fourdbench import tasks as fourdbench
from fathom.benchmarks.seedbench import tasks as seedbench
from fathom.benchmarks.stibench import tasks as stibench
from fathom.benchmarks.threedsrbench import tasks as threedsrbench
from fathom.inference.backend import Context, MediaBytes, Scalar, knows_answers
from fathom.inference.prompts import LETTERS
from fathom.records import Groups, Manifest, Media, Question, Request, Response
from fathom.store.datasets import MANIFEST, MEDIA, QUESTIONS, SCHEMA_VERSION
from fathom.store.files import write_bytes, write_json, write_jsonl
from fathom.store.seeds import rng
from tests.inference.folders import png

PNG = png((200, 30, 30))


def image(name: str) -> Media:
    return Media(
        id=name,
        path=f"media/{name}.png",
        kind="image",
        size=(4, 3),
        sha256=hashlib.sha256(PNG).hexdigest(),
    )


def video(name: str, frames: int = 100, fps: float = 25.0, view: int = 0) -> Media:
    """A video by its entry alone: scripted models never open it."""
    return Media(
        id=name,
        path=f"media/{name}.mp4",
        kind="video",
        size=(64, 48),
        sha256=hashlib.sha256(name.encode()).hexdigest(),
        frames=frames,
        fps=fps,
        view=view,
    )


def write_dataset(
    folder: Path, benchmark: str, questions: Sequence[Question], media: Sequence[Media]
) -> Path:
    for m in media:
        if m.kind == "image":
            write_bytes(folder / m.path, PNG)
    write_jsonl(folder / QUESTIONS, questions)
    write_jsonl(folder / MEDIA, media)
    write_json(
        folder / MANIFEST,
        Manifest(
            kind="dataset",
            tool="fathom",
            tool_version="0",
            schema_version=SCHEMA_VERSION,
            command="import",
            settings={"source": "official"},
            benchmark=benchmark,
            benchmark_version=benchmark_named(benchmark).version,
            counts={"questions": len(questions)},
            identity=hashlib.sha256((folder / QUESTIONS).read_bytes()).hexdigest(),
            complete=True,
        ),
    )
    return folder


def options(name: str, number: int) -> tuple[tuple[str, ...], str]:
    """So many options of one question, and which of them is right."""
    choices = tuple(f"{word} {name}" for word in ("alpha", "beta", "gamma", "delta", "epsilon")[:number])
    return choices, choices[int(rng("right", name).integers(number))]


def asked(name: str, task: str, media: Sequence[Media], number: int, **more: object) -> Question:
    choices, answer = options(name, number)
    fields: dict[str, object] = {"groups": Groups(cluster=media[0].id if media else name), **more}
    return Question(
        id=name,
        task=task,
        text=f"What of {name}?",
        answer=answer,
        choices=choices,
        media=tuple(m.id for m in media),
        **fields,  # type: ignore[arg-type]
    )


def write_3dsrbench(folder: Path, per_task: int = 2, flips: bool = True) -> Path:
    questions: list[Question] = []
    media: list[Media] = []
    for task, number in threedsrbench.OPTION_COUNTS.items():
        for _ in range(per_task):
            base = f"{task[:6]}{len(questions):04d}"
            for side in ("", "-flip") if flips else ("",):
                media.append(image(f"{base}{side}"))
                groups = Groups(cluster=base, flip=base)
                questions.append(asked(f"{base}{side}", task, media[-1:], number, groups=groups))
    return write_dataset(folder, "3dsrbench", questions, media)


def write_4d_bench(folder: Path) -> Path:
    questions: list[Question] = []
    media: list[Media] = []
    for i, task in enumerate(t for t in fourdbench.TASKS if t != fourdbench.CAPTION):
        views = [video(f"object{i}/view_{v}", frames=36 + i, view=v) for v in (0, 1, 8, 16)]
        media += views
        questions.append(asked(f"object{i}_{task}", task, views, 4))
    said = tuple(f"A small robot number {n} waves its left arm." for n in range(5))
    questions.append(
        Question(
            id="object0",
            task=fourdbench.CAPTION,
            text="",
            answer=said[0],
            references=said,
            media=tuple(m.id for m in media[:4]),
            groups=Groups(cluster="object0"),
        )
    )
    return write_dataset(folder, "4d-bench", questions, media)


def write_seed_bench(folder: Path) -> Path:
    questions: list[Question] = []
    media: list[Media] = []
    for i, task in enumerate(seedbench.FIRST):
        spanned = task in ("action_prediction", "procedure_understanding")
        media.append(video(f"v{i}") if i >= 9 else image(f"i{i}"))
        questions.append(asked(f"q{i}", task, media[-1:], 4, span_s=(1.0, 3.0) if spanned else None))
    return write_dataset(folder, "seed-bench", questions, media)


def write_sti_bench(folder: Path) -> Path:
    names = ("segment_camera_1", "scene0001_00", "000123")
    media = [video(name, frames=120, fps=12.0) for name in names]
    questions = [
        asked(f"{task}-{m.id}", task, [m], 5, span_s=(2.0, 6.5), tags={"video": m.path})
        for task in stibench.TASKS
        for m in media
    ]
    return write_dataset(folder, "sti-bench", questions, media)


WRITERS = {
    "4d-bench": write_4d_bench,
    "seed-bench": write_seed_bench,
    "sti-bench": write_sti_bench,
    "3dsrbench": write_3dsrbench,
}


class Erratic:
    """Answers each pass by itself: the right letter as often as its skill says, and now and then nothing."""

    revision = ""
    notes: tuple[str, ...] = ()

    def __init__(self, name: str, context: Context, options: Mapping[str, str]) -> None:
        self.name = name
        self.parameters: Mapping[str, Scalar] = dict(options)
        self._dataset = context.dataset
        self._seed = options.get("seed", "0")
        self._skill = float(options.get("skill", 0.7))
        self._failing = float(options.get("failing", 0.0))

    def respond(self, request: Request) -> Response:
        order = request.variant.option_order or tuple(range(len(request.asked.choices)))
        g = rng("erratic", self._seed, request.asked.id, *order)
        right = self._dataset.question(request.asked.id).answer
        shown = [request.asked.choices[i] for i in order] or [right]
        said = shown.index(right) if g.random() < self._skill else int(g.integers(len(shown)))
        failed = g.random() < self._failing
        scores = tuple(-0.5 if i == said else -3.0 - i for i in range(len(shown)))
        ranked = bool(request.prompt.continuations) and not failed
        return Response(
            key=request.key,
            question=request.asked.id,
            status="failed" if failed else "ok",
            text="" if failed or ranked else f"({LETTERS[said]})",
            error="out of order" if failed else "",
            variant=request.variant,
            purpose=request.purpose,
            option_logprobs=scores if ranked else (),
            option_tokens=(1,) * len(shown) if ranked else (),
        )


class ErraticBatches(Erratic):
    """Answers at once."""

    def answer_all(self, requests: Sequence[Request]) -> list[Response]:
        return [self.respond(r) for r in requests]


class ErraticHosted(Erratic):
    """Takes a moment, different for each request, so that answers come back in another order."""

    async def answer(self, request: Request, media: MediaBytes) -> Response:
        await asyncio.sleep(float(rng("wait", request.key).uniform(0, 0.002)))
        return self.respond(request)

    async def close(self) -> None:
        pass


@knows_answers
def open_batches(target: str, options: Mapping[str, str], context: Context) -> ErraticBatches:
    return ErraticBatches("erratic", context, options)


@knows_answers
def open_hosted(target: str, options: Mapping[str, str], context: Context) -> ErraticHosted:
    return ErraticHosted("erratic-hosted", context, options)

"""A small dataset of moving objects with real pictures, and models that say what a test wants."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from fathom.authoring import engine as authoring
from fathom.authoring.engine import Next
from fathom.benchmarks.fourdbench.authoring import AUTHORING
from fathom.benchmarks.fourdbench.authoring.settings import ObjectWriting
from fathom.records import Manifest, Media, Request
from fathom.store.datasets import MANIFEST, MEDIA, QUESTIONS, SCENES, SCHEMA_VERSION, open_dataset
from fathom.store.files import write_bytes, write_json, write_jsonl
from tests.authoring.answering import Speak
from tests.authoring.captions import drawn_scene
from tests.inference.folders import png

VIEWS, FRAMES = 4, 6


def make_objects(path: Path, objects: int = 2, seed: str = "0") -> Path:
    """Write a dataset of objects in four views of six frames, each frame a picture beside a film to come."""
    scenes = [drawn_scene(n) for n in range(objects)]
    media = []
    for number, scene in enumerate(scenes):
        for view in range(VIEWS):
            name = f"media/{scene.id}/view_{view}_rgb_white_bg"
            stills = {}
            for frame in range(FRAMES):
                data = png((number * 60 % 256, view * 50, frame * 40))
                write_bytes(path / name / f"frame_{frame:04d}.png", data)
                stills[frame] = hashlib.sha256(data).hexdigest()
            whole = hashlib.sha256("".join(f"{h}\n" for h in stills.values()).encode()).hexdigest()
            media.append(
                Media(
                    id=f"{scene.id}/view_{view}",
                    path=f"{name}.mp4",
                    kind="video",
                    size=(4, 3),
                    sha256=whole,
                    scene=scene.id,
                    view=view,
                    frames=FRAMES,
                    fps=12.0,
                    stills=stills,
                )
            )
    write_jsonl(path / SCENES, scenes)
    write_jsonl(path / MEDIA, media)
    write_jsonl(path / QUESTIONS, [])
    manifest = Manifest(
        kind="dataset",
        tool="fathom",
        tool_version="0",
        schema_version=SCHEMA_VERSION,
        command="build",
        settings={},
        benchmark="4d-bench",
        benchmark_version="1",
        seed=seed,
        identity=hashlib.sha256(f"{objects} {seed}".encode()).hexdigest(),
        complete=True,
    )
    write_json(path / MANIFEST, manifest)
    return path


def next_step(
    dataset: Path, work: Path, responses: Sequence[Path] = (), writing: ObjectWriting | None = None
) -> Next:
    """Go on with the work on a dataset of objects, as far as it can."""
    return authoring.next_step(AUTHORING, open_dataset(dataset), work, responses, writing)


def draft(task: str, question: str = "", **changes: object) -> dict[str, object]:
    """Return what a good writer says, in the form asked for."""
    numbers = task == "object_counting"
    made: dict[str, object] = {
        "reasoning": "The first view hides what the third shows.",
        "question": question or f"What is there at its back in the end, of kind {task.partition('_')[0]}?",
        "choices": ["2", "3", "4", "5"]
        if numbers
        else ["a red hat", "a blue bag", "a long tail", "two wings"],
        "answer": "3" if numbers else "a long tail",
        "subtask": task,
    }
    return made | changes


def good_writer(request: Request) -> str:
    return json.dumps(draft(request.variant.name))


def strict(broken: Mapping[str, list[int]] | None = None) -> Speak:
    """Return a checker that finds the given rules broken, by subtask."""

    def speak(request: Request) -> str:
        found = (broken or {}).get(request.asked.tags["subtask"], [])
        return json.dumps({"broken": found, "reason": "it is so" if found else ""})

    return speak


def picks(answer_of: Mapping[str, str]) -> Speak:
    """Return a blind reader that picks, of each subtask, the option named ("": always the first)."""

    def speak(request: Request) -> str:
        wanted = answer_of.get(request.asked.tags["subtask"], "")
        place = request.asked.choices.index(wanted) if wanted else 0
        return f"({'ABCD'[place]})"

    return speak

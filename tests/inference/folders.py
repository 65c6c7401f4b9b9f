"""Small datasets made by hand, and a benchmark to put them under."""

from __future__ import annotations

import hashlib
import struct
import zlib
from pathlib import Path

from fathom.benchmarks.pulsecheck457.protocol import BLIND, DEFAULT
from fathom.geometry.cameras import look_at
from fathom.geometry.poses import yaw_quaternion
from fathom.inference.plans import RunConfig, RunPlan
from fathom.records import (
    AssetRef,
    Benchmark,
    Camera,
    Environment,
    Groups,
    Manifest,
    Media,
    Pose,
    Question,
    Scene,
    SceneObject,
    Step,
)
from fathom.store.datasets import MANIFEST, MEDIA, QUESTIONS, SCENES, SCHEMA_VERSION, Dataset, open_dataset
from fathom.store.files import write_bytes, write_json, write_jsonl
from tests.extractors import EXTRACTORS

COLORS = ("red", "blue", "green", "gray")

BENCHMARK = Benchmark(
    name="pulsecheck457",
    title="",
    version="1",
    paper="",
    tasks={"L1_single": "one object", "L3_2d_spatial": "left and right"},
    protocols={"default": DEFAULT, "blind": BLIND},
    extractors=EXTRACTORS,
    default_extractor="fathom",
)


def png(color: tuple[int, int, int], size: tuple[int, int] = (4, 3)) -> bytes:
    """Return a plain picture."""
    rows = (b"\0" + bytes(color) * size[0]) * size[1]

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def scene(number: int) -> Scene:
    """Return four objects in a row, in the order of `COLORS` from the left as the camera sees them."""
    objects = tuple(
        SceneObject(
            id=f"t{k}",
            category="car",
            subtype="sedan",
            size_m=(1.5, 0.6, 0.5),
            poses=(Pose(position_m=(0.0, 1.5 - k, 0.0), rotation_wxyz=yaw_quaternion(0.3 * k + number)),),
            asset=AssetRef(name="sedan", sha256="0"),
            attributes={"size": "large", "color": color},
        )
        for k, color in enumerate(COLORS)
    )
    eye = look_at((-9.0, 0.0, 4.0), (0.0, 0.0, 0.0))
    camera = Camera(width=640, height=480, fx=700, fy=700, cx=320, cy=240, poses=(eye,))
    return Scene(
        id=f"s{number}",
        generator="test",
        version="1",
        seed="0",
        objects=objects,
        cameras=(camera,),
        environment=Environment(name="none"),
    )


def question(number: int, per_scene: int) -> Question:
    """Return a question whose program asks what stands left of an object, in turn."""
    of = 1 + number % 3
    steps = (
        Step(op="scene"),
        Step(op="filter_color", inputs=(0,), args=(COLORS[of],)),
        Step(op="unique", inputs=(1,)),
        Step(op="relate", inputs=(2,), args=("left",)),
        Step(op="count", inputs=(3,)),
    )
    return Question(
        id=f"q{number}",
        task=("L1_single", "L3_2d_spatial")[number % 2],
        text=f"How many things stand left of the {COLORS[of]} sedan? ({number})",
        answer=str(of),
        possible=("0", "1", "2", "3"),
        media=(f"s{number // per_scene}",),
        scene=f"s{number // per_scene}",
        program=steps,
        groups=Groups(cluster=f"s{number // per_scene}"),
    )


def make_dataset(path: Path, questions: int = 12, per_scene: int = 4, seed: str = "0") -> Dataset:
    """Write a dataset and return it."""
    scenes = -(-questions // per_scene)
    pictures = [png((k * 37 % 256, k // 256, len(seed))) for k in range(scenes)]
    for k, data in enumerate(pictures):
        write_bytes(path / "media" / f"s{k}.png", data)
    write_jsonl(path / SCENES, (scene(k) for k in range(scenes)))
    write_jsonl(
        path / MEDIA,
        (
            Media(
                id=f"s{k}",
                path=f"media/s{k}.png",
                kind="image",
                size=(4, 3),
                sha256=hashlib.sha256(data).hexdigest(),
                scene=f"s{k}",
            )
            for k, data in enumerate(pictures)
        ),
    )
    write_jsonl(path / QUESTIONS, (question(k, per_scene) for k in range(questions)))
    manifest = Manifest(
        kind="dataset",
        tool="fathom",
        tool_version="0",
        schema_version=SCHEMA_VERSION,
        command="build",
        settings={"rules": "fathom"},
        name=path.name,
        benchmark="pulsecheck457",
        benchmark_version="1",
        seed=seed,
        counts={"questions": questions},
        identity=hashlib.sha256(f"{questions} {per_scene} {seed}".encode()).hexdigest(),
        complete=True,
    )
    write_json(path / MANIFEST, manifest)
    return open_dataset(path)


def plan(
    dataset: Dataset,
    model: str,
    out: Path,
    *,
    blind: bool = False,
    limit: int = 0,
    concurrency: int = 8,
    seed: str = "0",
    options: dict[str, str] | None = None,
    environ: dict[str, str] | None = None,
) -> RunPlan:
    """Return a plan to run a dataset."""
    config = RunConfig(
        model=model,
        out=out,
        limit=limit,
        concurrency=concurrency,
        seed=seed,
        options=options,
        environ=environ,
    )
    return RunPlan(config, dataset, BENCHMARK, BLIND if blind else DEFAULT)

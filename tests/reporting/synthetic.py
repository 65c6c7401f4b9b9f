"""A made-up dataset with made-up runs: flat ellipses for vehicles, and models of a known strength."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fathom.benchmarks.pulsecheck457 import metrics, paper
from fathom.media.outlines import outlines_of
from fathom.pages.tables import Table
from fathom.records import (
    AssetRef,
    Benchmark,
    Camera,
    Environment,
    Evidence,
    Manifest,
    Margin,
    Media,
    ObjectVisibility,
    Outline,
    Pose,
    Question,
    Response,
    SampleScore,
    Scene,
    SceneObject,
    Step,
)
from fathom.reporting.data import ReportData, ReportDataset, ReportRun
from fathom.reporting.diagnosis import diagnosis
from fathom.reporting.leaderboard import leaderboard
from fathom.reporting.measured import beyond
from fathom.reporting.page import page_html, report_tables
from fathom.scoring.scores import aggregate_scores
from fathom.store.seeds import rng

TASKS = {
    "L1_single": "Single object",
    "L2_objects": "Multi-object",
    "L3_2d_spatial": "2D spatial",
    "L4_occ": "Occlusion",
    "L4_pose": "3D pose",
    "L5_6d_spatial": "6D spatial",
    "L5_collision": "Collision",
}
COLORS = {
    "red": (173, 35, 35),
    "blue": (42, 75, 215),
    "green": (29, 105, 20),
    "yellow": (255, 238, 51),
    "cyan": (41, 208, 208),
    "purple": (129, 38, 192),
}
SUBTYPES = ("suv", "sedan", "school bus", "tandem bike", "chopper", "jet")
SIDES = ("left", "right", "front", "behind")
WIDTH, HEIGHT = 320, 240
STRENGTHS = {"oracle": 1.0, "visionary-9b": 0.75, "squinter-2b": 0.45, "random": 0.2}


def scene_of(name: str, n: int) -> tuple[Scene, NDArray[np.int16]]:
    draw = rng(1, "scene", name)
    ids = np.full((HEIGHT, WIDTH), -1, np.int16)
    y, x = np.mgrid[:HEIGHT, :WIDTH] + 0.5
    objects, order = [], draw.permutation(len(COLORS) * len(SUBTYPES))[:n]
    for i, code in enumerate(order):
        color, subtype = list(COLORS)[code % len(COLORS)], SUBTYPES[code // len(COLORS)]
        cx, cy = WIDTH * (i + 0.5) / n + draw.normal(0, 6), HEIGHT * draw.uniform(0.35, 0.8)
        ids[((x - cx) / draw.uniform(18, 34)) ** 2 + ((y - cy) / draw.uniform(10, 20)) ** 2 < 1] = i
        size = ("large", "small")[int(draw.integers(2))]
        objects.append(
            SceneObject(
                id=f"{name}-{i}",
                category="car",
                subtype=subtype,
                size_m=(2.0, 1.0, 1.0),
                poses=(Pose(position_m=(float(i), 0.0, 0.0), rotation_wxyz=(1.0, 0.0, 0.0, 0.0)),),
                asset=AssetRef(name=subtype, sha256=""),
                attributes={"size": size, "color": color},
            )
        )
    visibility = []
    for i, obj in enumerate(objects):
        rows, columns = np.nonzero(ids == i)
        box = (int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1)
        visibility.append(
            ObjectVisibility(
                object_id=obj.id,
                full_px=rows.size,
                amodal_px=rows.size,
                visible_px=rows.size,
                box_px=box,
            )
        )
    scene = Scene(
        id=name,
        generator="synthetic",
        version="1",
        seed="1",
        objects=tuple(objects),
        cameras=(Camera(width=WIDTH, height=HEIGHT, fx=300, fy=300, cx=160, cy=120, poses=()),),
        environment=Environment(name="none"),
        visibility=tuple(visibility),
    )
    return scene, ids


def picture_of(scene: Scene, ids: NDArray[np.int16]) -> bytes:
    from PIL import Image

    pixels = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    pixels[:] = np.linspace(190, 225, HEIGHT).astype(np.uint8)[:, None, None]
    for i, obj in enumerate(scene.objects):
        pixels[ids == i] = COLORS[obj.attributes["color"]]
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def question_of(scene: Scene, task: str, k: int) -> Question:
    draw = rng(1, "question", scene.id, task, k)
    ids = [t.id for t in scene.objects]
    anchor = scene.objects[int(draw.integers(len(ids)))]
    side = SIDES[int(draw.integers(4))]
    chosen = tuple(sorted(draw.choice(ids, size=int(draw.integers(1, 4)), replace=False).tolist()))
    same = tuple(i for i in chosen if int(draw.integers(2))) or chosen[:1]
    asks = ("count", "color", "exist", "pose")[k % 4]
    possible = {
        "count": ("0", "1", "2", "3"),
        "color": tuple(COLORS),
        "exist": ("yes", "no"),
        "pose": SIDES,
    }[asks]
    answer = possible[int(draw.integers(len(possible)))]
    color = scene.objects[0].attributes["color"]
    words = f"{anchor.attributes['size']} {anchor.attributes['color']} {anchor.subtype}"
    text = {
        "count": f"How many {color} things are to the {side} of the {words}, as seen in the picture?",
        "color": f"What colour is the thing to the {side} of the {words}?",
        "exist": f"Is there a {color} thing to the {side} of the {words}?",
        "pose": f"Which way does the {words} face?",
    }[asks]
    program = (
        Step(op="scene"),
        Step(op="filter_color", inputs=(0,), args=(anchor.attributes["color"],)),
        Step(op="filter_shape", inputs=(1,), args=(anchor.subtype,)),
        Step(op="unique", inputs=(2,)),
        Step(op="relate", inputs=(3,), args=(side,)),
        Step(op="filter_color", inputs=(4,), args=(color,)),
        Step(op={"count": "count", "exist": "exist"}.get(asks, f"query_{asks}"), inputs=(5,)),
    )
    mine = (anchor.id,)
    ratio = float(np.exp(draw.uniform(0, 3)))
    return Question(
        id=hashlib.sha256(f"{scene.id}{task}{k}".encode()).hexdigest()[:12],
        task=task,
        text=text,
        answer=answer,
        media=(f"{scene.id}-0",),
        scene=scene.id,
        possible=possible,
        program=program,
        margin=Margin(
            relation=f"{side} of",
            value=round(0.2 * ratio, 3),
            unit="m",
            ratio=round(ratio, 3),
            between=(anchor.id, chosen[0]),
        ),
        evidence=Evidence(
            objects=chosen,
            steps=(tuple(ids), mine, mine, mine, chosen, same, same),
            smallest_visible_px=400,
            smallest_visible_fraction=0.61,
        ),
        bias_score=round(float(draw.normal(0, 0.1)), 3),
        tags={"asks": asks, "template": f"{task}/{asks}"},
    )


def run_of(model: str, strength: float, questions: Sequence[Question]) -> ReportRun:
    sample_scores, responses = [], {}
    for q in questions:
        draw = rng(2, model, q.id)
        level = int(q.task[1])
        right = draw.random() < strength ** (0.6 + 0.25 * level)
        wrong = [p for p in q.possible if p != q.answer]
        picked: str | None = q.answer if right else wrong[int(draw.integers(len(wrong)))]
        status, how, error = "ok", "the JSON object", ""
        text = f'I see several vehicles.\n{{"Reasoning": "by eye", "Answer": "{picked}"}}'
        if strength < 0.9 and draw.random() < 0.04:
            picked, how, text = None, "nothing could be read", "It is hard to say from this picture."
        elif strength < 0.5 and draw.random() < 0.02:
            picked, how, status, error, text = None, "", "failed", "HTTP 500: the server gave up", ""
        value = float(picked == q.answer)
        sample_scores.append(
            SampleScore(
                question=q.id,
                task=q.task,
                extractor="fathom-1",
                status=status,  # type: ignore[arg-type]
                value=value,
                picked=picked,
                how=how,
                cluster=q.scene,
            )
        )
        responses[q.id] = Response(
            key=q.id,
            question=q.id,
            status=status,  # type: ignore[arg-type]
            text=text,
            error=error,
            model=model,
        )
    manifest = manifest_of(
        "run", settings={"model": model, "protocol": "fathom"}, inputs={"dataset": "ab" * 32}
    )
    scores = aggregate_scores(BENCHMARK, questions, sample_scores, seed=1)
    return ReportRun(
        model, manifest, sample_scores, scores, responses, baseline=model in {"oracle", "random"}
    )


def manifest_of(kind: str, **fields: object) -> Manifest:
    return Manifest(
        kind=kind,  # type: ignore[arg-type]
        tool="fathom",
        tool_version="0.1.0",
        schema_version=2,
        command="fathom build pulsecheck457 --out demo",
        complete=True,
        **fields,  # type: ignore[arg-type]
    )


BENCHMARK = Benchmark(
    name="pulsecheck457",
    title="PulseCheck457",
    version="1",
    paper="PulseCheck457: a diagnostic benchmark",
    tasks=TASKS,
    protocols={},
    extractors={},
    default_extractor="fathom",
    metrics=metrics.scores,
    tables=paper.TABLES,
)


def report_data(scenes: int = 3, a_task: int = 4, objects: int = 6, pictures_shown: int = 60) -> ReportData:
    """Return the input of a report on made-up runs; the same arguments give the same input."""
    worlds: dict[str, Scene] = {}
    pictures: dict[str, bytes] = {}
    media: dict[str, Media] = {}
    outlines: list[Outline] = []
    questions: list[Question] = []
    for s in range(scenes):
        scene, ids = scene_of(f"scene-{s:04d}", objects)
        worlds[scene.id] = scene
        key = f"{scene.id}-0"
        pictures[key] = picture_of(scene, ids)
        media[key] = Media(
            id=key,
            path=f"media/{key}.png",
            kind="image",
            size=(WIDTH, HEIGHT),
            sha256="",
            scene=scene.id,
        )
        outlines += outlines_of(ids, tuple(t.id for t in scene.objects), scene.id)
        questions += [question_of(scene, task, k) for task in TASKS for k in range(a_task)]
    dataset = ReportDataset(
        manifest=manifest_of(
            "dataset",
            settings={"rules": "fathom", "quality": "preview"},
            name="demo",
            seed="7",
            identity="ab" * 32,
        ),
        questions=questions,
        picture=pictures.__getitem__,
        media=media,
        scenes=worlds,
        outlines=outlines,
        checks=(
            Table(
                "Blind stress test",
                ("Folds", "Accuracy, %", "Interval, %", "Chance, %", "Verdict"),
                (
                    ("random", "27.4", "24.9–30.0", "27.1", "at chance"),
                    ("by scene", "26.8", "24.2–29.5", "27.1", "at chance"),
                ),
                ("A random forest that sees everything but the pictures, trained on the test set itself.",),
            ),
        ),
    )
    runs = [run_of(model, strength, questions) for model, strength in STRENGTHS.items()]
    return ReportData(BENCHMARK, dataset, runs, pictures_shown)


def report_html(data: ReportData) -> str:
    """Return the page alone; the same input gives the same bytes."""
    board = leaderboard(data)
    more = beyond(data, board)
    tables = report_tables(data, board) | more.tables
    return page_html(data, board, diagnosis(data, board), tables, more)

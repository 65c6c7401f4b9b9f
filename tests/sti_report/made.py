"""A small built-like STI-Bench: videos with tracks in three settings, questions with programs about them."""

from __future__ import annotations

import hashlib
import math
from pathlib import Path

import msgspec
import numpy as np

from fathom.geometry.cameras import look_at
from fathom.programs.engine import Trace, run
from fathom.programs.views.video import video_view
from fathom.questions.numeric.measures import measure_of
from fathom.questions.numeric.number_format import rounded, step_for, to_a_side, with_unit
from fathom.questions.numeric.option_sets import Options, five, five_of_parts
from fathom.questions.numeric.vector_answers import centre, pose
from fathom.records import Evidence, Groups, Manifest, Media, Question, Scene, Step, UnfitError, still_path
from fathom.store.datasets import (
    MANIFEST,
    MEDIA,
    QUESTIONS,
    SCENES,
    SCHEMA_VERSION,
    Dataset,
    hash_of_stills,
    open_dataset,
)
from fathom.store.files import write_bytes, write_json, write_jsonl
from fathom.store.seeds import rng
from tests.inference.folders import png
from tests.tracks import worlds

SCALE = {"desktop": 0.15, "indoor": 1.0, "outdoor": 8.0}
NAMES = {"desktop": "{:06d}", "indoor": "scene{:04d}_00", "outdoor": "segment-{:04d}_camera_front"}
QUARTERS = ("front", "left", "behind", "right", "above")
NOUNS = ("mug", "box", "lamp", "book")

AT = Step(op="at", args=("3.0",))
SPAN = Step(op="span", args=("1.0", "8.0"))
CAMERA = Step(op="camera")


def obj(k: int) -> Step:
    return Step(op="thing", args=(f"t{k}",))


def of(name: str, *inputs: Step) -> tuple[Step, ...]:
    return (*inputs, Step(op=name, inputs=tuple(range(len(inputs)))))


ASKED = (
    ("dimensional_measurement", "height", of("height", obj(0))),
    ("dimensional_measurement", "distance", of("distance", obj(1), obj(2), AT)),
    ("spatial_relation", "quarter", of("quarter", obj(3), AT)),
    ("3d_video_grounding", "centre", of("centre", obj(1), AT)),
    ("displacement_path_length", "displacement", of("displacement", CAMERA, SPAN)),
    ("displacement_path_length", "path_length", of("path_length", obj(0), SPAN)),
    ("speed_acceleration", "average_speed", of("average_speed", obj(0), SPAN)),
    ("ego_centric_orientation", "azimuth_change", of("azimuth_change", SPAN)),
    ("pose_estimation", "camera_pose", of("camera_pose", AT)),
)


def video(setting: str, number: int, frames: int = 300) -> Scene:
    """A camera that wanders and looks around, one object that wanders, three that stand."""
    g, scale = rng("made", setting, number), SCALE[setting]
    t = np.arange(frames) / worlds.FPS

    def wander(name: str, reach: float) -> np.ndarray:
        h = rng("made", setting, number, name)
        waves = [
            h.normal() * np.sin(2 * math.pi * (f * t + h.random())) for f in (0.05, 0.12) for _ in range(3)
        ]
        return reach * np.column_stack([waves[0] + waves[3], waves[1] + waves[4], 0.1 * waves[2]])

    eyes = wander("eye", scale) + scale * np.array([-4.0, 0.0, 1.5])
    aims = wander("aim", 0.6 * scale)
    views = [
        look_at((ex, ey, ez), (x, y, z))
        for (ex, ey, ez), (x, y, z) in zip(eyes.tolist(), aims.tolist(), strict=True)
    ]
    objects = []
    for k, noun in enumerate(NOUNS):
        spot = scale * np.array([*g.uniform(-1.5, 1.5, 2), 0.0])
        turn = worlds.upright(float(g.uniform(0, 6)))
        long, wide, high = (scale * g.uniform(0.2, 0.9, 3)).tolist()
        way = wander("thing", 0.7 * scale) * (1, 1, 0) + spot if k == 0 else spot[None]
        poses = [worlds.pose(p, turn) for p in way]
        objects.append(worlds.obj(f"t{k}", poses, noun=noun, size=(long, wide, high)))
    name = NAMES[setting].format(number)
    found = worlds.video(objects, views, setting, times=tuple(float(v) for v in t))
    return msgspec.structs.replace(found, id=name, source={"setting": setting, "video": name})


def questions_of(scene: Scene, numeric: bool = True) -> list[Question]:
    tracks = video_view(scene)
    setting = scene.source["setting"]
    made = []
    for k, (task, quantity, program) in enumerate(ASKED):
        answered = run(program, tracks)
        if answered.value is None:
            continue
        try:
            chosen = _chosen(scene, (task, quantity, program, k), answered)
        except UnfitError:
            continue
        made.append(chosen)
        if numeric and len(answered.numbers) == 1:
            made.append(_twin(chosen, answered, setting, quantity))
    return made


def _quarters(answer: str) -> Options:
    """Return five relations as options, the answer the first of them."""
    return Options((answer, *[word for word in QUARTERS if word != answer][:4]), 0)


def _chosen(scene: Scene, asked: tuple[str, str, tuple[Step, ...], int], answered: Trace) -> Question:
    task, quantity, program, k = asked
    setting, name = scene.source["setting"], f"{scene.id}-{asked[3]}"
    if isinstance(answered.value, str):
        options, unit = _quarters(answered.value), ""
    elif quantity == "centre":
        options, unit = five_of_parts(answered.numbers, centre(setting), name), "m m m"
    elif quantity == "camera_pose":
        options, unit = five_of_parts(answered.numbers, pose(setting), name), "m m m deg deg deg"
    else:
        sides = quantity == "azimuth_change"
        options = five(answered.numbers[0], setting, quantity, name, sides=sides)
        unit = measure_of(setting, quantity).unit
    return Question(
        id=name,
        task=task,
        text=f"What is the {quantity.replace('_', ' ')} (form {k})?",
        answer=options.texts[options.index],
        choices=options.texts,
        media=(scene.id,),
        scene=scene.id,
        span_s=(1.0, 8.0),
        program=program,
        evidence=Evidence(objects=(), steps=tuple(answered.selected(video_view(scene)))),
        sampled_error=options.error,
        groups=Groups(cluster=scene.id, pair=f"{name}-number"),
        tags={
            "setting": setting, "form": quantity, "quantity": quantity, "unit": unit, "video": scene.id,
            **({"nearest_error": f"{options.nearest_shown:.6g}"} if options.nearest_shown else {}),
        },
    )  # fmt: skip


def _twin(chosen: Question, answered: Trace, setting: str, quantity: str) -> Question:
    measure = measure_of(setting, quantity)
    value = answered.numbers[0] / measure.one
    step = step_for(measure.least / measure.one)
    write = to_a_side if quantity == "azimuth_change" else with_unit
    return msgspec.structs.replace(
        chosen,
        id=f"{chosen.id}-number",
        answer=write(float(rounded(np.array(value), step)), step, measure.unit),
        choices=(),
        sampled_error=None,
        groups=Groups(cluster=chosen.groups.cluster),
        tags={**chosen.tags, "numeric": "yes"},
    )


def make_dataset(path: Path, videos: int = 4, numeric: bool = True, pictures: bool = False) -> Dataset:
    """Write a dataset of so many videos of each setting and return it."""
    scenes = [video(setting, k) for setting in SCALE for k in range(videos)]
    shown = np.linspace(0, 299, 30).astype(int).tolist()
    media = [_media(path, scene, k, shown if pictures else []) for k, scene in enumerate(scenes)]
    questions = [q for scene in scenes for q in questions_of(scene, numeric)]
    write_jsonl(path / SCENES, scenes)
    write_jsonl(path / MEDIA, media)
    write_jsonl(path / QUESTIONS, questions)
    identity = hashlib.sha256(f"made {videos} {numeric}".encode()).hexdigest()
    manifest = Manifest(
        kind="dataset",
        tool="fathom",
        tool_version="0",
        schema_version=SCHEMA_VERSION,
        command="build",
        settings={},
        name=path.name,
        benchmark="sti-bench",
        benchmark_version="1",
        seed="0",
        counts={"questions": len(questions)},
        identity=identity,
        complete=True,
    )
    write_json(path / MANIFEST, manifest)
    return open_dataset(path)


def _media(path: Path, scene: Scene, k: int, shown: list[int]) -> Media:
    seconds = 10 + (7 * k) % 11
    entry = Media(
        id=scene.id, path=f"media/{scene.id}.mp4", kind="video", size=(64, 48), sha256="0" * 64,
        scene=scene.id, frames=300, fps=300 / seconds,
    )  # fmt: skip
    stills = {}
    for frame in shown:
        data = png((40 + 3 * k % 200, 90, frame % 255), (64, 48))
        write_bytes(path / still_path(entry, frame), data)
        stills[frame] = hashlib.sha256(data).hexdigest()
    return msgspec.structs.replace(
        entry, stills=stills, sha256=hash_of_stills(stills) if stills else "0" * 64
    )

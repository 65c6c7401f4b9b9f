"""Digests of what a dataset asks and shows, whatever its files call the fields.

Only values go in, in an order that is said here. Floats are rounded to nine digits, because the last bits
of a sine depend on the processor.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec

from fathom.records import Question, Scene, SceneObject
from fathom.store.datasets import open_dataset

DIGITS = 9

Digests = dict[str, dict[str, str]]
"""For "questions" and for "scenes": id → digest. Of large sets the questions of a scene have one."""


def plain(value: Any) -> Any:
    """Return a value without the names of fields: numbers, texts, lists, and pairs in the order of keys."""
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") + 0.0
    if isinstance(value, msgspec.Struct):
        return [plain(v) for v in msgspec.structs.astuple(value)]
    if isinstance(value, dict):
        return [[plain(k), plain(v)] for k, v in sorted(value.items())]
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return value


def digest(value: Any) -> str:
    """Return twelve hexadecimal digits of a value."""
    text = json.dumps(plain(value), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def question_digest(question: Question) -> str:
    """Return the digest of what a question asks, of its answer, and of what proves it."""
    q = question
    asked = (q.id, q.task, q.text, q.choices, q.answer, q.media, q.span_s)
    return digest((asked, q.program, q.margin, q.evidence, q.precision))


def _object(obj: SceneObject) -> tuple[Any, ...]:
    looks = (obj.id, obj.category, obj.subtype, obj.size_m, obj.attributes, obj.parts)
    return (*looks, obj.poses, obj.asset.name, obj.animations, obj.events)


def scene_digest(scene: Scene) -> str:
    """Return the digest of what stands, moves and shows in a scene."""
    world = ([_object(t) for t in scene.objects], scene.cameras, scene.times_s, scene.environment.name)
    return digest((scene.id, world, scene.visibility, scene.sweeps, scene.directions))


def digests_of(folder: Path) -> Digests:
    """Return the digest of every question and of every scene of a dataset folder."""
    dataset = open_dataset(folder)
    return {
        "questions": {q.id: question_digest(q) for q in dataset.questions()},
        "scenes": {s.id: scene_digest(s) for s in dataset.scenes()},
    }


def digests_by_scene(folder: Path) -> Digests:
    """Return one digest for all questions of each scene, one of each scene, and the benchmark's version."""
    dataset = open_dataset(folder)
    asked: dict[str, list[str]] = {}
    for q in dataset.questions():
        asked.setdefault(q.scene, []).append(question_digest(q))
    return {
        "questions": {scene: digest(sorted(several)) for scene, several in asked.items()},
        "scenes": {s.id: scene_digest(s) for s in dataset.scenes()},
        "version": {dataset.manifest.benchmark: dataset.manifest.benchmark_version},
    }


def differing(found: Digests, recorded: Digests) -> list[str]:
    """Return a line for each kind of difference, with the first ids; none where all is as recorded."""
    out = []
    for what, then in recorded.items():
        now = found[what]
        for word, ids in (
            ("are gone", [k for k in then if k not in now]),
            ("are new", [k for k in now if k not in then]),
            ("differ", [k for k in then if k in now and now[k] != then[k]]),
        ):
            if ids:
                out.append(f"{len(ids)} of {len(then)} {what} {word}: {', '.join(ids[:5])}")
    return out

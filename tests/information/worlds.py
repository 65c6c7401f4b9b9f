"""Small datasets of still scenes with known truth, and pictures of them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import numpy as np
import pytest

from fathom import api
from fathom.records import Manifest, Media, ObjectVisibility, Scene
from fathom.store.datasets import MANIFEST, MEDIA, QUESTIONS, SCENES, SCHEMA_VERSION
from fathom.store.files import write_bytes, write_json, write_jsonl
from tests.built_once import built_once
from tests.inference.folders import png, scene

LABELS = ("car", "bus", "motorbike", "bicycle", "aeroplane")


def furnished_rooms(factory: pytest.TempPathFactory) -> Path:
    """Return two furnished rooms, painted quickly."""
    return built_once(
        factory,
        "furnished-rooms",
        lambda out: api.build_dataset(
            "seed-bench", out, scenes=2, seed="5", quality="draft", workers=1, settings={"further": "0"}
        ),
    )


def still(number: int) -> Scene:
    """Return a scene of four objects that stand clear of one another, of classes drawn by its number."""
    base = scene(number)
    draw = np.random.default_rng(number)
    labels = draw.permutation(LABELS)[: len(base.objects)].tolist()
    width, height = base.cameras[0].width, base.cameras[0].height
    places = draw.permutation(8)
    objects, seen = [], []
    for k, (thing, label) in enumerate(zip(base.objects, labels, strict=True)):
        column, row = int(places[k]) % 4, int(places[k]) // 4
        box = [(column + 0.1) / 4, (row + 0.2) / 2, (column + 0.9) / 4, (row + 0.8) / 2]
        px = (int(box[0] * width), int(box[1] * height), int(box[2] * width), int(box[3] * height))
        objects.append(msgspec.structs.replace(thing, category=label, subtype=label))
        seen.append(
            ObjectVisibility(object_id=thing.id, full_px=900, amodal_px=900, visible_px=900, box_px=px)
        )
    changed: Scene = msgspec.structs.replace(
        base, id=f"scene-{number:03d}", objects=tuple(objects), visibility=tuple(seen)
    )
    return changed


def make_worlds(path: Path, scenes: int = 6) -> Path:
    """Write a dataset of still scenes, each with a picture."""
    drawn = [still(n) for n in range(scenes)]
    media = []
    for number, each in enumerate(drawn):
        data = png((number * 40 % 256, 80, 160), (8, 6))
        write_bytes(path / "media" / f"{each.id}.png", data)
        digest = hashlib.sha256(data).hexdigest()
        media.append(
            Media(
                id=f"{each.id}/view_0", path=f"media/{each.id}.png", kind="image", size=(8, 6),
                sha256=digest, scene=each.id,
            )
        )  # fmt: skip
    write_jsonl(path / SCENES, drawn)
    write_jsonl(path / MEDIA, media)
    write_jsonl(path / QUESTIONS, [])
    manifest = Manifest(
        kind="dataset", tool="fathom", tool_version="0", schema_version=SCHEMA_VERSION, command="build",
        settings={}, benchmark="pulsecheck457", benchmark_version="1", seed="0",
        identity=hashlib.sha256(f"worlds {scenes}".encode()).hexdigest(), complete=True,
    )  # fmt: skip
    write_json(path / MANIFEST, manifest)
    return path

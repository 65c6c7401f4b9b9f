"""Models whose clips nobody has named are filmed and asked about with all forms that need no verb."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fathom import api
from fathom.assets.animated.manifest import (
    FILE_NAME,
    AnimatedEntry,
    AnimatedManifest,
    ClipEntry,
    MaterialEntry,
    write_animated_manifest,
)
from fathom.datasets.generators.animated_library import examined, opened
from fathom.store.datasets import open_dataset
from tests.animated.moving_gltf import clip
from tests.films_built.made import SMALL, bird

PAINTS = ((0.8, 0.02, 0.02), (0.02, 0.05, 0.8), (0.9, 0.75, 0.02))


@pytest.fixture(scope="module")
def unnamed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of three birds, reviewed but for what they do."""
    folder = tmp_path_factory.mktemp("unnamed")
    entries = []
    for k, paint in enumerate(PAINTS):
        made = bird(paint)
        for number, animation in enumerate(made.json["animations"]):
            animation["name"] = f"Take {number + 1:03d}"
        made.write(folder / f"{k:032x}.gltf")
        clips = tuple(
            ClipEntry(name=f"Take {n:03d}", end_s=1.0, duration_s=1.0, loops=True) for n in (1, 2, 3)
        )
        entries.append(
            AnimatedEntry(
                file=f"{k:032x}.gltf", name=f"{k:032x}", noun="bird", category="animal", size_m=0.4,
                clips=clips, limbs={"head": ("head",), "body": ("body",)}, reviewed=True,
                materials={
                    "paint 0": MaterialEntry(word="body", color=("red", "blue", "yellow")[k]),
                    "paint 1": MaterialEntry(word="head", color="green"),
                },
            )
        )  # fmt: skip
    write_animated_manifest(folder / FILE_NAME, AnimatedManifest(name="unnamed", assets=tuple(entries)))
    return folder


def test_no_model_is_left_out_because_nobody_said_what_it_does(unnamed: Path) -> None:
    assert [d.reason for d in examined(unnamed) if "verb" in d.reason] == []
    assert [len(a.clips) for a in opened(unnamed).assets] == [3, 3, 3]


def test_a_clip_that_hardly_moves_is_left_out_with_the_reason(tmp_path: Path) -> None:
    made = bird()
    clip(made, "Quiver", (1, "translation", [0, 0.5, 1], [[0, 1, 1], [0, 1.03, 1], [0, 1, 1]]))
    made.write(tmp_path / "bird.gltf")
    names = ("Jump", "Quiver")
    clips = tuple(ClipEntry(name=n, end_s=1.0, duration_s=1.0, loops=True) for n in names)
    entry = AnimatedEntry(
        file="bird.gltf", name="bird", noun="bird", category="animal", size_m=0.4, clips=clips, reviewed=True
    )
    write_animated_manifest(tmp_path / FILE_NAME, AnimatedManifest(name="still", assets=(entry,)))
    (left,) = examined(tmp_path)
    assert left.name == "bird / Quiver"
    assert "no point of it gets farther than" in left.reason
    assert "no joint turns by more than 0.0°" in left.reason and "% of its pixels change" in left.reason


def test_they_are_filmed_curated_and_asked_about_without_a_verb(unnamed: Path, tmp_path: Path) -> None:
    api.build_dataset(
        "4d-bench", tmp_path / "set", scenes=3, seed="take", renderer="none", workers=1, assets=unnamed,
        settings=SMALL | {"stage": "alone", "curate": "off", "questions": 8.5},
    )  # fmt: skip
    dataset = open_dataset(tmp_path / "set")
    scenes = list(dataset.scenes())
    assert len(scenes) == 3
    assert all(a.clip and not a.verb for s in scenes for a in s.objects[0].animations)
    asked = Counter(q.tags["form"] for q in dataset.questions() if q.choices)
    assert sum(asked.values()) >= 4 and len(asked) >= 3
    assert not {"action.nth", "action.shown", "action.fastest"} & set(asked)
    assert dataset.manifest.settings["questions"] == 8.5
    assert all("Take" not in f"{q.text} {q.choices}" for q in dataset.questions())

"""Visual information: from truth, with noise, from other tools' files, and resumed after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fathom import api
from fathom.authoring.information.as_text import as_text
from fathom.authoring.information.extracting import information_in
from fathom.authoring.information.nouns import nouns_in
from fathom.authoring.information.perfect import SeenScene, described
from fathom.authoring.information.record import SeenInstance, VisualInformation
from fathom.records import DataError, InputError
from fathom.store.datasets import open_dataset
from tests.inference.folders import png
from tests.information.worlds import make_worlds


def found(images: Path, out: Path, *extractors: str) -> dict[str, VisualInformation]:
    api.extract_information(images, out, extractors=extractors)
    return information_in(open_dataset(out))


def test_the_perfect_extractor_says_what_each_scene_holds_and_where(tmp_path: Path) -> None:
    worlds = make_worlds(tmp_path / "worlds")
    said = found(worlds, tmp_path / "info", "perfect")
    dataset = open_dataset(worlds)
    assert len(said) == 6
    for name, record in said.items():
        scene = dataset.scene(dataset.media(name).scene)
        assert [i.label for i in record.instances] == [o.category for o in scene.objects]
        camera = scene.cameras[0]
        for instance, seen in zip(record.instances, scene.visibility, strict=True):
            assert instance.box[0] == pytest.approx(seen.box_px[0] / camera.width, abs=1e-4)
            assert instance.box[3] == pytest.approx(seen.box_px[3] / camera.height, abs=1e-4)
            assert instance.label in record.captions[0].text.casefold()
            assert f"- {instance.label}: [" in as_text(record)


def test_a_count_in_a_caption_is_never_a_smaller_one() -> None:
    birds = [SeenInstance(label="bird", box=(0.1, 0.1, 0.2, 0.2), source="x") for _ in range(14)]
    said = described("flock", SeenScene("in a field", birds), "x").captions
    assert [c.text for c in said] == ["14 birds in a field.", "A picture of 14 birds."]


def test_noise_at_rate_zero_changes_nothing_and_at_higher_rates_the_same_objects_err(tmp_path: Path) -> None:
    worlds = make_worlds(tmp_path / "worlds", 30)
    truth = found(worlds, tmp_path / "a", "perfect")
    none = found(worlds, tmp_path / "b", "noisy")
    low = found(worlds, tmp_path / "c", "noisy=labels=0.1,seed=4")
    high = found(worlds, tmp_path / "d", "noisy=labels=0.3,seed=4")

    def labels(said: dict[str, VisualInformation]) -> list[str]:
        return [i.label for record in said.values() for i in record.instances]

    def wrong(said: dict[str, VisualInformation]) -> set[int]:
        return {k for k, (a, b) in enumerate(zip(labels(truth), labels(said), strict=True)) if a != b}

    assert [as_text(r) for r in none.values()] == [as_text(r) for r in truth.values()]
    assert wrong(low) < wrong(high)
    assert 0.2 < len(wrong(high)) / 120 < 0.4
    missed = found(worlds, tmp_path / "e", "noisy=missed=0.25,boxes=0.05")
    assert 0.6 < len(labels(missed)) / 120 < 0.9
    boxes = [i.box for record in missed.values() for i in record.instances]
    assert all(0 <= v <= 1 for box in boxes for v in box)
    assert not {i.box for r in truth.values() for i in r.instances} & set(boxes)


def test_files_of_other_tools_are_read_in_their_own_units(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / "one.png").write_bytes(png((1, 2, 3), (8, 4)))
    coco = {
        "images": [{"id": 7, "file_name": "one.png", "width": 8, "height": 4}],
        "categories": [{"id": 3, "name": "dog"}],
        "annotations": [{"image_id": 7, "category_id": 3, "bbox": [2, 1, 4, 2], "score": 0.5}],
    }
    (tmp_path / "boxes.json").write_text(json.dumps(coco), encoding="utf-8")
    line = {
        "id": "one",
        "captions": [{"text": "a dog"}],
        "texts": [{"text": "EXIT", "box": [0, 0, 0.5, 0.1]}],
    }
    (tmp_path / "tags.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    said = found(pictures, tmp_path / "info", f"coco={tmp_path}/boxes.json", f"jsonl={tmp_path}/tags.jsonl")
    record = said["one"]
    assert record.instances[0].box == (0.25, 0.25, 0.75, 0.75)
    assert (record.instances[0].label, record.instances[0].score) == ("dog", 0.5)
    assert (record.captions[0].source, record.texts[0].text) == ("tags", "EXIT")
    line["texts"] = [{"text": "EXIT", "box": [0, 0, 50, 10]}]
    (tmp_path / "tags.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"tags\.jsonl:1: the box"):
        found(pictures, tmp_path / "other", f"jsonl={tmp_path}/tags.jsonl")


def test_a_corrupt_picture_and_one_that_nothing_is_said_of_cost_a_sentence_each(tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for name in ("one", "two"):
        (pictures / f"{name}.png").write_bytes(png((1, 2, 3)))
    (pictures / "broken.png").write_bytes(b"no picture")
    (tmp_path / "said.jsonl").write_text('{"id": "one", "captions": [{"text": "a dog"}]}\n', encoding="utf-8")
    report = api.extract_information(
        pictures, tmp_path / "info", extractors=[f"jsonl={tmp_path / 'said.jsonl'}"]
    )
    assert report.counts["captions"] == 1
    assert len(report.failures) == 2
    assert any("broken (picture)" in f for f in report.failures)
    assert any("says nothing of two" in f for f in report.failures)
    dataset = open_dataset(tmp_path / "info")
    assert dataset.media_bytes("one") == png((1, 2, 3))
    with pytest.raises(InputError, match="other pictures or extractors"):
        api.extract_information(tmp_path / "pictures", tmp_path / "info", extractors=["perfect"])


SLOW = """
import time
from fathom.authoring.information.extractors import one_by_one
from fathom.authoring.information.record import CaptionOf, VisualInformation

def opened(rest, pictures):
    def look(picture):
        with open("looked.txt", "a") as file:
            file.write(picture.id + "\\n")
        time.sleep(0.2)
        return VisualInformation(id=picture.id, captions=(CaptionOf(text="a dog", source="slow"),))
    return one_by_one("slow", "1", look)
"""


def test_killed_in_the_middle_it_carries_on_and_looks_at_no_picture_twice_but_the_last(
    tmp_path: Path,
) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for number in range(8):
        (pictures / f"{number}.png").write_bytes(png((number, 2, 3)))
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    command = [sys.executable, "-m", "fathom", "extract", "pictures", "--out", "info"]
    command += ["--extractors", "slow:opened", "--quiet"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)])}
    looked = tmp_path / "looked.txt"
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdout=subprocess.DEVNULL) as first:
        while first.poll() is None and not (looked.exists() and len(looked.read_text().split()) >= 3):
            time.sleep(0.02)
        first.send_signal(signal.SIGKILL)
    assert not (tmp_path / "info" / "manifest.json").exists()
    (journal,) = (tmp_path / "info" / "work").glob("*.jsonl")
    with journal.open("ab") as file:
        file.write(b'{"id": "half')
    subprocess.run(command, cwd=tmp_path, env=env, check=True, stdout=subprocess.DEVNULL)
    said = information_in(open_dataset(tmp_path / "info"))
    assert {r.captions[0].text for r in said.values()} == {"a dog"}
    assert len(said) == 8
    names = looked.read_text().split()
    assert set(names) == {str(n) for n in range(8)}
    assert len(names) <= 9


@pytest.mark.parametrize(
    ("caption", "nouns"),
    [
        ("A man in a red shirt is riding a horse on the beach.", ["man", "shirt", "horse", "beach"]),
        ("Two people and three dogs, walking slowly.", ["people", "dogs"]),
        ("Red and blue.", []),
        ("A tall building next to a bus stop with people waiting", ["building", "stop", "people"]),
    ],
)
def test_nouns_end_noun_phrases(caption: str, nouns: list[str]) -> None:
    assert nouns_in(caption) == nouns


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("magic", "there is perfect"),
        ("noisy=labels=2", "rates from 0 to 1"),
        ("coco=no.json", "expected a file"),
    ],
)
def test_what_is_no_extractor_is_said_in_one_sentence(tmp_path: Path, spec: str, words: str) -> None:
    worlds = make_worlds(tmp_path / "worlds", 1)
    with pytest.raises(InputError, match=words):
        api.extract_information(worlds, tmp_path / "info", extractors=[spec])

"""The recognition test of perf/: balanced crops, headings that are what they say, fair marking."""

from __future__ import annotations

import importlib.util
import math
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.assets.libraries import VEHICLES
from fathom.geometry.cameras import project
from fathom.geometry.poses import to_world
from fathom.records import DataError
from fathom.store.files import read_json, write_text

SCRIPT = Path(__file__).parents[2] / "perf" / "recognition.py"


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("recognition", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["recognition"] = module
    spec.loader.exec_module(module)
    return module


recognition: Any = _load()


def key(facing: str = "left", subtype: str = "sedan") -> Any:
    return recognition.Key(VEHICLES[subtype].category, subtype, "red", facing, 270.0, "overcast asphalt")


def answer(category: str = "car", facing: str = "left", subtype: str = "sedan") -> Any:
    return recognition.Answer(category, facing, subtype)


def test_subtypes_are_balanced_and_no_direction_of_a_subtype_comes_twice_before_all_have_come() -> None:
    keys = recognition.plan(84, 3)
    assert Counter(k.subtype for k in keys) == dict.fromkeys(VEHICLES, 4)
    assert len({(k.subtype, k.facing) for k in keys}) == 84
    assert len({k.color for k in keys}) == 8
    assert recognition.plan(84, 3) == keys != recognition.plan(84, 4)


def test_the_jitter_stays_within_ten_degrees_of_the_direction_that_the_key_names() -> None:
    for k in recognition.plan(168, 1):
        off = (k.turn_deg - 45 * recognition.FACINGS.index(k.facing) + 180) % 360 - 180
        assert abs(off) <= 10


@pytest.mark.parametrize("facing", recognition.FACINGS)
def test_the_front_points_in_the_picture_where_the_key_says(facing: str) -> None:
    turn = 45.0 * recognition.FACINGS.index(facing)
    scene, _ = recognition.placed(msgspec.structs.replace(key(facing), turn_deg=turn), 60, 0, 7)
    camera = scene.cameras[0]
    ends = to_world(scene.objects[0].poses[0], np.array([[-0.1, 0, 0], [0.1, 0, 0]]))
    (back, front), depth = project(camera, ends)
    right, nearer = front[0] - back[0], depth[0] - depth[1]
    assert ("right" in facing) == (right > 1)
    assert ("left" in facing) == (right < -1)
    assert ("towards" in facing) == (nearer > 0.05)
    assert ("away" in facing) == (nearer < -0.05)


def test_the_longer_side_of_the_outline_is_as_many_pixels_as_asked_for() -> None:
    for number, subtype in enumerate(("airliner", "double", "road")):
        scene, model = recognition.placed(key(subtype=subtype), 60, 0, number)
        low, high = recognition.outline(scene.cameras[0], scene.objects[0].poses[0], model)
        assert float((high - low).max()) == pytest.approx(60, abs=0.5)
        assert low.min() >= 0
        assert high.max() <= scene.cameras[0].width


def test_the_camera_is_the_papers() -> None:
    scene, _ = recognition.placed(key(), 60, 0, 1)
    x, y, z = scene.cameras[0].poses[0].position_m
    assert 25 < math.degrees(math.atan2(z, math.hypot(x, y))) < 33
    assert scene.cameras[0].fx == 700


@pytest.mark.parametrize(
    ("text", "facing"),
    [
        ("towards", "towards"), ("towards the camera", "towards"), ("away from the camera", "away"),
        ("front-left", "towards and left"), ("Back right", "away and right"), ("left", "left"),
        ("towards-right", "towards and right"), ("90", "right"), ("350°", "away"), ("270.0", "left"),
    ],
)  # fmt: skip
def test_directions_are_read_in_words_and_in_degrees(text: str, facing: str) -> None:
    assert recognition.FACINGS[recognition.facing_index(text)] == facing


@pytest.mark.parametrize("text", ["", "no idea", "left right", "up"])
def test_what_names_no_direction_is_read_as_none(text: str) -> None:
    assert recognition.facing_index(text) is None


def test_perfect_answers_score_in_full() -> None:
    keys = {f"{n:03d}": k for n, k in enumerate(recognition.plan(42, 0))}
    answers = {n: answer(k.category, k.facing, k.subtype) for n, k in keys.items()}
    text = recognition.report(keys, answers)
    assert text.count("| 42 | 42 | 100.0 % |") == 5


def test_a_neighbouring_direction_is_right_but_not_exact_and_further_ones_are_wrong() -> None:
    keys = {"000": key("left")}
    for facing, within, exact in (("towards and left", 1, 0), ("left", 1, 1), ("towards", 0, 0)):
        text = recognition.report(keys, {"000": answer(facing=facing)})
        assert f"| facing, within 45° | {within} |" in text
        assert f"| facing, exact of 8 | {exact} |" in text


def test_what_is_not_answered_is_wrong_and_counted() -> None:
    text = recognition.report({"000": key(), "001": key()}, {"000": answer()})
    assert "| class | 1 | 2 | 50.0 % |" in text
    assert "1 not answered" in text


def test_an_answer_to_no_crop_is_an_error() -> None:
    with pytest.raises(DataError, match="'007'"):
        recognition.report({"000": key()}, {"007": answer()})


def test_answers_are_read_from_a_file_strictly(tmp_path: Path) -> None:
    answers: Any = dict[str, recognition.Answer]
    write_text(tmp_path / "a.json", '{"000": {"class": "car", "facing": "left", "subtype": "sedan"}}')
    assert read_json(tmp_path / "a.json", answers) == {"000": answer()}
    write_text(tmp_path / "a.json", '{"000": {"klass": "car"}}')
    with pytest.raises(DataError, match="klass"):
        read_json(tmp_path / "a.json", answers)


@given(st.integers(0, 60), st.integers(1, 60))
def test_an_interval_holds_its_share_and_stays_between_none_and_all(right: int, more: int) -> None:
    low, high = recognition.wilson(right, right + more)
    assert 0 <= low <= right / (right + more) <= high <= 1

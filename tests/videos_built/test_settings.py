"""What a build's manifest says of its settings can be read back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from fathom.datasets.generator import settings_of
from fathom.datasets.generators.videos import further
from fathom.datasets.generators.videos_settings import Plan, VideoSettings, place_of
from fathom.datasets.registry import GENERATORS
from fathom.records import Setting


def _plan(out: Path, scenes: int, own: VideoSettings) -> Plan:
    return Plan(out, "x", "1", GENERATORS["videos"], "", scenes, "0", own)


def test_the_settings_of_every_scale_can_be_read_back(tmp_path: Path) -> None:
    plan = _plan(tmp_path, 3, VideoSettings())
    settings = settings_of(plan)
    assert {name.partition(".")[0] for name in settings if "." in name} == set(plan.own.scales)
    read = msgspec.json.decode(msgspec.json.encode(settings), type=dict[str, Setting])
    assert read == settings


@pytest.mark.parametrize(
    ("share", "lacking", "drawn"),
    [
        (0.5, {"desktop": 7, "outdoor": 2}, {"desktop": 3, "outdoor": 1}),
        (0.5, {"indoor": 90}, {"indoor": 5}),
        (0.2, {"desktop": 7, "outdoor": 9}, {"desktop": 1, "outdoor": 1}),
        (0.0, {"desktop": 7}, {}),
        (0.5, {}, {}),
    ],
)
def test_further_worlds_are_of_the_settings_that_lack_questions(
    tmp_path: Path, share: float, lacking: dict[str, int], drawn: dict[str, int]
) -> None:
    plan = _plan(tmp_path, 10, VideoSettings(further=share))
    found = further(plan, lacking, range(10))
    assert Counter(place_of(plan.own, k)[0] for k in found) == drawn
    assert not {*found} & {*range(10)} and len({*found}) == len(found)
    # The bound is that of all rounds together.
    again = further(plan, lacking, [*range(10), *found])
    assert len(found) + len(again) <= share * 10 and not {*found} & {*again}

"""What a build's manifest says of its settings can be read back."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from fathom.build.videos.further import further
from fathom.build.videos.plan import VideoPlan
from fathom.records import Setting


def test_the_settings_of_every_scale_can_be_read_back(tmp_path: Path) -> None:
    plan = VideoPlan(
        out=tmp_path, benchmark="sti-bench", benchmark_version="1", construct="", scenes=3, seed="0"
    )
    settings = plan.settings()
    assert {name.partition(".")[0] for name in settings if "." in name} == set(plan.scales)
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
    plan = VideoPlan(
        out=tmp_path, benchmark="x", benchmark_version="1", construct="", scenes=10, seed="0", further=share
    )
    found = further(plan, lacking, range(10))
    assert Counter(plan.place(k)[0] for k in found) == drawn
    assert not {*found} & {*range(10)} and len({*found}) == len(found)
    # The bound is that of all rounds together.
    again = further(plan, lacking, [*range(10), *found])
    assert len(found) + len(again) <= share * 10 and not {*found} & {*again}

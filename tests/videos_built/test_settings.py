"""What a build's manifest says of its settings can be read back."""

from __future__ import annotations

from pathlib import Path

import msgspec

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

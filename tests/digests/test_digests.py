"""Small builds ask and show what was recorded; FATHOM_GOLDEN=write records them again.

Whoever changes a question on purpose records again, in a commit that says why.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from fathom.store.files import write_json
from tests.digests.content import Digests, differing, digests_by_scene, digests_of
from tests.digests.sets import SMALL, Recorded, asked_of_boxes, built

RECORDS = Path(__file__).parent / "recorded"


@pytest.mark.parametrize("wanted", SMALL, ids=lambda w: w.name)
def test_a_build_asks_and_shows_what_was_recorded(wanted: Recorded, tmp_path: Path) -> None:
    folder = built(wanted, tmp_path / "set")
    _held(digests_of(folder), wanted.name)
    together = digests_by_scene(folder)
    assert together["scenes"] == digests_of(folder)["scenes"]
    assert together["questions"].keys() <= together["scenes"].keys()
    assert list(together["version"]) == [wanted.benchmark]


def test_videos_of_boxes_are_asked_what_was_recorded() -> None:
    _held(asked_of_boxes(), "sti-bench-boxes")


def _held(found: Digests, name: str) -> None:
    file = RECORDS / f"{name}.json"
    if os.environ.get("FATHOM_GOLDEN") == "write":
        write_json(file, found)
    recorded = msgspec.json.decode(file.read_bytes(), type=Digests)
    assert recorded["questions"] and recorded["scenes"]
    assert differing(found, recorded) == []


def test_a_digest_moves_with_the_answer_and_not_with_the_last_bits() -> None:
    from fathom.records import Margin, Question
    from tests.digests.content import question_digest

    def asked(answer: str, value: float) -> str:
        margin = Margin(relation="left", value=value, unit="m", ratio=3.0)
        return question_digest(Question(id="q", task="t", text="?", answer=answer, margin=margin))

    assert asked("yes", 0.1 + 0.2) == asked("yes", 0.3)
    assert asked("yes", 0.3) != asked("no", 0.3)
    assert asked("yes", 0.3) != asked("yes", 0.3001)


def test_what_differs_is_named() -> None:
    then: Digests = {"questions": {"a": "1", "b": "2"}, "scenes": {"s": "3"}}
    now: Digests = {"questions": {"a": "1", "b": "9", "c": "2"}, "scenes": {}}
    assert differing(now, then) == [
        "1 of 2 questions are new: c",
        "1 of 2 questions differ: b",
        "1 of 1 scenes are gone: s",
    ]

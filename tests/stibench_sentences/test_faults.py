"""Faults of wording, planted into questions that are right, are all found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from fathom import api
from fathom.benchmarks.stibench.sentences import read_text
from fathom.questions.video_candidate import VideoCandidate
from fathom.questions.writing import video
from fathom.records import Manifest, Question, Scene, UnfitError
from fathom.store.datasets import MANIFEST
from fathom.store.files import read_json
from tests.stibench_sentences.conftest import Texts
from tests.stibench_sentences.faults import FAULTS
from tests.videos_built.conftest import SEED, SMALL

MOST = 60
"""So many questions get each fault."""


Planted = tuple[Question, Scene, Question]
"""A question with a fault, its scene, and the question as it was."""


def planted(texts: Texts, name: str) -> Iterator[Planted]:
    for scene, q in texts:
        found = FAULTS[name](q, scene)
        if found is not None:
            yield found, scene, q


def test_nearly_every_kind_of_fault_finds_a_question_to_stand_in(texts: Texts) -> None:
    without = [name for name in FAULTS if next(planted(texts, name), None) is None]
    assert len(FAULTS) > 60 and len(without) <= 4, without


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(texts: Texts, name: str) -> None:
    there = list(islice(planted(texts, name), MOST))
    missed = [
        (p.text, p.choices, p.answer, q.answer)
        for p, scene, q in there
        if read_text(p, scene).verdict == "agree"
    ]
    # Another last digit may be nearer to the truth than a step of five of it.
    assert len(missed) <= (len(there) // 50 if name == "a digit of the answer" else 0), missed


def test_a_fault_in_the_writer_stops_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The y of all places is said to grow upwards; the program and both derivations know nothing of it."""
    plain = video.sentence

    def upside_down(candidate: VideoCandidate, seed: str, side: str = "") -> str:
        return plain(candidate, seed, side).replace("y down", "y up")

    monkeypatch.setattr(video, "sentence", upside_down)
    with pytest.raises(UnfitError, match="y up"):
        api.build_dataset(
            "sti-bench",
            tmp_path / "set",
            scenes=2,
            seed=SEED,
            renderer="none",
            settings={**SMALL, "further": "0"},
            workers=1,
        )
    assert not read_json(tmp_path / "set" / MANIFEST, Manifest).complete

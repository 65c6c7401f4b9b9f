"""Faults of wording, planted into questions that are right, are all found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fathom import api
from fathom.benchmarks.fourdbench.sentences import read_text
from fathom.questions.contexts.animated_words import sentence
from fathom.questions.templates import Fill
from fathom.questions.writing import animated
from fathom.records import Manifest, UnfitError
from fathom.store.datasets import MANIFEST, open_dataset
from fathom.store.files import read_json
from tests.films_built.conftest import SEED, films
from tests.films_built.made import SMALL
from tests.fourdbench_sentences.conftest import Texts
from tests.fourdbench_sentences.faults import FAULTS

__all__ = ["films"]


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_in_every_question_that_it_applies_to(texts: Texts, name: str) -> None:
    planted = [(scene, q, FAULTS[name](q, scene)) for scene, q in texts]
    there = [(scene, q, p) for scene, q, p in planted if p is not None]
    assert there, "no question has such words"
    missed = [(q.text, p.text, p.choices) for scene, q, p in there if read_text(p, scene).verdict == "agree"]
    assert not missed, missed[:3]


def test_every_fault_that_applies_to_a_built_question_is_found(films: Path) -> None:
    dataset = open_dataset(films)
    count = 0
    for q in (q for q in dataset.questions() if q.program):
        scene = dataset.scene(q.scene)
        for name in FAULTS:
            planted = FAULTS[name](q, scene)
            count += planted is not None
            assert planted is None or read_text(planted, scene).verdict != "agree", (name, planted.text)
    assert count > 100


def test_a_fault_in_the_writer_stops_the_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is so before something is asked for after it, and the other way round, and sides are swapped; the
    programs know nothing of it.
    """
    swapped = {"before": "after", "after": "before", "left": "right", "right": "left", "first": "last"}

    def turned(text: str, actor: str, fills: dict[str, Fill], variant: int) -> str:
        said = sentence(text, actor, fills, variant)
        return re.sub(r"\b(" + "|".join(swapped) + r")\b", lambda found: swapped[found.group()], said)

    monkeypatch.setattr(animated, "sentence", turned)
    with pytest.raises(UnfitError, match="It is a defect of the wording"):
        api.build_dataset(
            "4d-bench", tmp_path / "set", scenes=3, seed=SEED, renderer="none", settings=SMALL, workers=1
        )
    assert not read_json(tmp_path / "set" / MANIFEST, Manifest).complete

"""A classifier is trained from verdicts, carries on after a kill, and is measured on what it has not seen.

The encoder has random weights: that training and resuming work is shown, and nothing about quality.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.curation.classifier import (
    TRAINING,
    LabelledObject,
    Training,
    fold_of,
    open_classifier,
    train_classifier,
)
from fathom.curation.encoder import open_clip, prepared
from fathom.records import DataError, InputError
from fathom.store.files import read_json
from tests.curation.learning import SIDE_PX, examples, make_clip, pictures_of, settings
from tests.needed import needs

pytestmark = needs("torch", "transformers")

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def trained(clip_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a training of the head alone."""
    folder = tmp_path_factory.mktemp("trained")
    train_classifier(examples(), clip_folder, folder, settings())
    return folder


def weights_of(folder: Path) -> dict[str, np.ndarray]:
    import torch

    states = {p.stem: torch.load(p, weights_only=True) for p in sorted(folder.glob("*.state"))}
    return {f"{s}.{n}": v.numpy() for s, state in states.items() for n, v in state["weights"].items()}


def test_what_is_learnt_holds_for_objects_not_seen_and_is_measured_on_them(trained: Path) -> None:
    training = read_json(trained / TRAINING, Training)
    assert (training.kept, training.rejected) == (16, 8)
    assert training.chance == pytest.approx(2 / 3)
    assert len(training.losses) == 8
    assert training.losses[-1] < 0.8 * training.losses[0]
    assert training.accuracy is not None
    assert training.accuracy.value == pytest.approx(sum(training.right.values()) / 24)
    assert training.accuracy.low < training.accuracy.value <= training.accuracy.high
    assert training.accuracy.value > training.chance
    assert training.accuracy_rejected is not None
    assert training.accuracy_rejected.n == 8


def test_it_applies_to_new_objects(trained: Path, clip_folder: Path) -> None:
    classifier = open_classifier(trained, clip_folder)
    good = classifier.score(pictures_of("new", True))
    bad = classifier.score(pictures_of("new", False))
    assert 0 < bad < 0.5 < good < 1
    assert classifier.score(pictures_of("new", True)[::-1]) == pytest.approx(good, abs=1e-6)
    with pytest.raises(InputError, match="at least one picture"):
        classifier.score([])


@pytest.mark.parametrize("layers", [0, 2])
def test_a_training_that_is_killed_comes_to_the_same_weights(
    layers: int, clip_folder: Path, tmp_path: Path
) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    words = [sys.executable, "-m", "tests.curation.learning", str(clip_folder)]
    with subprocess.Popen(
        [*words, str(cut), str(layers)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as child:
        assert child.stdout is not None
        seen = 0
        while seen < 3 and (line := child.stdout.readline()):
            seen += "epoch" in line
        child.kill()
    assert child.returncode == -signal.SIGKILL
    assert not (cut / TRAINING).exists()
    resumed = train_classifier(examples(), clip_folder, cut, settings(layers))
    uninterrupted = train_classifier(examples(), clip_folder, whole, settings(layers))
    assert resumed == uninterrupted
    again, once = weights_of(cut), weights_of(whole)
    assert again.keys() == once.keys()
    assert all(np.array_equal(again[name], once[name]) for name in once)


def test_a_finished_training_is_not_done_again(trained: Path, clip_folder: Path) -> None:
    said: list[str] = []
    before = read_json(trained / TRAINING, Training)
    assert train_classifier(examples(), clip_folder, trained, settings(), said.append) == before
    assert not said


def test_layers_learn_only_where_that_is_asked_for(clip_folder: Path, tmp_path: Path) -> None:
    train_classifier(examples(12), clip_folder, tmp_path, settings(layers=1, epochs=2))
    names = {n.split(".", 1)[1] for n in weights_of(tmp_path) if n.startswith("classifier.")}
    assert "head.1.weight" in names
    assert any("layers.2." in n for n in names)
    assert not any("layers.1." in n or "embeddings" in n for n in names)
    tuned = open_classifier(tmp_path, clip_folder)
    plain = open_clip(clip_folder)
    of_tuned, of_plain = dict(tuned.encoder.model.named_parameters()), dict(plain.model.named_parameters())
    changed = {n for n, p in of_tuned.items() if not bool((p == of_plain[n]).all())}
    assert changed
    assert all("layers.2." in n or "post_layernorm" in n or "projection" in n for n in changed)


@pytest.mark.parametrize("keep", [[True] * 6, [True] * 5 + [False]])
def test_nothing_is_learnt_from_one_kind(keep: list[bool], clip_folder: Path, tmp_path: Path) -> None:
    few = [replace(e, keep=k) for e, k in zip(examples(6), keep, strict=True)]
    with pytest.raises(InputError, match="collect more"):
        train_classifier(few, clip_folder, tmp_path, settings())


def test_one_asset_cannot_be_validated_across(clip_folder: Path, tmp_path: Path) -> None:
    alone = [replace(e, asset="fox") for e in examples(12)]
    with pytest.raises(InputError, match="at least 2 assets"):
        train_classifier(alone, clip_folder, tmp_path, settings())


def test_another_training_in_the_same_folder_is_refused(trained: Path, clip_folder: Path) -> None:
    with pytest.raises(InputError, match="another training began here"):
        train_classifier(examples(20), clip_folder, trained, settings())


def test_an_object_with_too_few_pictures_is_named(clip_folder: Path, tmp_path: Path) -> None:
    few = [*examples(12), LabelledObject("poor", False, lambda: pictures_of("poor", False, 1))]
    with pytest.raises(InputError, match="poor: expected at least 2 pictures"):
        train_classifier(few, clip_folder, tmp_path, settings())
    with pytest.raises(InputError, match="given twice"):
        train_classifier([*examples(12), *examples(1)], clip_folder, tmp_path, settings())


def test_another_encoder_and_damaged_weights_are_refused(
    trained: Path, clip_folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="trained on another model"):
        open_classifier(trained, make_clip(tmp_path / "other", seed=1))
    broken = Path(shutil.copytree(trained, tmp_path / "broken"))
    (broken / "classifier.state").write_bytes(b"torn")
    with pytest.raises(DataError, match="not a valid state"):
        open_classifier(broken, clip_folder)
    (broken / "classifier.state").unlink()
    with pytest.raises(DataError, match="train again"):
        open_classifier(broken, clip_folder)


@pytest.mark.parametrize("config", [None, b'{"model_type": "bert"}', b"{"])
def test_a_folder_without_clip_is_refused(config: bytes | None, tmp_path: Path) -> None:
    if config is not None:
        (tmp_path / "config.json").write_bytes(config)
    with pytest.raises(InputError, match=r"CLIP model|not a valid settings file"):
        open_clip(tmp_path)


def test_pictures_are_prepared_on_white_and_from_the_middle() -> None:
    frame = np.zeros((40, 80, 4), np.uint8)
    frame[:, 30:50] = (255, 0, 0, 255)
    ready = prepared(frame, SIDE_PX)
    assert ready.shape == (SIDE_PX, SIDE_PX, 3)
    assert ready[5, 1].tolist() == [255, 255, 255]
    assert ready[14, 14].tolist() == [255, 0, 0]


@given(st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=2, max_size=40), st.integers(2, 6))
def test_an_asset_is_in_one_fold_and_no_fold_is_empty(drawn: list[tuple[int, bool]], folds: int) -> None:
    assets = [f"asset-{a}" for a, _ in drawn]
    found = fold_of(assets, np.array([k for _, k in drawn]), folds, "seed")
    assert len({(a, f) for a, f in zip(assets, found.tolist(), strict=True)}) == len(set(assets))
    numbers = sorted(set(found.tolist()))
    assert numbers == list(range(len(numbers)))
    assert all(b - a == 1 for a, b in pairwise(numbers))
    assert len(numbers) <= min(folds, len(set(assets)))

"""BERTScore and sentence cosines, on a BERT with random weights, against their definitions."""

from functools import partial
from pathlib import Path

import msgspec
import numpy as np
import pytest

from fathom.records import InputError, MissingExtraError
from fathom.scoring.metrics.captions import encoders
from fathom.scoring.metrics.captions.encoders import bert_score, open_encoder, sentence_cosine
from tests.captions.conftest import from_environment
from tests.captions.recorded import BY_CAPTION, PAIRS

CAPTIONS = ["the knight turns twice", "a dog", "a dragon flies left and turns its head", "", "zzz 😀"]
REFERENCES = [
    ["a knight turns", "the robot raises his sword"],
    ["a dog", "the dog flies"],
    ["the dragon turns left"],
    ["a knight"],
    ["the robot", "  "],
]


def test_a_caption_like_its_reference_gets_1_and_an_empty_one_0(tiny_bert: Path) -> None:
    for found in (
        bert_score(CAPTIONS, REFERENCES, tiny_bert, layer=2),
        sentence_cosine(CAPTIONS, REFERENCES, tiny_bert),
    ):
        assert found[1] == pytest.approx(1, abs=1e-6)
        assert found[3] == 0
        assert np.isfinite(found).all()
        assert 0 < found[0] < 1


def test_values_in_a_batch_are_those_of_each_caption_alone(tiny_bert: Path) -> None:
    for metric in (partial(bert_score, model=tiny_bert, layer=2), partial(sentence_cosine, model=tiny_bert)):
        together = metric(CAPTIONS, REFERENCES)
        alone = [metric([c], [r])[0] for c, r in zip(CAPTIONS, REFERENCES, strict=True)]
        assert together == pytest.approx(alone, abs=1e-5)


def test_bert_score_is_greedy_matching_of_tokens_by_their_cosine(tiny_bert: Path) -> None:
    import torch

    encoder = open_encoder(tiny_bert, "the test")

    def vectors(text: str) -> np.ndarray:
        with torch.no_grad():
            output = encoder.model(**encoder.tokenizer(text, return_tensors="pt"), output_hidden_states=True)
        states = output.hidden_states[1][0].numpy()
        return np.asarray(states / np.linalg.norm(states, axis=1, keepdims=True))

    a, b = vectors(CAPTIONS[0]), vectors(REFERENCES[0][0])
    cosines = a @ b.T
    precision, recall = cosines.max(axis=1)[1:-1].mean(), cosines.max(axis=0)[1:-1].mean()
    expected = 2 * precision * recall / (precision + recall)
    assert bert_score(CAPTIONS[:1], [REFERENCES[0][:1]], tiny_bert, layer=1)[0] == pytest.approx(
        expected, abs=1e-6
    )


def test_the_best_reference_counts(tiny_bert: Path) -> None:
    each = [bert_score(CAPTIONS[:1], [[r]], tiny_bert, layer=2)[0] for r in REFERENCES[0]]
    assert bert_score(CAPTIONS[:1], REFERENCES[:1], tiny_bert, layer=2)[0] == pytest.approx(
        max(each), abs=1e-6
    )


def test_a_long_text_is_cut_to_what_the_model_takes(tiny_bert: Path) -> None:
    found = bert_score(["dog " * 10_000], [["a dog"]], tiny_bert, layer=2)
    assert 0 < found[0] < 1
    assert open_encoder(tiny_bert, "the test").longest == 64


def test_a_layer_that_the_model_lacks_is_an_error(tiny_bert: Path) -> None:
    with pytest.raises(InputError, match="reads layer 9, and this model has 2"):
        bert_score(["a"], [["a"]], tiny_bert)


def test_a_model_that_pools_otherwise_is_refused(tiny_bert: Path, tmp_path: Path) -> None:
    (tmp_path / "1_Pooling").mkdir()
    for name in tiny_bert.iterdir():
        (tmp_path / name.name).symlink_to(name)
    (tmp_path / "1_Pooling" / "config.json").write_bytes(
        msgspec.json.encode({"pooling_mode_cls_token": True})
    )
    with pytest.raises(InputError, match="pooling_mode_cls_token"):
        sentence_cosine(["a"], [["a"]], tmp_path)
    (tmp_path / "1_Pooling" / "config.json").write_text("[")
    with pytest.raises(InputError, match="not a valid settings file"):
        sentence_cosine(["a"], [["a"]], tmp_path)


def test_a_folder_without_a_model_is_named(tmp_path: Path, tiny_bert: Path) -> None:
    with pytest.raises(InputError, match=r"no config\.json"):
        open_encoder(tmp_path, "BERTScore")
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(InputError, match="cannot be loaded"):
        open_encoder(tmp_path, "BERTScore")


def test_without_torch_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(name: str) -> None:
        raise ImportError(f"No module named {name!r}", name=name)

    monkeypatch.setattr(encoders, "import_module", absent)
    with pytest.raises(MissingExtraError, match=r"needs the package torch.*fathom-bench\[captions\]"):
        open_encoder(tmp_path, "BERTScore")


def test_minilm_gives_the_cosines_that_sentence_transformers_gave(tiny_bert: Path) -> None:
    found = sentence_cosine([c for c, _ in PAIRS], [r for _, r in PAIRS], from_environment("sbert"))
    expected = [*BY_CAPTION["plain sbert"][:-1], 0.0]  # the last caption is empty
    assert found == pytest.approx(expected, abs=1e-5)

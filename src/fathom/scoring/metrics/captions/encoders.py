"""Metrics by a local encoder: BERTScore and the cosine of sentence embeddings. Nothing is ever downloaded.

Texts are put through the model once each, sorted by length and in batches; tokens are compared pair by pair,
without padding, so that a caption's value does not hang on its neighbours.

Ref: Zhang et al. 2020 (BERTScore), Reimers and Gurevych 2019 (Sentence-BERT).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.records import InputError, missing_extra

Floats = NDArray[np.float64]
Vectors = NDArray[np.float32]

BERT_LAYER = 9
"""The layer of bert-base-uncased whose vectors BERTScore compares."""

_TOKENS_OF_A_BATCH = 8_192
_TOKENS_OF_A_TEXT = 512


@dataclass(frozen=True)
class Encoder:
    """A tokenizer and a model from a folder; `longest` is how many tokens a text is cut to."""

    folder: Path
    tokenizer: Any
    model: Any
    longest: int


def open_encoder(folder: Path, purpose: str, longest: int = 0) -> Encoder:
    """Return the model of a folder, for the CPU or the first GPU.

    Raises MissingExtraError without torch and transformers, InputError where the folder holds no model.
    """
    try:
        torch, transformers = import_module("torch"), import_module("transformers")
    except ImportError as e:
        raise missing_extra(e.name or "torch", "captions", purpose) from e
    if not (folder / "config.json").is_file():
        raise InputError(
            f"{folder}: {purpose} needs a folder with a model (config.json, weights, tokenizer), but there "
            "is no config.json; check the path"
        )
    try:
        with _no_bars(transformers.utils.logging):
            tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
            model = transformers.AutoModel.from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError, ImportError) as e:
        first = "".join(str(e).strip().splitlines()[:1])
        raise InputError(
            f"{folder}: the model for {purpose} cannot be loaded ({first}); fix that, or fetch it again"
        ) from e
    room = [
        _TOKENS_OF_A_TEXT,
        tokenizer.model_max_length,
        getattr(model.config, "max_position_embeddings", 0),
    ]
    model.eval().to("cuda" if torch.cuda.is_available() else "cpu")
    return Encoder(folder, tokenizer, model, min(n for n in [*room, longest] if n))


def bert_score(
    candidates: Sequence[str], references: Sequence[Sequence[str]], model: Path, layer: int = BERT_LAYER
) -> Floats:
    """Return BERTScore's F1 of each object, (m,): the best over its references, not rescaled, without IDF.

    Every token is matched with the nearest of the other text, the sample scores of its beginning and end
    included; all but these sample scores count.
    """
    encoder = open_encoder(model, "BERTScore")
    layers = encoder.model.config.num_hidden_layers
    if not 0 < layer <= layers:
        raise InputError(
            f"{model}: BERTScore reads layer {layer}, and this model has {layers}; give another model"
        )
    if hasattr(encoder.model, "encoder") and hasattr(encoder.model.encoder, "layer"):
        encoder.model.encoder.layer = encoder.model.encoder.layer[
            :layer
        ]  # the others would be computed in vain
    vectors = _token_vectors(encoder, _texts(candidates, references), layer)
    return _best(candidates, references, lambda c, r: _f1(vectors[c], vectors[r]))


def _f1(candidate: tuple[Vectors, NDArray[np.bool_]], reference: tuple[Vectors, NDArray[np.bool_]]) -> float:
    (a, a_counts), (b, b_counts) = candidate, reference
    if not a_counts.any() or not b_counts.any():
        return 0.0
    cosines = a @ b.T
    precision = float(cosines.max(axis=1)[a_counts].mean(dtype=np.float64))
    recall = float(cosines.max(axis=0)[b_counts].mean(dtype=np.float64))
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def sentence_cosine(candidates: Sequence[str], references: Sequence[Sequence[str]], model: Path) -> Floats:
    """Return the cosine of each object's caption with the nearest of its references, (m,).

    A sentence is the mean of its tokens' vectors. Raises InputError where the folder says that this model
    pools otherwise.
    """
    encoder = open_encoder(model, "sentence embeddings", _longest_sentence(model))
    vectors = _sentence_vectors(encoder, _texts(candidates, references))
    return _best(candidates, references, lambda c, r: min(1.0, float(vectors[c] @ vectors[r])))


def _longest_sentence(model: Path) -> int:
    """Return to how many tokens the model's own settings cut a text, 0 where they do not say."""
    pooling = _settings(model / "1_Pooling" / "config.json")
    other = [name for name, on in pooling.items() if name.startswith("pooling_mode_") and on is True]
    if other not in ([], ["pooling_mode_mean_tokens"]):
        raise InputError(
            f"{model}: expected a model that takes the mean of its tokens, found {', '.join(other)}; give "
            "the folder of all-MiniLM-L6-v2"
        )
    longest = _settings(model / "sentence_bert_config.json").get("max_seq_length", 0)
    return longest if isinstance(longest, int) else 0


def _settings(path: Path) -> Mapping[str, object]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, object])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError) as e:
        raise InputError(f"{path}: not a valid settings file ({e}); fetch the model again") from e


def _texts(candidates: Sequence[str], references: Sequence[Sequence[str]]) -> list[str]:
    """Return every text that has something in it, once."""
    return sorted({t.strip() for t in [*candidates, *(r for refs in references for r in refs)]} - {""})


def _best(candidates: Sequence[str], references: Sequence[Sequence[str]], value: Any) -> Floats:
    """Return the best value over each caption's references, (m,); 0 where either has no text."""
    return np.array(
        [
            max((value(c.strip(), r.strip()) for r in refs if c.strip() and r.strip()), default=0.0)
            for c, refs in zip(candidates, references, strict=True)
        ],
        dtype=float,
    )


def _token_vectors(
    encoder: Encoder, texts: Sequence[str], layer: int
) -> dict[str, tuple[Vectors, NDArray[np.bool_]]]:
    """Return each text's unit vectors (tokens, d) at a layer, and which tokens are its own (tokens,)."""
    special = {encoder.tokenizer.cls_token_id, encoder.tokenizer.sep_token_id}
    found = {}
    for batch, ids, output in _batches(encoder, texts):
        for text, tokens, states in zip(batch, ids, output.hidden_states[layer].float(), strict=True):
            vectors = states[: len(tokens)].cpu().numpy()
            units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
            found[text] = units, np.array([t not in special for t in tokens])
    return found


def _sentence_vectors(encoder: Encoder, texts: Sequence[str]) -> dict[str, Vectors]:
    """Return the unit vector of each text, (d,)."""
    found = {}
    for batch, ids, output in _batches(encoder, texts):
        for text, tokens, states in zip(batch, ids, output.last_hidden_state.float(), strict=True):
            mean = states[: len(tokens)].mean(dim=0).cpu().numpy()
            found[text] = mean / max(float(np.linalg.norm(mean)), 1e-12)
    return found


def _batches(encoder: Encoder, texts: Sequence[str]) -> Iterator[tuple[list[str], list[list[int]], Any]]:
    """Yield texts, their tokens, and what the model makes of them, all layers included."""
    torch = import_module("torch")
    pad = encoder.tokenizer.pad_token_id or 0
    with _one_thread(torch), torch.inference_mode():
        for batch, ids in _tokenized(encoder, texts):
            width = max(map(len, ids))
            padded = torch.tensor([i + [pad] * (width - len(i)) for i in ids], device=encoder.model.device)
            mask = torch.tensor([[1] * len(i) + [0] * (width - len(i)) for i in ids], device=padded.device)
            yield batch, ids, encoder.model(padded, attention_mask=mask, output_hidden_states=True)


def _tokenized(encoder: Encoder, texts: Sequence[str]) -> Iterator[tuple[list[str], list[list[int]]]]:
    """Yield texts of like length with their tokens, so many at a time that padded they fill a batch."""
    all_ids = [encoder.tokenizer.encode(t, truncation=True, max_length=encoder.longest) for t in texts]
    order = sorted(range(len(texts)), key=lambda i: -len(all_ids[i]))
    while order:
        take = max(1, _TOKENS_OF_A_BATCH // max(1, len(all_ids[order[0]])))
        yield [texts[i] for i in order[:take]], [all_ids[i] for i in order[:take]]
        order = order[take:]


@contextmanager
def _one_thread(torch: Any) -> Iterator[None]:
    """Keep torch to one thread: with texts this short more of them only wait for one another."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def _no_bars(logging: Any) -> Iterator[None]:
    """Keep progress bars of loading off the terminal."""
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()

"""How likely a local model finds each continuation of a prompt, with the prompt encoded once.

The prompt goes through the model in one pass that keeps what attention needs of it (the cache), and all
continuations follow in a second pass that reads it. Continuations of one token need no second pass.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from fathom.inference.models.hf_families import Family

Options = Sequence[Sequence[Sequence[int]]]
"""Of each prompt the token ids of each of its continuations."""

_LOOKED_AT = ("cross_attention_mask",)
"""Inputs that say of each token which pictures it looks at, in models that look at them again each time."""

MOST_TOKENS = 1 << 17
"""Cached tokens, over all continuations that are read at once; more of them are read in turns."""


def rank(model: Any, family: Family, inputs: dict[str, Any], options: Options) -> list[list[float]]:
    """Return the sum of the log-probabilities of each continuation's tokens, in nats, prompt by prompt."""
    import torch

    with torch.inference_mode():
        if _has_encoder(model):
            return _after_encoders(model, inputs, options)
        return _after_prefix(model, family, inputs, options)


def rank_one_by_one(
    model: Any, family: Family, inputs: dict[str, Any], options: Options
) -> list[list[float]]:
    """Return what `rank` returns for one prompt, each continuation read behind the whole prompt."""
    import torch

    read = _one_behind_encoder if _has_encoder(model) else _one_behind_prompt
    with torch.inference_mode():
        return [[read(model, family, inputs, ids) for ids in options[0]]]


def _one_behind_prompt(model: Any, family: Family, inputs: dict[str, Any], ids: Sequence[int]) -> float:
    """Return the sum for one continuation, from one pass over the prompt with it behind."""
    extended = {name: _extended(name, value, inputs, ids, family) for name, value in inputs.items()}
    _forget_positions(model)
    out = model(**extended, use_cache=False, logits_to_keep=len(ids) + 1)
    return _picked(out.logits[0, -len(ids) - 1 : -1], ids)


def _one_behind_encoder(model: Any, family: Family, inputs: dict[str, Any], ids: Sequence[int]) -> float:
    """Return the sum for one continuation that goes through the decoder of a model with an encoder."""
    import torch

    begin = getattr(model, "language_model", model).config.decoder_start_token_id
    said = torch.tensor([[begin, *ids[:-1]]], device=inputs["attention_mask"].device)
    return _picked(model(**inputs, decoder_input_ids=said).logits[0, -len(ids) :], ids)


def _picked(logits: Any, ids: Sequence[int]) -> float:
    scores = _log_softmax(logits)
    return sum(float(scores[k, token]) for k, token in enumerate(ids))


def first_scores(model: Any, inputs: dict[str, Any]) -> Any:
    """Return the log-probabilities of the token after each prompt, (prompts, vocabulary) in nats."""
    import torch

    _forget_positions(model)
    with torch.inference_mode():
        if _has_encoder(model):
            begin = getattr(model, "language_model", model).config.decoder_start_token_id
            starts = torch.full((inputs["attention_mask"].shape[0], 1), begin).to(inputs["attention_mask"])
            return _log_softmax(model(**inputs, decoder_input_ids=starts).logits[:, -1])
        return _log_softmax(model(**inputs, use_cache=False, logits_to_keep=1).logits[:, -1])


def _after_prefix(model: Any, family: Family, inputs: dict[str, Any], options: Options) -> list[list[float]]:
    _forget_positions(model)
    out = model(**inputs, use_cache=True, logits_to_keep=1)
    first = _log_softmax(out.logits[:, -1])
    sums = [[float(first[item, ids[0]]) for ids in of_item] for item, of_item in enumerate(options)]
    rows = [
        (item, place)
        for item, of_item in enumerate(options)
        for place, ids in enumerate(of_item)
        if len(ids) > 1
    ]
    cache = _kept(out.language_model_outputs if family.wrapped else out)
    decoder = model.language_model if family.wrapped else model
    mask = inputs["attention_mask"]
    starts = _next_positions(model, mask)
    looked_at = {
        name: inputs[name]
        for name in _LOOKED_AT
        if inputs.get(name) is not None and inputs[name].shape[:2] == mask.shape
    }
    at_once = max(1, MOST_TOKENS // mask.shape[1])
    for begin in range(0, len(rows), at_once):
        some = rows[begin : begin + at_once]
        ids = [options[item][place] for item, place in some]
        behind = _suffix_sums(decoder, cache, mask, starts, looked_at, [item for item, _ in some], ids)
        for (item, place), value in zip(some, behind, strict=True):
            sums[item][place] += value
    return sums


def _suffix_sums(
    decoder: Any,
    cache: tuple[str, Any],
    mask: Any,
    starts: Any,
    looked_at: dict[str, Any],
    items: Sequence[int],
    options: Sequence[Sequence[int]],
) -> list[float]:
    """Return for each row what its tokens after the first add, read behind the cache of its prompt."""
    import torch

    longest = max(len(ids) for ids in options) - 1
    read = torch.zeros(len(options), longest, dtype=torch.long)
    told = torch.zeros_like(read)
    wanted = torch.zeros_like(read)
    for row, ids in enumerate(options):
        read[row, : len(ids) - 1] = torch.tensor(ids[:-1])
        wanted[row, : len(ids) - 1] = torch.tensor(ids[1:])
        told[row, : len(ids) - 1] = 1
    read, told, wanted = (t.to(mask.device) for t in (read, told, wanted))
    chosen = torch.tensor(items, device=mask.device)
    # Which prompt tokens are padding must be said here too: left out, scores are off by the order of a nat.
    more: dict[str, Any] = {"attention_mask": torch.cat([mask[chosen], told.to(mask.dtype)], dim=1)}
    if starts is not None:
        ahead = torch.arange(longest, device=mask.device)
        more["position_ids"] = (starts[chosen][:, None] + ahead).expand(3, -1, -1)
    for name, value in looked_at.items():
        more[name] = _repeated_last(value[chosen], longest)
    name, whole = cache
    more[name] = _selected(whole, chosen)
    out = decoder(input_ids=read, use_cache=True, **more)
    picked = _log_softmax(out.logits).gather(2, wanted[..., None])[..., 0]
    return [float(value) for value in (picked * told).sum(dim=1)]


def _kept(out: Any) -> tuple[str, Any]:
    """Return the cache of a pass and what it is called: transformers 5.24 gave it another name."""
    name = "cache" if hasattr(out, "cache") else "past_key_values"
    return name, getattr(out, name)


def _selected(cache: Any, chosen: Any) -> Any:
    """Return a cache whose rows are these rows of another one, which stays as it is."""
    mine = copy.copy(cache)
    mine.layers = [copy.copy(layer) for layer in cache.layers]
    mine.batch_select_indices(chosen)
    return mine


def _after_encoders(model: Any, inputs: dict[str, Any], options: Options) -> list[list[float]]:
    """Return the sums for prompts of a model whose prompts go through an encoder."""
    import torch

    inner = getattr(model, "language_model", model)
    begin = inner.config.decoder_start_token_id
    mask = inputs["attention_mask"]
    starts = torch.full((mask.shape[0], 1), begin, device=mask.device)
    out = model(**inputs, decoder_input_ids=starts)
    encoded = (out if inner is model else out.language_model_outputs).encoder_last_hidden_state
    return [_after_encoder(inner, encoded[k : k + 1], mask[k : k + 1], ids) for k, ids in enumerate(options)]


def _after_encoder(inner: Any, encoded: Any, mask: Any, ids: Sequence[Sequence[int]]) -> list[float]:
    """Return the sums for one prompt: `encoded` is what the encoder makes of it, (1, tokens, …)."""
    import torch

    begin = inner.config.decoder_start_token_id
    device = mask.device
    longest = max(len(option) for option in ids)
    read = torch.zeros(len(ids), longest, dtype=torch.long)
    wanted = torch.zeros_like(read)
    told = torch.zeros_like(read)
    for row, option in enumerate(ids):
        read[row, : len(option)] = torch.tensor([begin, *option[:-1]])
        wanted[row, : len(option)] = torch.tensor(option)
        told[row, : len(option)] = 1
    read, wanted, told = (t.to(device) for t in (read, wanted, told))
    states = encoded.expand(len(ids), -1, -1)
    from transformers.modeling_outputs import BaseModelOutput

    scores = inner(
        encoder_outputs=BaseModelOutput(last_hidden_state=states),
        attention_mask=mask.expand(len(ids), -1),
        decoder_input_ids=read,
    ).logits
    picked = _log_softmax(scores).gather(2, wanted[..., None])[..., 0]
    return [float(value) for value in (picked * told).sum(dim=1)]


def _has_encoder(model: Any) -> bool:
    """Return whether the prompt goes through an encoder; BLIP's own configuration does not say."""
    return bool(model.config.is_encoder_decoder) or not getattr(
        model.config, "use_decoder_only_language_model", True
    )


def _forget_positions(model: Any) -> None:
    """Take away what the last prompt left on a model that counts positions in three directions."""
    inner: Any = getattr(model, "model", None)
    if getattr(inner, "rope_deltas", None) is not None:
        inner.rope_deltas = None


def _next_positions(model: Any, mask: Any) -> Any:
    """Return the position after each prompt where positions are to be given, else None.

    Read at once after the prompt's pass: it lies on the model itself, and the next pass changes it.
    """
    shift = getattr(getattr(model, "model", None), "rope_deltas", None)
    return None if shift is None else mask.sum(dim=1) + shift.reshape(-1)


def _extended(name: str, value: Any, inputs: dict[str, Any], ids: Sequence[int], family: Family) -> Any:
    """Return an input with what belongs to a continuation behind it, where it has a value a token."""
    import torch

    if not hasattr(value, "shape") or value.shape[:2] != inputs["input_ids"].shape:
        return value
    if name.startswith(("qformer", "pixel")):
        return value
    if value.dim() > 2:  # which pictures a token looks at: those that the last one does
        return torch.cat([value, _repeated_last(value, len(ids))], dim=1)
    fill = {"attention_mask": 1, "token_type_ids": family.answer_type}.get(name, 0)
    tail = value.new_tensor([ids]) if name == "input_ids" else value.new_full((1, len(ids)), fill)
    return torch.cat([value, tail], dim=1)


def _repeated_last(value: Any, times: int) -> Any:
    """Return the last row of (prompts, tokens, …) so many times, (prompts, times, …)."""
    return value[:, -1:].expand(-1, times, *value.shape[2:])


def _log_softmax(logits: Any) -> Any:
    return logits.float().log_softmax(dim=-1)

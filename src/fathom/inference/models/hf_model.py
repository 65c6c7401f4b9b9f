"""A checkpoint loaded: its processor, its weights, and greedy or sampled answers."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fathom.inference.models.hf_checkpoint import Checkpoint, load_error
from fathom.inference.thoughts import split_thoughts
from fathom.records import InputError

DTYPES = ("float32", "bfloat16", "float16")


@dataclass(frozen=True)
class Decoding:
    """How answers are written; a temperature of 0 takes the likeliest token each time."""

    max_tokens: int
    temperature: float = 0.0
    top_p: float = 1.0


@dataclass(frozen=True)
class Written:
    """One answer: its text, why it ended ("stop", "length"), and how many tokens it has.

    `reasoning` is what the model thought before it, in `reasoning_tokens` of them.
    """

    text: str
    finish: str
    tokens: int
    reasoning: str = ""
    reasoning_tokens: int = 0


def load_processor(checkpoint: Checkpoint) -> Any:
    """Return the processor, or the tokenizer of a model that reads text alone; it pads on the left.

    Raises InputError where the checkpoint has none that loads, MissingExtraError where a package is missing.
    """
    from transformers import AutoProcessor, AutoTokenizer
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    kind = AutoProcessor if checkpoint.sees else AutoTokenizer
    try:
        processor = kind.from_pretrained(checkpoint.folder, trust_remote_code=False, local_files_only=True)
    except (ImportError, OSError, ValueError, KeyError, TypeError, AttributeError) as e:
        raise load_error(str(checkpoint.folder), e) from e
    if checkpoint.sees and not hasattr(processor, "image_processor"):
        raise InputError(
            f"--model hf:{checkpoint.folder}: expected a processor for pictures beside the weights, found a "
            "tokenizer alone; add the missing processor files"
        )
    tokenizer = getattr(processor, "tokenizer", processor)
    tokenizer.padding_side = "left"
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return processor


def load_weights(checkpoint: Checkpoint, dtype: str, device: str, attention: str = "") -> Any:
    """Return the model, ready to answer. Raises InputError where weights are missing or do not fit."""
    import torch
    from safetensors import SafetensorError
    from transformers import AutoModelForCausalLM, AutoModelForImageTextToText, AutoModelForSeq2SeqLM

    written: Any = AutoModelForSeq2SeqLM if checkpoint.encodes else AutoModelForCausalLM
    kind = AutoModelForImageTextToText if checkpoint.sees else written
    more: dict[str, Any] = {"attn_implementation": attention} if attention else {}
    if device == "spread":
        more["device_map"] = "auto"
    # CUDA's convolutions would round to ten bits: likelihoods were off by up to 0.001 from those on a CPU.
    torch.backends.cudnn.allow_tf32 = False
    try:
        model, found = kind.from_pretrained(
            checkpoint.folder,
            dtype=getattr(torch, dtype),
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=True,
            output_loading_info=True,
            **more,
        )
        model = model if device == "spread" else model.to(device)
    except (ImportError, OSError, ValueError, KeyError, TypeError, RuntimeError, SafetensorError) as e:
        raise load_error(str(checkpoint.folder), e) from e
    if missing := sorted(found["missing_keys"]):
        raise InputError(
            f"--model hf:{checkpoint.folder}: lacks {len(missing)} of the model's weights (the first "
            f"is {missing[0]}), which would be random; fetch it again"
        )
    return model.eval()


def pick_device(wanted: str) -> str:
    """Return the device to use. Raises InputError where the one wanted is not there."""
    import torch

    if wanted == "auto":
        return "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    if wanted == "spread":
        return wanted
    try:
        torch.empty(1, device=wanted)
    except (RuntimeError, AssertionError) as e:
        raise InputError(
            f"--model hf: the device {wanted!r} cannot be used here ({str(e).splitlines()[0]}); expected "
            "auto, cpu, cuda, cuda:N, mps, or spread (over all that there are)"
        ) from e
    return wanted


def generation_settings(checkpoint: Checkpoint) -> Mapping[str, float]:
    """Return what the checkpoint itself sets that changes even greedy answers."""
    from transformers import GenerationConfig

    if not (checkpoint.folder / "generation_config.json").is_file():
        return {}
    config = GenerationConfig.from_pretrained(checkpoint.folder, local_files_only=True)
    usual = {"repetition_penalty": 1.0, "no_repeat_ngram_size": 0}
    return {
        name: float(value)
        for name, ordinary in usual.items()
        if (value := getattr(config, name, None)) is not None and value != ordinary
    }


def write(model: Any, tokenizer: Any, inputs: dict[str, Any], decoding: Decoding) -> list[Any]:
    """Return the token ids that the model writes behind each prompt, up to what ended them."""
    import torch

    config = copy.deepcopy(model.generation_config)
    config.update(max_new_tokens=decoding.max_tokens, max_length=None, num_beams=1, num_return_sequences=1)
    sampled = decoding.temperature > 0
    config.do_sample = sampled
    config.temperature = decoding.temperature if sampled else None
    config.top_p = decoding.top_p if sampled else None
    config.top_k = 0 if sampled else None
    if config.pad_token_id is None:
        config.pad_token_id = tokenizer.pad_token_id
    if config.eos_token_id is None:
        config.eos_token_id = tokenizer.eos_token_id
    with torch.inference_mode():
        out = model.generate(**inputs, generation_config=config)
    prompt = inputs["input_ids"]
    # Some architectures put the prompt before what they write, and some do not.
    if out.shape[1] >= prompt.shape[1] and bool((out[:, : prompt.shape[1]] == prompt).all()):
        out = out[:, prompt.shape[1] :]
    elif out.shape[1] and model.config.get_text_config().is_encoder_decoder:
        out = out[:, 1:]  # the token that the decoder begins with
    return [_until_end(row, config.eos_token_id) for row in out]


def as_written(ids: Any, tokenizer: Any, decoding: Decoding, tag: str = "", begun: str = "") -> Written:
    """Return token ids as an answer, apart from the thoughts that stand in front of it inside of `tag`.

    `begun` is the beginning of thoughts that the prompt ends with, "" for none.
    """
    finish = "length" if len(ids) >= decoding.max_tokens else "stop"
    # The tags may be special tokens themselves, and the text without those does not show them.
    whole = str(tokenizer.decode(ids, skip_special_tokens=False))
    thoughts, answer = split_thoughts(begun + whole, tag)
    if not thoughts and answer == begun + whole:
        return Written(str(tokenizer.decode(ids, skip_special_tokens=True)).strip(), finish, len(ids))
    for special in sorted(tokenizer.all_special_tokens, key=len, reverse=True):
        thoughts, answer = thoughts.replace(special, ""), answer.replace(special, "")
    rest = len(tokenizer(answer, add_special_tokens=False)["input_ids"]) if answer else 0
    return Written(answer.strip(), finish, len(ids), thoughts.strip(), max(0, len(ids) - rest))


def _until_end(row: Any, end: int | list[int]) -> Any:
    """Return the ids up to the first that ends an answer, that one included."""
    ends = (row[:, None] == row.new_tensor(end if isinstance(end, list) else [end])).any(dim=1).nonzero()
    return row[: int(ends[0]) + 1] if len(ends) else row

"""`hf:FOLDER-OR-NAME`: a model of transformers that runs here, with or without eyes.

A folder, or a name of the model hub that the local cache holds; download=yes fetches it first. Prompts of one
shape go through the model together, and their pictures are read while it works on those before. Whether that
comes to what the slow way does, prompt by prompt and option by option, is found out for each kind of prompt
(hf_proofs.py): in some architectures padding, or a shared prompt, goes wrong without a sign.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from importlib.metadata import version
from itertools import groupby
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.inference.backend import Context, PixelsOf, Scalar, read_options
from fathom.inference.budget import OPTIONS as BUDGET_OPTIONS
from fathom.inference.budget import Budget, budget_of, think_tag_of
from fathom.inference.models.hf_checkpoint import Checkpoint, find_checkpoint, one_line
from fathom.inference.models.hf_families import family_of
from fathom.inference.models.hf_model import (
    DTYPES,
    Decoding,
    as_written,
    generation_settings,
    load_processor,
    load_weights,
    pick_device,
    write,
)
from fathom.inference.models.hf_prompts import Encoded, UnfitPromptError, encode, shape_of, video_of
from fathom.inference.models.hf_proofs import CLOSE, USUAL_CLOSE, WRONG, Proofs
from fathom.inference.models.hf_ranking import rank, rank_one_by_one
from fathom.inference.thoughts import opened_at_end, why_silent
from fathom.records import InputError, MediaPart, Request, Response, Usage
from fathom.store.seeds import digest

_OPTIONS: Mapping[str, type[str] | type[int] | type[float]] = {
    "dtype": str,
    "device": str,
    "batch": int,
    "max_new_tokens": int,
    "temperature": float,
    "top_p": float,
    "seed": str,
    "revision": str,
    "download": str,
    "attention": str,
    **BUDGET_OPTIONS,
}
_BATCH = {"cpu": 1}
_USUAL_BATCH = 8

_TAG_TOKENS = 16
"""So many tokens at the end of a prompt are looked through for the beginning of thoughts."""


@dataclass(frozen=True)
class Outcome:
    """What came of one prompt."""

    text: str = ""
    finish: str = ""
    tokens: int = 0
    reasoning: str = ""
    reasoning_tokens: int = 0
    logprobs: tuple[float, ...] = ()
    option_tokens: tuple[int, ...] = ()


class HFBackend:
    """A model of transformers in this process; its weights are loaded when the first request comes."""

    def __init__(
        self,
        checkpoint: Checkpoint,
        processor: Any,
        load: Callable[[], Any],
        pixels_of: PixelsOf,
        decoding: Decoding,
        budget: Budget,
        parameters: Mapping[str, Scalar],
        notes: tuple[str, ...] = (),
        batch: int = 1,
        seed: str = "0",
    ) -> None:
        self.name, self.revision = checkpoint.name, checkpoint.revision
        self.parameters: Mapping[str, Scalar] = parameters
        self._notes = notes
        self._checkpoint, self._processor, self._load = checkpoint, processor, load
        self._tokenizer = getattr(processor, "tokenizer", processor)
        self._pixels_of, self._decoding, self._seed = pixels_of, decoding, seed
        self._budget, self._tag = budget, think_tag_of(parameters)
        self._family = family_of(checkpoint.architecture)
        # Drawn tokens must not hang on which prompts happen to stand beside one another.
        self._batch = batch if self._family.batches and not decoding.temperature else 1
        close = CLOSE.get(str(parameters.get("dtype")), USUAL_CLOSE)
        self._proofs = Proofs(self._family, close, self._encode, self._moved)
        self._tokenizing = Lock()
        self._model: Any = None

    @property
    def notes(self) -> tuple[str, ...]:
        """Return how answers are computed, and what was found out about that so far."""
        return (*self._notes, *dict.fromkeys(self._proofs.notes), *self._budget.notes)

    def answer_all(self, requests: Sequence[Request]) -> Iterator[Response]:
        """Yield one response a request, in their order, each batch as soon as it is done."""
        groups = self._groups(requests)
        if groups and self._model is None:
            self._model = self._load()
        with ThreadPoolExecutor(1) as ahead:
            waiting: Future[Encoded | Exception] | None = None
            for place, group in enumerate(groups):
                encoded = waiting.result() if waiting else self._encode(group)
                more = groups[place + 1 : place + 2]
                waiting = ahead.submit(self._encode, more[0]) if more else None
                yield from self._answer(group, encoded)

    def _groups(self, requests: Sequence[Request]) -> list[list[Request]]:
        """Return the requests in runs of one shape, none longer than a batch."""
        video, joins = video_of(self._processor), self._family.joins
        runs = [list(run) for _, run in groupby(requests, key=lambda r: shape_of(r.prompt, video, joins))]
        return [run[k : k + self._batch] for run in runs for k in range(0, len(run), self._batch)]

    def _encode(self, group: Sequence[Request]) -> Encoded | Exception:
        """Return what the model reads, or why these prompts cannot be shown to it together."""
        prompts = [request.prompt for request in group]
        with self._tokenizing:
            try:
                return encode(
                    prompts, self._processor, self._family, self._pixels_of, self._checkpoint.most_tokens
                )
            except WRONG as e:
                return e

    def _answer(self, group: Sequence[Request], encoded: Encoded | Exception) -> list[Response]:
        begun = time.monotonic()
        error: Exception
        if isinstance(encoded, Exception):
            error = encoded
        else:
            try:
                outcomes = self._outcomes(group, encoded)
                seconds = (time.monotonic() - begun) / len(group)
                return [
                    self._response(request, outcome, length, seconds)
                    for request, outcome, length in zip(group, outcomes, encoded.lengths, strict=True)
                ]
            except WRONG as e:  # running out of memory is one of them
                error = e
        if len(group) > 1:
            return [
                response for request in group for response in self._answer([request], self._encode([request]))
            ]
        return [self._failed(group[0], _why(group[0], error, self._checkpoint.architecture))]

    def _outcomes(self, group: Sequence[Request], encoded: Encoded) -> list[Outcome]:
        inputs = self._moved(encoded.inputs)
        if not encoded.options[0]:
            if not self._proofs.beside(self._model, group, encoded):
                self._batch = 1
                raise UnfitPromptError("one by one")
            return self._write(group, inputs)
        shared = self._proofs.shared(self._model, group, encoded)
        if not shared and len(group) > 1:
            raise UnfitPromptError("one by one")
        read = rank if shared else rank_one_by_one
        sums = read(self._model, self._family, inputs, encoded.options)
        return [
            Outcome(logprobs=tuple(of_item), option_tokens=tuple(len(ids) for ids in options))
            for of_item, options in zip(sums, encoded.options, strict=True)
        ]

    def _write(self, group: Sequence[Request], inputs: dict[str, Any]) -> list[Outcome]:
        """Return what is written; once more with more room where the model turns out to think."""
        given = self._budget.now
        decoding = replace(self._decoding, max_tokens=given)
        if decoding.temperature:
            self._sow(group[0])
        written = write(self._model, self._tokenizer, inputs, decoding)
        with self._tokenizing:
            ends = [self._tokenizer.decode(ids[-_TAG_TOKENS:]) for ids in inputs["input_ids"]]
            begun = [opened_at_end(end, self._tag) for end in ends]
            texts = [
                as_written(ids, self._tokenizer, decoding, self._tag, opened)
                for ids, opened in zip(written, begun, strict=True)
            ]
        if any(self._budget.hear(given, bool(w.reasoning), False, w.finish == "length") for w in texts):
            return self._write(group, inputs)
        return [Outcome(w.text, w.finish, w.tokens, w.reasoning, w.reasoning_tokens) for w in texts]

    def _sow(self, request: Request) -> None:
        import torch

        torch.manual_seed(int.from_bytes(digest(self._seed, "sampling", request.key)[:8], "big", signed=True))

    def _moved(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Return the inputs where the model is, and its kind of numbers."""
        model, moved = self._model, {}
        for name, value in inputs.items():
            if hasattr(value, "to"):
                floating = value.is_floating_point()
                moved[name] = value.to(model.device, model.dtype) if floating else value.to(model.device)
            else:
                moved[name] = value
        return moved

    def _response(self, request: Request, outcome: Outcome, length: int, seconds: float) -> Response:
        if not all(math.isfinite(value) for value in outcome.logprobs):
            return self._failed(request, f"a log-probability is {min(outcome.logprobs)}")
        # The last token of an option is asked for and never read.
        read = length + sum(count - 1 for count in outcome.option_tokens)
        silent = not outcome.logprobs and not outcome.text.strip()
        why = why_silent(outcome.finish, outcome.reasoning, outcome.tokens) if silent else ""
        return Response(
            key=request.key,
            question=request.asked.id,
            status="failed" if silent else "ok",
            text=outcome.text,
            reasoning=outcome.reasoning,
            variant=request.variant,
            purpose=request.purpose,
            option_logprobs=outcome.logprobs,
            option_tokens=outcome.option_tokens,
            usage=Usage(
                input_tokens=read,
                output_tokens=outcome.tokens,
                reasoning_tokens=outcome.reasoning_tokens,
                seconds=round(seconds, 4),
            ),
            finish=outcome.finish,
            error=why,
            model=self.name,
        )

    def _failed(self, request: Request, error: str) -> Response:
        return Response(
            key=request.key,
            question=request.asked.id,
            status="failed",
            variant=request.variant,
            purpose=request.purpose,
            error=error,
            model=self.name,
        )


def _why(request: Request, error: Exception, architecture: str) -> str:
    """Return why a request failed; where an architecture cannot rank at all, what to do about it."""
    if not request.prompt.continuations or isinstance(error, UnfitPromptError):
        return one_line(error)
    return (
        f"the likelihood of its options could not be computed ({one_line(error)}); where every request fails "
        f"so, {architecture} cannot rank options here: let it write, with --set answer=generation"
    )


def open_hf(target: str, options: Mapping[str, str], context: Context) -> HFBackend:
    """Return the backend for a folder or a name; the processor is loaded, the weights are not yet.

    Raises InputError where the checkpoint is not here or does not load, or an option is wrong.
    """
    if not target:
        raise InputError("--model hf: expected a folder or a name, as in hf:ORGANISATION/MODEL; add it")
    values = read_options(options, _OPTIONS, f"hf:{target}")
    download = str(values.get("download", "no"))
    if download not in ("yes", "no"):
        raise InputError(f"--model hf:{target}: download expects yes or no, found {download!r}")
    checkpoint = find_checkpoint(target, str(values.get("revision", "")), download == "yes", context.environ)
    dtype = str(values.get("dtype", checkpoint.dtype))
    if dtype not in DTYPES:
        raise InputError(
            f"--model hf:{target}: expected a dtype of {', '.join(DTYPES)}, found {dtype!r}; set dtype=…"
        )
    processor = load_processor(checkpoint)
    device = pick_device(str(values.get("device", "auto")))
    given = {**context.parameters, **values}
    budget = budget_of(values, context, f"hf:{target}")
    decoding = Decoding(
        max_tokens=int(values.get("max_new_tokens", given.get("max_tokens", 1024))),
        temperature=float(given.get("temperature", 0)),
        top_p=float(given.get("top_p", 1)),
    )
    seed = str(given.get("seed", context.seed))
    attention = str(values.get("attention", ""))
    return HFBackend(
        checkpoint,
        processor,
        load=lambda: load_weights(checkpoint, dtype, device, attention),
        pixels_of=context.pixels_of or _blind,
        decoding=decoding,
        budget=budget,
        parameters=_parameters(checkpoint, processor, decoding, seed, dtype, attention)
        | {name: values[name] for name in ("think_tag",) if name in values},
        notes=_notes(processor, device),
        batch=_at_least_one(values, "batch", _BATCH.get(device, _USUAL_BATCH), target),
        seed=seed,
    )


def _blind(parts: Sequence[MediaPart]) -> list[NDArray[np.uint8]]:
    raise InputError("--model hf: the prompt shows pictures, and there is no dataset to read them from")


def _at_least_one(values: Mapping[str, Scalar], name: str, usual: int, target: str) -> int:
    value = int(values.get(name, usual))
    if value < 1:
        raise InputError(f"--model hf:{target}: {name} expects 1 or more, found {value}")
    return value


def _parameters(
    checkpoint: Checkpoint, processor: Any, decoding: Decoding, seed: str, dtype: str, attention: str
) -> dict[str, Scalar]:
    """Return all that can change an answer, beside the checkpoint and the prompt."""
    parameters: dict[str, Scalar] = {
        "max_tokens": decoding.max_tokens,
        "temperature": decoding.temperature,
        "dtype": dtype,
        **generation_settings(checkpoint),
    }
    if checkpoint.sees:
        # The two kinds that transformers has of each do not compute the same pixels.
        parameters["image_processor"] = type(processor.image_processor).__name__
    if attention:
        parameters["attention"] = attention
    if decoding.temperature:
        parameters |= {"top_p": decoding.top_p, "seed": seed}
    return parameters


def _notes(processor: Any, device: str) -> tuple[str, ...]:
    """Return what is worth knowing of how the answers were computed."""
    tokenizer = getattr(processor, "tokenizer", processor)
    template = getattr(processor, "chat_template", None) or getattr(tokenizer, "chat_template", None)
    return (
        f"transformers {version('transformers')}, torch {version('torch')}",
        f"device {device}",
        "the checkpoint's chat template" if template else "no chat template: the plain prompt",
    )

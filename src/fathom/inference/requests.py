"""From a dataset and a protocol to requests, each with the key under which its answer is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from itertools import islice

import msgspec

from fathom.inference.backend import AnyBackend, Scalar
from fathom.inference.stopping import StoppingRule
from fathom.records import (
    ClipPart,
    InputError,
    Part,
    Prompt,
    Protocol,
    Purpose,
    Request,
    TextPart,
    UnansweredQuestion,
    Variant,
    pictures_of,
    without_answer,
)
from fathom.store.asked import wanted_questions
from fathom.store.datasets import MEDIA, Dataset
from fathom.store.requests import REQUESTS, RequestFolder

_HashOfMedia = Callable[[str], str]


def derive_requests(
    dataset: Dataset,
    protocol: Protocol,
    backend: AnyBackend,
    limit: int = 0,
    stop: StoppingRule | None = None,
    repeats: int = 1,
    tasks: Collection[str] = (),
) -> Iterator[Request]:
    """Yield every request of a run, in the order of the questions; nothing is kept in memory.

    Each is yielded `repeats` times, as repeat 0, 1, 2 … Where `tasks` are named, only theirs are.
    Where they are to `stop` early, the first pass of every question comes before the second of any, so that
    most passes are asked when what was said to the ones before is known.
    The same dataset, protocol, model and limit give the same requests, and a higher limit gives more of the
    same. Raises DataError where a question or a media entry does not validate.
    """
    wanted = wanted_questions(dataset, limit, tasks)
    hash_of_media = lru_cache(maxsize=256)(lambda media_id: dataset.media(media_id).sha256)
    stem = key_stem(backend.name, backend.revision, backend.parameters)
    for asked, variant in _passes(dataset, protocol, wanted, stop, repeats):
        prompt = protocol.prompt(asked, variant, dataset.media)
        yield make_request(asked, variant, prompt, hash_of_media, stem)


def _passes(
    dataset: Dataset,
    protocol: Protocol,
    wanted: frozenset[int] | None,
    stop: StoppingRule | None,
    repeats: int,
) -> Iterator[tuple[UnansweredQuestion, Variant]]:
    def variants() -> Iterator[tuple[UnansweredQuestion, tuple[Variant, ...]]]:
        for ordinal, question in enumerate(dataset.questions()):
            if wanted is None or ordinal in wanted:
                asked = without_answer(question)
                yield asked, _repeated(protocol.variants(asked), repeats)

    if stop is None:
        for asked, every in variants():
            yield from ((asked, variant) for variant in every)
        return
    turn, turns = 0, 1
    while turn < turns:
        for later in (False, True):
            for asked, every in variants():
                turns = max(turns, len(every))
                if turn < len(every) and stop.later(asked.id) == later:
                    yield asked, every[turn]
        turn += 1


def _repeated(variants: tuple[Variant, ...], repeats: int) -> tuple[Variant, ...]:
    if repeats == 1:
        return variants
    return tuple(msgspec.structs.replace(v, repeat=k) for k in range(repeats) for v in variants)


def derive_stored(
    folder: RequestFolder, backend: AnyBackend, shown: Dataset, limit: int = 0
) -> Iterator[Request]:
    """Yield the requests of a folder in its order, each under the key of the model that is asked.

    `shown` is where the pictures are that they show. Raises DataError where a request does not validate, and
    InputError where it shows a picture that is not there.
    """
    stem = key_stem(backend.name, backend.revision, backend.parameters)
    hash_of_media = lru_cache(maxsize=256)(lambda media_id: shown.media(media_id).sha256)
    for request in islice(folder.requests(), limit or None):
        pictures = pictures_of(request.prompt)
        if pictures and not (folder.path / MEDIA).is_file():
            raise InputError(
                f"{folder.path / REQUESTS}: the request about {request.asked.id!r} shows pictures, and no "
                f"{MEDIA} lies beside it; write the requests again, with their pictures"
            )
        h = hashlib.sha256(stem)
        h.update(msgspec.json.encode([request.key, [hash_of_media(part.media) for part in pictures]]))
        yield msgspec.structs.replace(request, key=h.hexdigest()[:32])


def count_requests(
    dataset: Dataset, protocol: Protocol, limit: int = 0, repeats: int = 1, tasks: Collection[str] = ()
) -> int:
    """Return how many requests `derive_requests` will yield."""
    wanted = wanted_questions(dataset, limit, tasks)
    return repeats * sum(
        len(protocol.variants(without_answer(question)))
        for ordinal, question in enumerate(dataset.questions())
        if wanted is None or ordinal in wanted
    )


def key_stem(name: str, revision: str, parameters: Mapping[str, Scalar]) -> bytes:
    """Return what the model itself gives to every key."""
    return msgspec.json.encode([name, revision, sorted(parameters.items())])


def make_request(
    asked: UnansweredQuestion, variant: Variant, prompt: Prompt, hash_of_media: _HashOfMedia, stem: bytes
) -> Request:
    """Return one request; its key has 32 hexadecimal digits.

    The key hashes the model with its revision and parameters, the prompt, the pictures' own hashes in the
    order in which they are shown, and the variant: whatever else changes, the answer is still good.
    """
    pictures = [(hash_of_media(part.media), part.frame) for part in pictures_of(prompt)]
    parts = [_without_media(part) for part in prompt.parts]
    purpose: Purpose = "blind" if variant.media_withheld else "answer"
    h = hashlib.sha256(stem)
    read = [prompt.system, parts, prompt.continuations]
    h.update(msgspec.json.encode([read, pictures, variant, purpose, asked.id]))
    return Request(key=h.hexdigest()[:32], asked=asked, prompt=prompt, variant=variant, purpose=purpose)


def _without_media(part: Part) -> tuple[str, str | float, int]:
    """Return what is left of a part when it does not say which pictures it shows."""
    if isinstance(part, TextPart):
        return "text", part.text, 0
    if isinstance(part, ClipPart):
        return "clip", part.fps, len(part.frames)
    return "", "", 1

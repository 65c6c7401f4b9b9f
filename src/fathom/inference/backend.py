"""What a model is to the runner: two small protocols, and what a backend is given to start from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from fathom.records import InputError, MediaPart, Request, Response
from fathom.store.datasets import Dataset

MediaBytes = Callable[[Sequence[MediaPart]], list[bytes]]
"""From the pictures of a prompt to the bytes of each: of a picture as they lie on disk, of a video's frame as
a new picture. Blocks while videos are decoded."""

PixelsOf = Callable[[Sequence[MediaPart]], list[NDArray[np.uint8]]]
"""From the pictures of a prompt to each of them as (height, width, 3) RGB, for models that run here."""

Scalar = str | int | float | bool


@runtime_checkable
class Backend(Protocol):
    """A model that takes time to answer: hosted, or behind a server.

    `name`, `revision` and `parameters` enter the key of every request: what differs in one of them is asked
    again. `notes` say what does not (the address of the endpoint). `answer` returns a Response for whatever
    the model does, refusals and failures included, and raises only what must end the run.
    """

    name: str
    revision: str
    parameters: Mapping[str, Scalar]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is worth knowing of how the answers came about, for the run's manifest."""
        ...

    async def answer(self, request: Request, media: MediaBytes) -> Response:
        """Return what the model says to one request."""

    async def close(self) -> None:
        """Let go of connections."""


@runtime_checkable
class BatchBackend(Protocol):
    """A model that computes its answers here and now: a baseline, an oracle, a script, local weights.

    What takes long yields its responses one by one: each is in the journal before the next is computed. A
    response without a text is a failure, unless the backend has an attribute `may_be_silent` that is true: a
    baseline has nothing to say to some questions, and that is its answer.
    """

    name: str
    revision: str
    parameters: Mapping[str, Scalar]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is worth knowing of how the answers came about, for the run's manifest."""
        ...

    def answer_all(self, requests: Sequence[Request]) -> Iterable[Response]:
        """Return one Response a request, in their order."""


@runtime_checkable
class Paced(Protocol):
    """A backend that sees to it itself how many requests are in flight.

    It may be handed `ahead` more, whose pictures it then gets ready while it waits for the others.
    """

    ahead: int

    @property
    def in_flight(self) -> int:
        """How many requests the server has now."""

    @property
    def at_most(self) -> int:
        """How many it may have: fewer than were asked for while it says that they are too many."""


@runtime_checkable
class HearsOfFailures(Protocol):
    """A backend that is told which requests failed in earlier starts of the run, by their keys."""

    failed_before: Callable[[str], bool]


AnyBackend = Backend | BatchBackend


@dataclass(frozen=True)
class Context:
    """What a backend may start from: what a model may see, and how it is asked.

    `write_answer` is how a perfect model would write an answer under the protocol; `pixels_of` reads the
    pictures of its prompts; `parameters` are the protocol's; `environ` is where keys and addresses are looked
    up. `more_tokens`, where not 0, is how long answers may
    be this time, whatever else is said; answers are kept under the same keys as without it. Where it `asks`
    nothing (a dry run), no key is needed.
    """

    write_answer: Callable[[str], str]
    pixels_of: PixelsOf | None = None
    parameters: Mapping[str, Scalar] = field(default_factory=dict)
    seed: str = "0"
    concurrency: int = 32
    more_tokens: int = 0
    asks: bool = True
    environ: Mapping[str, str] = field(default_factory=dict, repr=False)
    known: Dataset | None = field(default=None, repr=False)

    @property
    def dataset(self) -> Dataset:
        """What is asked, with its answers and scenes: for openers that are marked with `knows_answers`.

        Raises InputError for others.
        """
        if self.known is None:
            raise InputError(
                "a model is shown its requests and no dataset; an oracle marks what opens it with "
                "fathom.inference.backend.knows_answers, and is given the answers"
            )
        return self.known


_Opener = TypeVar("_Opener", bound=Callable[..., object])
_KNOWS = "knows_answers"


def knows_answers(opener: _Opener) -> _Opener:
    """Return what opens an oracle or a baseline, marked as what is given the dataset with its answers."""
    setattr(opener, _KNOWS, True)
    return opener


def is_given_answers(opener: object) -> bool:
    """Return whether what opens a backend is marked with `knows_answers`."""
    return bool(getattr(opener, _KNOWS, False))


def read_options(
    options: Mapping[str, str], kinds: Mapping[str, type[str] | type[int] | type[float]], model: str
) -> dict[str, Scalar]:
    """Return the options as values of their kinds.

    Raises InputError for an option that the model does not have, and for a value of the wrong kind.
    """
    values: dict[str, Scalar] = {}
    for name, text in options.items():
        if name not in kinds:
            known = ", ".join(sorted(kinds)) or "none"
            raise InputError(f"--model {model}: there is no option {name!r}; the options are: {known}")
        try:
            values[name] = kinds[name](text)
        except ValueError as e:
            raise InputError(
                f"--model {model}: the option {name} expects {_KIND_NAMES[kinds[name]]}, found {text!r}"
            ) from e
    return values


_KIND_NAMES: Mapping[type, str] = {str: "a text", int: "a whole number", float: "a number"}

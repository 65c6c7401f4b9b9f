"""A plain Python function as a model: `answer(question)` or `answer(text, pictures)` returns what it says.

`question` is a `QuestionView`. `text` is the prompt, in which <picture 1>, <picture 2> … stand where the
pictures do; `pictures` are their bytes, as PNG or JPEG. A function is called for one question after another,
in a thread; one that is `async` for as many at a time as are allowed in flight. What it raises makes its
question a failure with that reason.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import io
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import msgspec

from fathom.inference.backend import MediaBytes, Scalar
from fathom.inference.models.random import spoken
from fathom.inference.thoughts import split_thoughts, why_silent
from fathom.records import ClipPart, InputError, MediaPart, Prompt, Request, Response, Usage, pictures_of

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True)
class QuestionView:
    """What a function is shown of a question: neither the answer, nor what tells it.

    `text` are the words of the question alone, `options` those in the order in which this pass shows them (()
    where it shows none), `prompt` all that the protocol says, with a mark where each picture stands, and
    `pictures` their bytes, as PNG or JPEG.
    """

    id: str
    task: str
    text: str
    options: tuple[str, ...]
    prompt: str
    pictures: tuple[bytes, ...] = field(default=(), repr=False)

    @property
    def images(self) -> list[Image]:
        """Return the pictures as PIL images (RGB), frames of videos among them, in the prompt's order.

        There are none where a protocol withholds them (`blind`), or the dataset was built without.
        """
        from PIL import Image as pillow

        return [pillow.open(io.BytesIO(data)).convert("RGB") for data in self.pictures]


Answering = (
    Callable[[QuestionView], str | Awaitable[str]] | Callable[[str, Sequence[bytes]], str | Awaitable[str]]
)


def view_of(request: Request, pictures: Sequence[bytes] = ()) -> QuestionView:
    """Return what a function is shown of a request."""
    asked, variant = request.asked, request.variant
    order = variant.option_order or range(len(asked.choices))
    options = tuple(asked.choices[i] for i in order) if variant.options_shown else ()
    prompt = text_of(request.prompt)
    return QuestionView(asked.id, asked.task, asked.text, options, prompt, tuple(pictures))


class FunctionBackend:
    """A function that answers. Its own text is its revision: changed, it is another model."""

    notes: tuple[str, ...] = ("a Python function",)

    def __init__(self, function: Answering, name: str = "") -> None:
        """Take the function, and a name in place of its own."""
        self.name = name or _name_of(function)
        self.revision = _revision(function)
        self.parameters: Mapping[str, Scalar] = {}
        self._function = function
        self._one_at_a_time = asyncio.Lock()

    async def answer(self, request: Request, media: MediaBytes) -> Response:
        """Return what the function says. Raises InputError for likelihoods, which it cannot tell."""
        if request.prompt.continuations:
            raise InputError(
                f"{self.name}: a function writes answers, and this protocol asks how likely options are; set "
                "--set answer=generation, or choose another protocol"
            )
        pictures = await asyncio.to_thread(media, pictures_of(request.prompt))
        begun = time.monotonic()
        try:
            said = await self._said(request, pictures)
        except Exception as e:  # whatever somebody's own code raises
            return _failed(request, self.name, f"{type(e).__name__}: {e}")
        if not isinstance(said, str):
            return _failed(
                request, self.name, f"expected a text from the function, found {type(said).__name__}"
            )
        reasoning, text = split_thoughts(said)
        response = spoken(request, self.name, text)
        usage = Usage(seconds=round(time.monotonic() - begun, 4))
        response = msgspec.structs.replace(response, reasoning=reasoning, usage=usage)
        if text.strip():
            return response
        return msgspec.structs.replace(response, status="failed", error=why_silent("", reasoning))

    async def close(self) -> None:
        """Nothing is held."""

    async def _said(self, request: Request, pictures: Sequence[bytes]) -> object:
        if _needed(self._function) == 1:
            given: tuple[object, ...] = (view_of(request, pictures),)
        else:
            given = (text_of(request.prompt), pictures)
        function = cast("Callable[..., object]", self._function)
        if inspect.iscoroutinefunction(function):
            return await function(*given)
        async with self._one_at_a_time:
            said = await asyncio.to_thread(function, *given)
        return await said if inspect.isawaitable(said) else said


def _name_of(function: object) -> str:
    """Return `module:function` of a function, or of the class of an object that is called like one.

    A function that was given another `__name__` goes by that.
    """
    named = function if hasattr(function, "__qualname__") else type(function)
    name = named.__qualname__.rpartition("<locals>.")[2]
    own: str = getattr(named, "__name__", name)
    if name.rpartition(".")[2] != own:
        name = own
    return f"{named.__module__}:{name}" if named.__module__ else name


def is_plain(function: object) -> bool:
    """Return whether something is a function of a question, or of a text and its pictures, and no opener."""
    return _needed(function) in (1, 2)


def _needed(function: object) -> int:
    """Return how many arguments must be given to a function, 0 where that cannot be told."""
    try:
        parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return 0
    needed = [
        p
        for p in parameters
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    return len(needed)


def text_of(prompt: Prompt) -> str:
    """Return a prompt as one text, with a mark where each picture stands."""
    said = [prompt.system] if prompt.system else []
    shown = 0
    for part in prompt.parts:
        if isinstance(part, MediaPart | ClipPart):
            number = len(part.frames) if isinstance(part, ClipPart) else 1
            said.append(" ".join(f"<picture {shown + k}>" for k in range(1, number + 1)))
            shown += number
        else:
            said.append(part.text)
    return "\n".join(said)


def _failed(request: Request, model: str, error: str) -> Response:
    failed = spoken(request, model, "", "")
    return msgspec.structs.replace(failed, status="failed", error=" ".join(error.split())[:1000])


def _revision(function: object) -> str:
    try:
        text = inspect.getsource(function)  # type: ignore[arg-type]
    except (OSError, TypeError):
        return ""
    return hashlib.sha256(text.encode()).hexdigest()[:16]

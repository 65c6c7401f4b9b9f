"""A plain Python function as a model: `answer(text, pictures)` returns what the model says.

`text` is the prompt, in which <picture 1>, <picture 2> … stand where the pictures do; `pictures` are their
bytes, as PNG or JPEG. A function is called for one question after the other, in a thread; one that is `async`
for as many at a time as are allowed in flight. What it raises makes its question a failure with that reason.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence

import msgspec

from fathom.inference.backend import MediaBytes, Scalar
from fathom.inference.models.random import spoken
from fathom.inference.thoughts import split_thoughts, why_silent
from fathom.records import ClipPart, InputError, MediaPart, Prompt, Request, Response, Usage, pictures_of

Answering = Callable[[str, Sequence[bytes]], str | Awaitable[str]]


class FunctionBackend:
    """A function that answers. Its own text is its revision: changed, it is another model."""

    notes: tuple[str, ...] = ("a Python function",)

    def __init__(self, function: Answering, name: str = "") -> None:
        """Take the function, and a name in place of its own."""
        self.name = name or getattr(function, "__name__", type(function).__name__)
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
            said = await self._said(text_of(request.prompt), pictures)
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

    async def _said(self, text: str, pictures: Sequence[bytes]) -> object:
        if inspect.iscoroutinefunction(self._function):
            return await self._function(text, pictures)
        async with self._one_at_a_time:
            said = await asyncio.to_thread(self._function, text, pictures)
        return await said if inspect.isawaitable(said) else said


def is_plain(function: object) -> bool:
    """Return whether something is a function of a text and its pictures, and not what opens a backend."""
    try:
        parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return False
    needed = [
        p
        for p in parameters
        if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]
    return len(needed) == 2


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

"""A model backend: opened once with its options, it answers one request at a time."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.inference.backend import Context, MediaBytes, Scalar, read_options
from fathom.records import Request, Response, TextPart


class Echo:
    """Answers with the last words of the prompt."""

    revision = "1"
    notes: tuple[str, ...] = ()

    def __init__(self, words: int) -> None:
        self.name = "echo"
        self.parameters: Mapping[str, Scalar] = {"words": words}
        self._words = words

    async def answer(self, request: Request, media: MediaBytes) -> Response:
        """Return what the model says; a failure is a response of status "failed" with an error."""
        texts = [part.text for part in request.prompt.parts if isinstance(part, TextPart)]
        return Response(
            key=request.key,
            question=request.asked.id,
            status="ok",
            text=" ".join(" ".join(texts).split()[-self._words :]),
            variant=request.variant,
            purpose=request.purpose,
            finish="stop",
            model=self.name,
        )

    async def close(self) -> None:
        """Let go of what the client holds."""


def open_echo(target: str, options: Mapping[str, str], context: Context) -> Echo:
    """Return the backend; its one option is how many words it repeats."""
    values = read_options(options, {"words": int}, "echo")
    return Echo(int(values.get("words", 1)))

"""`inspect:PROVIDER/MODEL`: any model that Inspect AI can reach, hosted or local.

Keys are read by Inspect from the variables of each provider. Its own retries are bounded here, and its own
cache is never used: what counts as answered is in the run's journal.
"""

from __future__ import annotations

import asyncio
import base64
import re
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from fathom.inference.backend import Context, MediaBytes, Scalar, read_options
from fathom.inference.budget import OPTIONS as BUDGET_OPTIONS
from fathom.inference.budget import Budget, budget_of, think_tag_of
from fathom.inference.thoughts import split_thoughts, why_silent
from fathom.media.images import inspect_image, shrink_image, upright_image
from fathom.records import (
    ClipPart,
    EndpointError,
    InputError,
    Prompt,
    Request,
    Response,
    TextPart,
    Usage,
    missing_extra,
    pictures_of,
)

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Model, ModelOutput

FAILURES_IN_A_ROW = 8
"""So many failures, and no answer between them, end the run."""

_OPTIONS: Mapping[str, type[str] | type[int] | type[float]] = {
    "url": str,
    "temperature": float,
    "top_p": float,
    "seed": int,
    "max_tokens": int,
    "reasoning_effort": str,
    "detail": str,
    "max_side_px": int,
    "revision": str,
    "attempts": int,
    "timeout_s": int,
    **BUDGET_OPTIONS,
}
_GENERATION = ("temperature", "top_p", "seed", "max_tokens", "reasoning_effort")
_PICTURES = ("detail", "max_side_px")
_MARKUP = re.compile(r"\[/?[a-z]+\]")
"""How Inspect marks words in bold in its messages."""


class InspectBackend:
    """A model behind Inspect AI."""

    def __init__(
        self,
        name: str,
        model: Model | None,
        parameters: Mapping[str, Scalar],
        revision: str = "",
        budget: Budget | None = None,
    ) -> None:
        """Take the model as Inspect has it; None where nothing is to be asked of it."""
        self.name = name
        self.revision = revision
        self.parameters = parameters
        self._model = model
        self._budget = budget
        self._failed_in_a_row = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """How the model is asked, and what was found out about it."""
        return ("asked through Inspect AI", *(self._budget.notes if self._budget else ()))

    async def answer(self, request: Request, media: MediaBytes) -> Response:
        """Return what the model says. Raises EndpointError where it is down, InputError for likelihoods."""
        if request.prompt.continuations:
            raise InputError(
                f"--model inspect:{self.name}: cannot tell how likely an option is, as this protocol asks; "
                "choose a protocol in which the model writes"
            )
        began = time.monotonic()
        # Frames are decoded, which takes long; other requests go on meanwhile.
        pictures = await asyncio.to_thread(media, pictures_of(request.prompt))
        most = int(self.parameters.get("max_side_px", 0))
        detail = str(self.parameters.get("detail", "auto"))
        messages = messages_of(request.prompt, [data_url(data, most) for data in pictures], detail)
        response, spent = await self._write(request, messages)
        self._count(response)
        usage = msgspec.structs.replace(spent, seconds=round(time.monotonic() - began, 4))
        return msgspec.structs.replace(response, usage=usage, model=response.model or self.name)

    async def close(self) -> None:
        """Let go of connections."""
        if self._model is not None:
            await self._model.api.aclose()

    async def _write(self, request: Request, messages: list[ChatMessage]) -> tuple[Response, Usage]:
        """Return an answer, and what it took; asked once more where the model turns out to think."""
        from inspect_ai.model import GenerateConfig

        assert self._model is not None, "a dry run asks nothing"
        spent = Usage(attempts=0)
        while True:
            given = self._budget.now if self._budget else None
            try:
                output = await self._model.generate(messages, config=GenerateConfig(max_tokens=given))
            except Exception as e:  # whatever a provider's own client raises
                return _failed(request, f"{type(e).__name__}: {e}"), _sum(spent, Usage())
            response = read_output(request, output, think_tag_of(self.parameters))
            spent = _sum(spent, response.usage)
            reasoned = bool(response.reasoning.strip() or response.usage.reasoning_tokens)
            silent, cut_off = not response.text.strip(), response.status != "refused" and response.cut_off
            if (
                self._budget is None
                or given is None
                or not self._budget.hear(given, reasoned, silent, cut_off)
            ):
                return response, spent

    def _count(self, response: Response) -> None:
        """Raise EndpointError once too many failures came in a row."""
        unheard = response.status == "failed" and not response.model  # silence is a sign of life too
        self._failed_in_a_row = self._failed_in_a_row + 1 if unheard else 0
        if self._failed_in_a_row >= FAILURES_IN_A_ROW:
            raise EndpointError(
                f"--model inspect:{self.name}: the last {FAILURES_IN_A_ROW} requests failed, at last with "
                f"{response.error[:300]!r}; fix that, then start the same command again, and it carries on"
            )


def open_inspect(target: str, options: Mapping[str, str], context: Context) -> InspectBackend:
    """Return the backend for PROVIDER/MODEL.

    Raises InputError for a model that Inspect does not know, or that lacks its key; MissingExtraError where
    Inspect is not installed.
    """
    try:
        from inspect_ai.model import GenerateConfig, get_model
    except ImportError as e:
        raise missing_extra("inspect-ai", "inspect", f"--model inspect:{target}") from e
    provider, slash, model = target.partition("/")
    if not (provider and slash and model):
        raise InputError(
            f"--model inspect:{target}: expected PROVIDER/MODEL, such as anthropic/claude-sonnet-4-5"
        )
    given = {n: v for n, v in options.items() if not (n in _GENERATION and v.lower() == "none")}
    values = read_options(given, _OPTIONS, f"inspect:{target}")
    left_out = {name for name in _GENERATION if options.get(name, "").lower() == "none"}
    every = {n: v for n, v in {**context.parameters, **values}.items() if n not in left_out}
    sent: dict[str, Any] = {name: every[name] for name in _GENERATION if name in every}
    config = GenerateConfig(
        **sent,
        max_retries=max(0, int(values.get("attempts", FAILURES_IN_A_ROW)) - 1),
        timeout=int(values.get("timeout_s", 600)),
        max_connections=context.concurrency,
    )
    pictures = {name: every[name] for name in (*_PICTURES, "think_tag") if name in every}
    budget = budget_of(values, context, f"inspect:{target}") if "max_tokens" in sent else None
    revision = str(values.get("revision", ""))
    if not context.asks:
        return InspectBackend(target, None, {**sent, **pictures}, revision, budget)
    try:
        # Not shared with others of the same name: it is closed at the end of the run.
        opened = get_model(target, config=config, base_url=str(values.get("url", "")) or None, memoize=False)
    except Exception as e:  # an unknown provider, its package or its key missing: each raises its own
        said = " ".join(_MARKUP.sub("", str(e)).split()).removeprefix("ERROR: ")
        raise InputError(f"--model inspect:{target}: cannot be opened ({said}); fix that") from e
    return InspectBackend(target, opened, {**sent, **pictures}, revision, budget)


def messages_of(prompt: Prompt, pictures: Sequence[str], detail: str = "auto") -> list[ChatMessage]:
    """Return a prompt as Inspect's messages, with a data URL for each of its pictures, in their order."""
    from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ContentImage, ContentText

    left = iter(pictures)
    content: list[Any] = []
    for part in prompt.parts:
        if isinstance(part, TextPart):
            content.append(ContentText(text=part.text))
            continue
        number = len(part.frames) if isinstance(part, ClipPart) else 1
        content += [ContentImage(image=next(left), detail=detail) for _ in range(number)]
    system = [ChatMessageSystem(content=prompt.system)] if prompt.system else []
    return [*system, ChatMessageUser(content=content)]


def data_url(data: bytes, max_side_px: int = 0) -> str:
    """Return a picture as a data URL: its bytes as they are, unless it is turned or larger than a limit."""
    what = "a picture of the prompt"
    data = shrink_image(data, max_side_px, what) if max_side_px else upright_image(data, what)
    mime = inspect_image(data, what).mime
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def read_output(request: Request, output: ModelOutput, tag: str = "auto") -> Response:
    """Return the response in what Inspect hands back: an answer, a refusal, or a failure."""
    if not output.choices:
        return _failed(request, output.error or "the reply holds no answer")
    finish = output.stop_reason
    tokens = output.usage
    usage = Usage(
        input_tokens=sum(
            n or 0
            for n in (tokens.input_tokens, tokens.input_tokens_cache_read, tokens.input_tokens_cache_write)
        ) if tokens else 0,
        output_tokens=tokens.output_tokens if tokens else 0,
        reasoning_tokens=(tokens.reasoning_tokens or 0) if tokens else 0,
    )  # fmt: skip
    refused = finish == "content_filter" or bool(output.error)
    text, reasoning = _said(output, "" if refused else tag)
    silent = not refused and not text.strip()
    calls = output.choices[0].message.tool_calls or ()
    called = calls[0].function if calls else ""
    return Response(
        key=request.key,
        question=request.asked.id,
        status="refused" if refused else "failed" if silent else "ok",
        text=text,
        reasoning=reasoning,
        variant=request.variant,
        purpose=request.purpose,
        usage=usage,
        finish=finish,
        error=(output.error or "withheld by a content filter")
        if refused
        else why_silent(finish, reasoning, usage.output_tokens, called)
        if silent
        else "",
        model=output.model,
    )


def _said(output: ModelOutput, tag: str) -> tuple[str, str]:
    """Return the answer, and the reasoning before it: parts of their own, and what stands between tags."""
    content = output.choices[0].message.content
    parts = [] if isinstance(content, str) else content
    thoughts = [part.reasoning for part in parts if part.type == "reasoning"]
    before, text = split_thoughts(output.completion, tag)
    return text, "\n\n".join(thought for thought in (*thoughts, before) if thought.strip())


def _sum(one: Usage, other: Usage) -> Usage:
    """Return what two attempts at one request took."""
    return Usage(
        input_tokens=one.input_tokens + other.input_tokens,
        cached_tokens=one.cached_tokens + other.cached_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        reasoning_tokens=one.reasoning_tokens + other.reasoning_tokens,
        attempts=one.attempts + other.attempts,
    )


def _failed(request: Request, error: str) -> Response:
    return Response(
        key=request.key,
        question=request.asked.id,
        status="failed",
        variant=request.variant,
        purpose=request.purpose,
        error=" ".join(error.split())[:1000],
    )

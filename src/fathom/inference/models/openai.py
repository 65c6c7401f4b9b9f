"""`openai:MODEL[@URL]`: any endpoint that speaks OpenAI's chat completions.

The key is read from OPENAI_API_KEY, or from the variable that key_env=NAME names, and kept nowhere else.
A request's body is put together from text that is encoded once and pictures that go out as they came in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import msgspec

from fathom.inference.backend import Context, MediaBytes, Scalar
from fathom.inference.bodies import Piece, joined
from fathom.inference.budget import Budget, budget_of, think_tag_of
from fathom.inference.endpoint import Endpoint, Reply, check_url, joined_url
from fathom.inference.models.openai_media import DataURLs, Shown
from fathom.inference.models.openai_options import (
    DEFAULT_URL,
    NOT_IDENTITY,
    NOT_SENT,
    read_endpoint_options,
    read_headers,
    read_key,
)
from fathom.inference.models.openai_ranked import CHAT, Ranker
from fathom.inference.models.openai_replies import Answer, read_reply
from fathom.inference.pace import Patience
from fathom.inference.thoughts import split_thoughts, why_silent
from fathom.records import (
    CUT_OFF,
    ClipPart,
    InputError,
    MediaPart,
    Prompt,
    Request,
    Response,
    TextPart,
    Usage,
)

AHEAD = 4
"""Requests got ready beyond those in flight."""

_OLD, _NEW = "max_tokens", "max_completion_tokens"
"""How the limit of an answer is called, in most servers and in those that no longer take that name."""


class OpenAIBackend:
    """A model behind a chat-completions endpoint."""

    def __init__(
        self,
        model: str,
        endpoint: Endpoint[Answer],
        given: Mapping[str, Scalar],
        budget: Budget,
        revision: str = "",
    ) -> None:
        """Take the options and the protocol's parameters together, those left out that are not to be sent."""
        self.name = model
        self.revision = revision
        self.parameters: Mapping[str, Scalar] = {k: v for k, v in given.items() if k not in NOT_IDENTITY}
        extra = msgspec.json.decode(str(given.get("extra_body", "{}")))
        self._sent = {"model": model, **{k: v for k, v in given.items() if k not in NOT_SENT}, **extra}
        self._whole_videos = given.get("video") == "url"
        self._detail = f',"detail":"{given["detail"]}"'.encode() if "detail" in given else b""
        self.ahead = AHEAD
        self.failed_before: Callable[[str], bool] = lambda key: False
        self._budget, self._tag = budget, think_tag_of(given)
        self._limit = next((name for name in (_NEW, _OLD) if name in self._sent), "")
        self._endpoint = endpoint
        self._ranker = Ranker(model, endpoint, given, lambda: self._sent)
        self._heads: dict[tuple[int, int], bytes] = {}
        self._urls = DataURLs(int(given.get("max_side_px", 0)))

    @property
    def notes(self) -> tuple[str, ...]:
        """Where the model is asked, and what was found out about it."""
        return (f"endpoint {joined_url(self._endpoint.url, CHAT)}", *self._budget.notes)

    @property
    def in_flight(self) -> int:
        """How many requests the server has now."""
        return self._endpoint.pace.in_flight

    @property
    def at_most(self) -> int:
        """How many it may have."""
        return int(self._endpoint.pace.limit)

    async def answer(self, request: Request, media: MediaBytes) -> Response:
        """Return what the endpoint says.

        Raises EndpointError where it is down, or cannot tell likelihoods that are asked of it.
        """
        if request.prompt.continuations:
            messages = await self._messages(request.prompt, media) if self._ranker.shows_pictures else []
            return _response(request, await self._ranker.rank(request, joined(messages)), self.name)
        return _response(request, await self._write(request, media), self.name)

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()

    async def _write(self, request: Request, media: MediaBytes) -> Reply[Answer]:
        """Return an answer; where a model turns out to think, one that had as much room as that takes."""
        spent = Usage(attempts=0)
        while True:
            given, limit = self._budget.now, self._limit
            head = self._head(request.variant.repeat, given)

            async def body(head: bytes = head) -> list[Piece]:
                return [head, b',"messages":[', *await self._messages(request.prompt, media), b"]}"]

            known = self.failed_before(request.key)
            reply = self._told_apart(await self._endpoint.post(CHAT, body, request.key, failed_before=known))
            answer = reply.value
            if answer is not None and answer.renames_limit and limit == _OLD:
                self._limit = _NEW
                self._heads.clear()
            elif answer is None or not self._limit or not self._wants_more(given, answer):
                return _failed_if_silent(_with_costs(reply, spent))
            spent = _spent(_with_costs(reply, spent))

    def _wants_more(self, given: int, answer: Answer) -> bool:
        """Return whether to ask once more, with more tokens than were `given`."""
        cut_off = answer.status == "ok" and answer.finish in CUT_OFF
        reasoned = bool(answer.reasoning.strip() or answer.reasoning_tokens)
        return self._budget.hear(given, reasoned, not answer.text.strip(), cut_off)

    def _told_apart(self, reply: Reply[Answer]) -> Reply[Answer]:
        """Return a reply with the thoughts that stand in front of its answer taken out of it."""
        answer = reply.value
        if answer is None or answer.status != "ok":
            return reply
        thoughts, text = split_thoughts(answer.text, self._tag)
        if not thoughts and text == answer.text:
            return reply
        reasoning = "\n\n".join(t for t in (answer.reasoning, thoughts) if t)
        return replace(reply, value=replace(answer, text=text, reasoning=reasoning))

    def _head(self, repeat: int, limit: int) -> bytes:
        """Return the body's beginning; a seed is another one for each repeat."""
        head = self._heads.get((repeat, limit))
        if head is None:
            sent = dict(self._sent)
            if self._limit:
                sent.pop(_OLD, None)
                sent[self._limit] = limit
            if "seed" in sent:
                sent["seed"] = int(sent["seed"]) + repeat
            head = self._heads[repeat, limit] = msgspec.json.encode(sent)[:-1]
        return head

    async def _messages(self, prompt: Prompt, media: MediaBytes) -> list[Piece]:
        """Return the JSON of the messages, in pieces."""
        encode = msgspec.json.encode
        pieces: list[Piece] = []
        if prompt.system:
            pieces += [b'{"role":"system","content":', encode(prompt.system), b"},"]
        pieces.append(b'{"role":"user","content":[')
        shown = [self._shown(part) for part in prompt.parts]
        urls = await self._urls.of([one for listed in shown for one in listed], media)
        for part, listed in zip(prompt.parts, shown, strict=True):
            if isinstance(part, TextPart):
                pieces += [b'{"type":"text","text":', encode(part.text), b"}", b","]
            for one in listed:
                if one[0] == "video":
                    pieces += [b'{"type":"video_url","video_url":{"url":"', urls[one], b'"}}', b","]
                else:
                    pieces += [b'{"type":"image_url","image_url":{"url":"', urls[one], b'"', self._detail]
                    pieces += [b"}}", b","]
        if prompt.parts:
            pieces.pop()  # the comma behind the last part
        pieces.append(b"]}")
        return pieces

    def _shown(self, part: object) -> list[Shown]:
        if isinstance(part, MediaPart):
            return [("image", part)]
        if not isinstance(part, ClipPart):
            return []
        if self._whole_videos and part.whole:
            return [("video", MediaPart(media=part.whole))]
        return [("image", frame) for frame in part.frames]


def _with_costs(reply: Reply[Answer], before: Usage) -> Reply[Answer]:
    """Return a reply with what was spent on the same request before."""
    if not before.attempts:
        return reply
    answer = reply.value or Answer("failed")
    answer = replace(
        answer,
        input_tokens=answer.input_tokens + before.input_tokens,
        cached_tokens=answer.cached_tokens + before.cached_tokens,
        output_tokens=answer.output_tokens + before.output_tokens,
        reasoning_tokens=answer.reasoning_tokens + before.reasoning_tokens,
    )
    return replace(
        reply, value=answer, attempts=reply.attempts + before.attempts, seconds=reply.seconds + before.seconds
    )


def _spent(reply: Reply[Answer]) -> Usage:
    answer = reply.value or Answer("failed")
    return Usage(
        input_tokens=answer.input_tokens,
        cached_tokens=answer.cached_tokens,
        output_tokens=answer.output_tokens,
        reasoning_tokens=answer.reasoning_tokens,
        seconds=round(reply.seconds, 4),
        attempts=reply.attempts,
    )


def _failed_if_silent(reply: Reply[Answer]) -> Reply[Answer]:
    """Return a reply without a text as the failure that it is, and why there is none."""
    answer = reply.value
    if answer is None or answer.status != "ok" or answer.text.strip():
        return reply
    why = why_silent(answer.finish, answer.reasoning, answer.output_tokens, answer.called)
    return replace(reply, value=replace(answer, status="failed", error=why))


def _response(request: Request, reply: Reply[Answer], model: str) -> Response:
    answer = reply.value or Answer("failed")
    return Response(
        key=request.key,
        question=request.asked.id,
        status=answer.status,
        text=answer.text,
        reasoning=answer.reasoning,
        variant=request.variant,
        purpose=request.purpose,
        option_logprobs=answer.option_logprobs,
        option_tokens=answer.option_tokens,
        usage=_spent(reply),
        finish=answer.finish,
        error=reply.error or answer.error,
        model=answer.model or model,
    )


def open_openai(target: str, options: Mapping[str, str], context: Context) -> OpenAIBackend:
    """Return the backend for `MODEL[@URL]`.

    Raises InputError where the model's name or the key is missing, or an option or the address is wrong.
    """
    model, at, url = target.partition("@http")
    values, left_out = read_endpoint_options(options, f"openai:{model}")
    if not model:
        raise InputError("--model openai: expected the model's name, as in openai:gpt-4o; add it")
    url = (
        at[1:] + url
        or str(values.get("url", ""))
        or context.environ.get("OPENAI_BASE_URL", "")
        or DEFAULT_URL
    )
    check_url(url)
    key = read_key(url, str(values.get("key_env", "")), context.environ, context.asks)
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    own = read_headers(str(values.get("headers", "")), f"openai:{model}", context.environ, context.asks)
    patience = Patience()
    patience = replace(
        patience,
        attempts=max(1, int(values.get("attempts", patience.attempts))),
        timeout_s=float(values.get("timeout_s", patience.timeout_s)),
    )
    endpoint = Endpoint(
        url, {**headers, **own}, [key, *own.values()], context.concurrency, patience, read_reply
    )
    given = {name: v for name, v in {**context.parameters, **values}.items() if name not in left_out}
    if _NEW in values:
        given.pop(_OLD, None)
    budget = budget_of(values, context, f"openai:{model}")
    if budget.thinks and not budget.fixed and _OLD in given:
        given[_OLD] = budget.now
    return OpenAIBackend(model, endpoint, given, budget, str(values.get("revision", "")))

"""`openai:MODEL[@URL]`: any endpoint that speaks OpenAI's chat completions.

The key is read from OPENAI_API_KEY, or from the variable that key_env=NAME names, and kept nowhere else.
A request's body is put together from text that is encoded once and pictures that go out as they came in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from urllib.parse import urlsplit

import msgspec

from fathom.records import (
    ClipPart,
    EndpointError,
    InputError,
    MediaPart,
    Prompt,
    Request,
    Response,
    TextPart,
    Usage,
)
from fathom.run.backend import Context, MediaBytes, Scalar, read_options
from fathom.run.endpoint import Endpoint, Reply, check_url
from fathom.run.models.openai_media import DataURLs, Shown
from fathom.run.models.openai_ranking import (
    MOST_LETTERS,
    CannotRankError,
    Method,
    rank_behind,
    rank_letters,
    tokens_of_chat,
    tokens_of_echo,
)
from fathom.run.models.openai_replies import Answer, read_reply
from fathom.run.pace import Patience

DEFAULT_URL = "https://api.openai.com/v1"
CHAT, COMPLETIONS = "chat/completions", "completions"
AHEAD = 4
"""Requests got ready beyond those in flight."""

_OPTIONS: Mapping[str, type[str] | type[int] | type[float]] = {
    "url": str,
    "key_env": str,
    "temperature": float,
    "top_p": float,
    "seed": int,
    "max_tokens": int,
    "max_completion_tokens": int,
    "reasoning_effort": str,
    "detail": str,
    "max_side_px": int,
    "video": str,
    "ranking": str,
    "logprobs": int,
    "revision": str,
    "attempts": int,
    "timeout_s": float,
}
_WORDS: Mapping[str, tuple[str, ...]] = {
    "video": ("pictures", "url"),
    "ranking": ("prompt", "echo", "letter"),
    "detail": ("auto", "low", "high"),
}
_NOT_IDENTITY = frozenset({"url", "key_env", "revision", "attempts", "timeout_s"})
_NOT_SENT = _NOT_IDENTITY | {"max_side_px", "detail", "video", "ranking", "logprobs"}
_LIMITS = ("max_tokens", "max_completion_tokens", "reasoning_effort")
_UNKNOWN_WORDS = ("logprob", "echo", "generation_prompt", "final_message", "nrecogni", "nknown", "upported")
"""In an error of a server to which a parameter means nothing."""


class OpenAIBackend:
    """A model behind a chat-completions endpoint."""

    def __init__(
        self,
        model: str,
        endpoint: Endpoint[Answer],
        options: Mapping[str, Scalar],
        parameters: Mapping[str, Scalar],
    ) -> None:
        self.name = model
        self.revision = str(options.get("revision", ""))
        given = {**parameters, **options}
        if "max_completion_tokens" in options:
            given.pop("max_tokens", None)
        self.parameters: Mapping[str, Scalar] = {k: v for k, v in given.items() if k not in _NOT_IDENTITY}
        self._sent = {"model": model, **{k: v for k, v in given.items() if k not in _NOT_SENT}}
        self._ranking: Method = given.get("ranking", "prompt")  # type: ignore[assignment]
        self._letters = int(given.get("logprobs", MOST_LETTERS))
        self._whole_videos = given.get("video") == "url"
        self._detail = f',"detail":"{given["detail"]}"'.encode() if "detail" in given else b""
        self.notes = (f"endpoint {endpoint.url}/{CHAT}",)
        self.ahead = AHEAD
        self._endpoint = endpoint
        self._heads: dict[int, bytes] = {}
        self._has_ranked = False
        self._urls = DataURLs(int(given.get("max_side_px", 0)))

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
            return _response(request, await self._rank(request, media), self.name)
        messages = await self._messages(request.prompt, media)
        body = b"".join([self._head(request.variant.repeat), b',"messages":[', *messages, b"]}"])
        reply = await self._endpoint.post(CHAT, body, request.key)
        return _response(request, reply, self.name)

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()

    def _head(self, repeat: int) -> bytes:
        """Return the body's beginning; a seed is another one for each repeat."""
        head = self._heads.get(repeat)
        if head is None:
            sent = dict(self._sent)
            if "seed" in sent:
                sent["seed"] = int(sent["seed"]) + repeat
            head = self._heads[repeat] = msgspec.json.encode(sent)[:-1]
        return head

    async def _messages(self, prompt: Prompt, media: MediaBytes) -> list[bytes]:
        """Return the JSON of the messages, in pieces."""
        encode = msgspec.json.encode
        pieces: list[bytes] = []
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
        pieces[-1] = b"]}" if prompt.parts else pieces[-1] + b"]}"
        return pieces

    def _shown(self, part: object) -> list[Shown]:
        if isinstance(part, MediaPart):
            return [("image", part)]
        if not isinstance(part, ClipPart):
            return []
        if self._whole_videos and part.whole:
            return [("video", MediaPart(media=part.whole))]
        return [("image", frame) for frame in part.frames]

    async def _rank(self, request: Request, media: MediaBytes) -> Reply[Answer]:
        """Return the likelihoods of the continuations. Raises EndpointError where the server has none."""
        path = COMPLETIONS if self._ranking == "echo" else CHAT
        ask = partial(self._endpoint.post, path, name=request.key)
        try:
            if self._ranking == "letter":
                letters = _single_letters(request)
                body = await self._letter_body(request, media)
                reply = await rank_letters(ask, body, letters)
            elif self._ranking == "echo":
                reply = await rank_behind(ask, self._echo_bodies(request), tokens_of_echo)
            else:
                messages = b"".join(await self._messages(request.prompt, media))
                reply = await rank_behind(ask, self._prompt_bodies(request, messages), tokens_of_chat)
        except CannotRankError as e:
            reply = Reply(None, str(e), 1, 0.0)
            if not self._has_ranked:
                raise self._cannot_rank(str(e)) from e
        unknown = 400 <= reply.status < 500 and any(words in reply.error for words in _UNKNOWN_WORDS)
        if not self._has_ranked and reply.value is None and unknown:
            raise self._cannot_rank(reply.error)
        self._has_ranked = self._has_ranked or reply.value is not None
        return reply

    def _cannot_rank(self, why: str) -> EndpointError:
        return EndpointError(
            f"{self._endpoint.url}: {self.name} cannot be asked for likelihoods with ranking={self._ranking} "
            f"({why}); choose another with --option ranking=prompt (vLLM), echo (text alone) or letter (with "
            "--set continuation=letter), or let it write with --set answer=generation"
        )

    def _ranking_head(self, **more: object) -> bytes:
        sent = {k: v for k, v in self._sent.items() if k not in _LIMITS}
        return msgspec.json.encode({**sent, **more})[:-1]

    def _prompt_bodies(self, request: Request, messages: bytes) -> Iterator[bytes]:
        """Yield a body for the prompt alone, and one with each continuation as the answer's beginning."""
        alone = self._ranking_head(
            max_tokens=1, prompt_logprobs=0, add_generation_prompt=True, continue_final_message=False
        )
        begun = self._ranking_head(
            max_tokens=1, prompt_logprobs=0, add_generation_prompt=False, continue_final_message=True
        )
        yield b"".join([alone, b',"messages":[', messages, b"]}"])
        for text in request.prompt.continuations:
            said = [b',{"role":"assistant","content":', msgspec.json.encode(text), b"}"]
            yield b"".join([begun, b',"messages":[', messages, *said, b"]}"])

    def _echo_bodies(self, request: Request) -> Iterator[bytes]:
        """Yield a body for the prompt alone, and one with each continuation behind it, as plain text."""
        prompt = request.prompt
        texts = [part.text for part in prompt.parts if isinstance(part, TextPart)]
        if len(texts) < len(prompt.parts):
            raise InputError(
                "--option ranking=echo: /completions takes text alone, and a question shows pictures; set "
                "ranking=prompt, or --set blind=yes"
            )
        before = "\n\n".join([prompt.system, *texts] if prompt.system else texts)
        head = self._ranking_head(max_tokens=1, logprobs=1, echo=True)
        for text in ("", *prompt.continuations):
            yield b"".join([head, b',"prompt":', msgspec.json.encode(before + text), b"}"])

    async def _letter_body(self, request: Request, media: MediaBytes) -> bytes:
        limit = "max_completion_tokens" if "max_completion_tokens" in self._sent else "max_tokens"
        head = self._ranking_head(**{limit: 1}, logprobs=True, top_logprobs=self._letters)
        messages = await self._messages(request.prompt, media)
        return b"".join([head, b',"messages":[', *messages, b"]}"])


def _single_letters(request: Request) -> tuple[str, ...]:
    letters = request.prompt.continuations
    if any(len(letter) != 1 for letter in letters):
        raise InputError(
            f"--option ranking=letter: expected single letters to compare, found {max(letters, key=len)!r} "
            f"(question {request.asked.id}); set --set continuation=letter"
        )
    return letters


def _response(request: Request, reply: Reply[Answer], model: str) -> Response:
    answer = reply.value or Answer("failed")
    return Response(
        key=request.key,
        question=request.asked.id,
        status=answer.status,
        text=answer.text,
        variant=request.variant,
        purpose=request.purpose,
        option_logprobs=answer.option_logprobs,
        option_tokens=answer.option_tokens,
        usage=Usage(
            input_tokens=answer.input_tokens,
            cached_tokens=answer.cached_tokens,
            output_tokens=answer.output_tokens,
            seconds=round(reply.seconds, 4),
            attempts=reply.attempts,
        ),
        finish=answer.finish,
        error=reply.error or answer.error,
        model=answer.model or model,
    )


def open_openai(target: str, options: Mapping[str, str], context: Context) -> OpenAIBackend:
    """Return the backend for `MODEL[@URL]`.

    Raises InputError where the model's name or the key is missing, or an option or the address is wrong.
    """
    model, at, url = target.partition("@http")
    text = f"openai:{target}"
    values = read_options(options, _OPTIONS, text)
    for name, words in _WORDS.items():
        if values.get(name, words[0]) not in words:
            raise InputError(f"--model {text}: {name}: expected {', '.join(words)}, found {values[name]!r}")
    if not model:
        raise InputError("--model openai: expected the model's name, as in openai:gpt-4o; add it")
    url = (
        at[1:] + url
        or str(values.get("url", ""))
        or context.environ.get("OPENAI_BASE_URL", "")
        or DEFAULT_URL
    )
    url = url.rstrip("/")
    check_url(url)
    key = _key(url, str(values.get("key_env", "")), context.environ)
    patience = Patience()
    patience = replace(
        patience,
        attempts=max(1, int(values.get("attempts", patience.attempts))),
        timeout_s=float(values.get("timeout_s", patience.timeout_s)),
    )
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    endpoint = Endpoint(url, headers, key, context.concurrency, patience, read_reply)
    return OpenAIBackend(model, endpoint, values, context.parameters)


def _key(url: str, variable: str, environ: Mapping[str, str]) -> str:
    """Return the key, or "" where none is needed: an endpoint of one's own may do without."""
    name = variable or "OPENAI_API_KEY"
    key = environ.get(name, "").strip()
    if not key and (variable or urlsplit(url).hostname == urlsplit(DEFAULT_URL).hostname):
        raise InputError(
            f"--model openai: the environment variable {name} is not set, and {url} needs a key; set it, or "
            "name another variable with key_env=NAME"
        )
    if not all(" " < character <= "~" for character in key):
        raise InputError(
            f"--model openai: the environment variable {name} holds characters that no key has (a blank, a "
            "line break, a letter beyond ASCII); set it again"
        )
    return key

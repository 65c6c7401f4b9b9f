"""`openai:MODEL[@URL]`: any endpoint that speaks OpenAI's chat completions.

The key is read from OPENAI_API_KEY, or from the variable that key_env=NAME names, and kept nowhere else.
A request's body is put together from text that is encoded once and pictures that go out as they came in.
"""

from __future__ import annotations

import base64
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import msgspec

from fathom.media.images import inspect_image, shrink_image
from fathom.records import (
    ClipPart,
    InputError,
    MediaPart,
    Request,
    Response,
    Status,
    TextPart,
    Usage,
    pictures_of,
)
from fathom.run.backend import Context, MediaBytes, Scalar, read_options
from fathom.run.endpoint import Endpoint, Patience, Reply, check_url

DEFAULT_URL = "https://api.openai.com/v1"
KEPT_BYTES = 8 << 20
"""Encoded pictures kept for the next question about the same scene."""

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
    "revision": str,
    "attempts": int,
    "timeout_s": float,
}
_NOT_SENT = frozenset({"url", "key_env", "max_side_px", "revision", "attempts", "timeout_s", "detail"})
_NOT_IDENTITY = frozenset({"url", "key_env", "revision", "attempts", "timeout_s"})
_FILTERED = (b"content_filter", b"content_policy", b"safety", b"moderation")


class _Lenient(msgspec.Struct, frozen=True):
    """Fields that are read; whatever else a server sends is passed over."""


class _Piece(_Lenient, frozen=True):
    text: str = ""


class _Message(_Lenient, frozen=True):
    content: str | list[_Piece] | None = None
    refusal: str | None = None


class _Choice(_Lenient, frozen=True):
    message: _Message = _Message()
    finish_reason: str | None = None


class _Tokens(_Lenient, frozen=True):
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0


class _Completion(_Lenient, frozen=True):
    choices: list[_Choice]
    model: str = ""
    usage: _Tokens | None = None


@dataclass(frozen=True)
class _Answer:
    status: Status
    text: str = ""
    finish: str = ""
    error: str = ""
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0


class OpenAIBackend:
    """A model behind a chat-completions endpoint."""

    def __init__(
        self,
        model: str,
        endpoint: Endpoint[_Answer],
        options: Mapping[str, Scalar],
        parameters: Mapping[str, Scalar],
    ) -> None:
        self.name = model
        self.revision = str(options.get("revision", ""))
        sent = {k: v for k, v in {**parameters, **options}.items() if k not in _NOT_SENT}
        if "max_completion_tokens" in options:
            sent.pop("max_tokens", None)
        kept = {k: v for k, v in options.items() if k in _NOT_SENT - _NOT_IDENTITY}
        self.parameters: Mapping[str, Scalar] = {**sent, **kept}
        self.notes = (f"endpoint {endpoint.url}",)
        self._endpoint = endpoint
        self._max_side_px = int(options.get("max_side_px", 0))
        head = msgspec.json.encode({"model": model, **sent})
        self._head = head[:-1] + b',"messages":['
        detail = options.get("detail")
        self._after_picture = b'"' + (f',"detail":"{detail}"'.encode() if detail else b"") + b"}}"
        self._encoded: OrderedDict[MediaPart, bytes] = OrderedDict()
        self._encoded_bytes = 0

    async def answer(self, request: Request, media: MediaBytes) -> Response:
        """Return what the endpoint says. Raises EndpointError where it is down."""
        reply = await self._endpoint.post(self._body(request, media), request.key)
        return self._response(request, reply)

    async def close(self) -> None:
        """Close the connections."""
        await self._endpoint.close()

    def _body(self, request: Request, media: MediaBytes) -> bytes:
        pieces = [self._head]
        encode = msgspec.json.encode
        if request.prompt.system:
            pieces += [b'{"role":"system","content":', encode(request.prompt.system), b"},"]
        pieces.append(b'{"role":"user","content":[')
        pictures = iter(self._pictures(pictures_of(request.prompt), media))
        for part in request.prompt.parts:
            if isinstance(part, TextPart):
                pieces += [b'{"type":"text","text":', encode(part.text), b"}", b","]
                continue
            for _ in range(len(part.frames) if isinstance(part, ClipPart) else 1):
                pieces += [
                    b'{"type":"image_url","image_url":{"url":"',
                    next(pictures),
                    self._after_picture,
                    b",",
                ]
        pieces[-1] = b"]}]}"
        return b"".join(pieces)

    def _pictures(self, parts: Sequence[MediaPart], media: MediaBytes) -> list[bytes]:
        """Return each picture as a data URL; the last few stay encoded."""
        found: dict[MediaPart, bytes] = {}
        for part in parts:
            if part in self._encoded:
                self._encoded.move_to_end(part)
                found[part] = self._encoded[part]
        missing = [part for part in dict.fromkeys(parts) if part not in found]
        if missing:
            for part, data in zip(missing, media(missing), strict=True):
                found[part] = self._data_url(part, data)
        return [found[part] for part in parts]

    def _data_url(self, part: MediaPart, data: bytes) -> bytes:
        if self._max_side_px:
            data = shrink_image(data, self._max_side_px, part.media)
        mime = inspect_image(data, part.media).mime
        url = b"data:" + mime.encode() + b";base64," + base64.b64encode(data)
        self._encoded[part] = url
        self._encoded_bytes += len(url)
        while self._encoded_bytes > KEPT_BYTES and len(self._encoded) > 1:
            self._encoded_bytes -= len(self._encoded.popitem(last=False)[1])
        return url

    def _response(self, request: Request, reply: Reply[_Answer]) -> Response:
        answer = reply.value or _Answer("failed")
        return Response(
            key=request.key,
            question=request.asked.id,
            status=answer.status,
            text=answer.text,
            variant=request.variant,
            purpose=request.purpose,
            usage=Usage(
                input_tokens=answer.input_tokens,
                output_tokens=answer.output_tokens,
                seconds=round(reply.seconds, 4),
                attempts=reply.attempts,
            ),
            finish=answer.finish,
            error=reply.error or answer.error,
            model=answer.model or self.name,
        )


_DECODER = msgspec.json.Decoder(_Completion)


def read_reply(status: int, body: bytes) -> _Answer:
    """Return the answer or the refusal in a reply. Raises ValueError where it holds neither."""
    if not 200 <= status < 300:
        if status in (400, 403, 422, 451) and any(word in body for word in _FILTERED):
            shown = " ".join(body[:300].decode(errors="replace").split())
            return _Answer("refused", error=f"HTTP {status}: {shown}")
        raise ValueError("")
    try:
        completion = _DECODER.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as e:
        raise ValueError(f"the reply is not a chat completion ({e})") from e
    if not completion.choices:
        raise ValueError("the reply holds no choice")
    choice = completion.choices[0]
    tokens = completion.usage or _Tokens()
    finish = choice.finish_reason or ""
    content = choice.message.content
    text = content if isinstance(content, str) else "".join(piece.text for piece in content or ())
    refusal = choice.message.refusal or ""
    refused = not text and (bool(refusal) or finish == "content_filter")
    return _Answer(
        status="refused" if refused else "ok",
        text=text or refusal,
        finish=finish,
        model=completion.model,
        input_tokens=tokens.prompt_tokens or 0,
        output_tokens=tokens.completion_tokens or 0,
    )


def open_openai(target: str, options: Mapping[str, str], context: Context) -> OpenAIBackend:
    """Return the backend for `MODEL[@URL]`.

    Raises InputError where the model's name or the key is missing, or an option or the address is wrong.
    """
    model, at, url = target.partition("@http")
    text = f"openai:{target}"
    values = read_options(options, _OPTIONS, text)
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
    endpoint = Endpoint(f"{url}/chat/completions", headers, key, context.concurrency, patience, read_reply)
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

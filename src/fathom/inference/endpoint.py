"""A hosted model's door: POSTs with retries, a pace that follows the server, and an end when it is down.

All attempts at one request are made here and nowhere else, so that retries are never multiplied.
"""

from __future__ import annotations

import asyncio
import email.utils
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl, urlsplit

import aiohttp

from fathom.inference.bodies import ByteBudget, Load, Loaded
from fathom.inference.pace import LONGEST_WAIT_S, Pace, Patience
from fathom.records import EndpointError, InputError
from fathom.store.seeds import rng

T = TypeVar("T")

CROWDED = frozenset({429, 503, 529})
RETRIED = CROWDED | {408, 409, 425, 500, 502, 504, 520, 521, 522, 523, 524}
FATAL: Mapping[int, str] = {
    401: "check the key",
    402: "pay for the account, or use another",
    403: "check that this key may use this model, from this place",
    404: "check the model's name and the address",
    405: "check the address",
    407: "check the proxy that the environment names",
}
"""Statuses that the next request would get too, and what is to be mended."""

_NO_SECRETS = frozenset({"api-version", "version"})
"""What of an address's query may be written down."""

MAX_REPLY_BYTES = 16 << 20
OUT_OF_MONEY = (b"insufficient_quota", b"billing_hard_limit", b"credit balance is too low")
"""What accounts without credit say, under the status of one that is merely too fast, or wrong."""


@dataclass(frozen=True)
class Reply(Generic[T]):
    """What came back in the end: what was read in the reply, or None and the error; `status` is HTTP's."""

    value: T | None
    error: str
    attempts: int
    seconds: float
    status: int = 200


@dataclass(frozen=True)
class _Attempt:
    """One reply as it came; `status` 0 where none did, and `text` says why."""

    status: int
    text: bytes
    kind: str = ""
    asked_for_s: float | None = None


class Endpoint(Generic[T]):
    """One server to which JSON is posted.

    `read` takes (status, body) to what the reply says, or raises ValueError where it is none, whatever its
    status: only what `read` accepts counts as a sign of life.

    `url` may end in a query, which each path stands before. Certificates are checked as the system does;
    redirects are not followed, so that the key goes nowhere else. `secrets`, and what the query says, are cut
    out of whatever comes back.
    """

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        secrets: Sequence[str],
        most: int,
        patience: Patience,
        read: Callable[[int, bytes], T],
    ) -> None:
        check_url(url)
        self._read = read
        self._address = urlsplit(url)
        self.url = shown_url(url)
        self.pace = Pace(most, patience)
        self.patience = patience
        self._headers = {**headers, "Content-Type": "application/json"}
        told = {*secrets, *(v for n, v in parse_qsl(self._address.query) if n not in _NO_SECRETS)}
        self._secrets = [secret.encode() for secret in sorted(told, key=len, reverse=True) if secret]
        self._session: aiohttp.ClientSession | None = None
        self._room = ByteBudget()
        self._in_a_row = 0
        self._ever = False
        self._heard = 0.0
        self._ended = ""

    async def post(self, path: str, body: bytes | Load, name: str, failed_before: bool = False) -> Reply[T]:
        """Return the reply to one request, called `name`, after as many attempts as it took.

        A body that is to be loaded is so for each attempt, and let go of when it was sent. A request that
        `failed_before`, in another start of the run, has fewer attempts, and is no sign that the endpoint is
        down where that replies at all. Raises EndpointError where it is down, or turns down everything.
        """
        begun = time.monotonic()
        self._heard = self._heard or begun
        attempts = self.patience.attempts
        attempts = min(attempts, self.patience.first_attempts) if failed_before else attempts
        for attempt in range(1, attempts + 1):
            came, sent_at = await self._sent(path, body)
            try:
                value = self._read(came.status, came.text)
            except ValueError as e:
                error = _describe(came, str(e))
            else:
                self._in_a_row = 0
                self._ever = True
                self._heard = time.monotonic()
                self.pace.grow()
                return Reply(value, "", attempt, self._heard - begun)
            expected = failed_before and came.status > 0
            self._in_a_row += not expected
            if came.status in CROWDED:
                self.pace.cut(sent_at, came.asked_for_s)
            self._end_if_turned_down(came, error)
            last = not _may_pass(came.status) or attempt == attempts
            if not expected:
                self._end_if_down(attempt, last, error)
            if last:
                return Reply(None, error, attempt, time.monotonic() - begun, came.status)
            await asyncio.sleep(self._wait(name, attempt, came.asked_for_s))
        raise AssertionError("at least one attempt is made")

    async def _sent(self, path: str, body: bytes | Load) -> tuple[_Attempt, float]:
        """Return what came of one attempt, and when it was sent.

        Nobody who waits for room holds a place in flight: the two cannot wait for each other.
        """
        loaded = body if isinstance(body, bytes) else await self._room.loaded(body)
        try:
            sent_at = await self.pace.enter()
            try:
                if self._ended:  # another request found out while this one waited
                    raise EndpointError(self._ended)
                return await self._attempt(path, loaded), sent_at
            finally:
                self.pace.leave()
        finally:
            if isinstance(loaded, Loaded):
                loaded.release()

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _attempt(self, path: str, body: bytes | Loaded) -> _Attempt:
        url = joined_url(self._address.geturl(), path)
        if self._session is None:
            self._session = self._connect()
        try:
            async with self._session.post(url, **_content(body), allow_redirects=False) as reply:
                chunks: list[bytes] = []
                size = 0
                while chunk := await reply.content.readany():
                    chunks.append(chunk)
                    size += len(chunk)
                    if size > MAX_REPLY_BYTES:
                        return _Attempt(0, b"the reply is longer than 16 MiB")
                text = chunks[0] if len(chunks) == 1 else b"".join(chunks)
                return _Attempt(
                    reply.status, self._without_secrets(text), reply.content_type, _retry_after(reply.headers)
                )
        except (aiohttp.ClientError, TimeoutError, OSError) as e:
            what = "no reply in time" if isinstance(e, TimeoutError) else str(e) or type(e).__name__
            return _Attempt(0, self._without_secrets(what.encode()))

    def _without_secrets(self, text: bytes) -> bytes:
        for secret in self._secrets:
            if secret in text:
                text = text.replace(secret, b"[key]")
        return text

    def _connect(self) -> aiohttp.ClientSession:
        p = self.patience
        host = urlsplit(self.url).hostname or ""
        return aiohttp.ClientSession(
            headers=self._headers,
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=300),
            timeout=aiohttp.ClientTimeout(total=p.timeout_s, sock_connect=p.connect_timeout_s),
            # A proxy that the environment names is for the world outside, not for this machine.
            trust_env=host not in ("localhost", "127.0.0.1", "::1"),
            auto_decompress=True,
        )

    def _wait(self, name: str, attempt: int, asked_for_s: float | None) -> float:
        """Return how long to wait before the next attempt: what the server asks for, else longer each time.

        Up to twice as long each time, anything from nothing on: requests that failed together are then
        spread out as far as can be.
        """
        p = self.patience
        spread = float(rng("wait", name, attempt).uniform())
        if asked_for_s is not None:
            return min(asked_for_s, LONGEST_WAIT_S) + p.first_wait_s * spread
        return float(min(p.longest_wait_s, p.first_wait_s * 2**attempt)) * spread

    def _end_if_turned_down(self, came: _Attempt, error: str) -> None:
        """Raise EndpointError for what the next request would hear too."""
        remedy = FATAL.get(came.status)
        if came.status == 403 and self._ever:
            remedy = None  # it may be this one prompt; where it is all of them, they fail in a row
        if came.status >= 400 and any(words in came.text for words in OUT_OF_MONEY):
            remedy = FATAL[402]
        if remedy is not None:
            self._ended = (
                f"{self.url}: turned a request down ({error}); {remedy}, then start the same command again"
                + (": what was answered is kept" if self._ever else "")
            )
            raise EndpointError(self._ended)

    def _end_if_down(self, attempt: int, last: bool, error: str) -> None:
        p = self.patience
        enough = p.failures_in_a_row if self._ever else min(p.first_attempts, p.failures_in_a_row)
        last = last or (not self._ever and attempt >= p.first_attempts)
        silence_s = p.silence_s if self._ever else p.first_silence_s
        if self._in_a_row >= enough and (last or time.monotonic() - self._heard > silence_s):
            self._ended = (
                f"{self.url}: {self._in_a_row} attempts in a row have failed, the last with: {error}; what "
                "was answered is kept: start the same command again to carry on"
            )
            raise EndpointError(self._ended)


def _content(body: bytes | Loaded) -> dict[str, Any]:
    """Return what is sent, as aiohttp takes it; a body in pieces says how long it is."""
    if isinstance(body, bytes):
        return {"data": body}
    return {"data": body.chunks(), "headers": {"Content-Length": str(body.size)}}


def joined_url(url: str, path: str) -> str:
    """Return the address of a path below another address, before what that says behind a question mark."""
    parts = urlsplit(url)
    return parts._replace(path=f"{parts.path.rstrip('/')}/{path}", fragment="").geturl()


def shown_url(url: str) -> str:
    """Return an address as it may be written down: what its query says is left out, but for versions."""
    parts = urlsplit(url)
    shown = [(name, value if name in _NO_SECRETS else "…") for name, value in parse_qsl(parts.query)]
    query = "&".join(f"{name}={value}" for name, value in shown)
    return parts._replace(path=parts.path.rstrip("/"), query=query, fragment="").geturl()


def check_url(url: str) -> None:
    """Raise InputError unless this is an http(s) address without a name and password in it."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(
            f"expected an address such as https://host/v1, found {shown_url(url)!r}; correct the base URL"
        )
    if parts.username or parts.password:
        raise InputError(
            f"the address of {parts.hostname} carries a name or password; put the key into an environment "
            "variable, and name that with key_env=NAME"
        )


def _may_pass(status: int) -> bool:
    """Return whether the same request may go well another time: a crowd, a broken reply, none at all."""
    return status in RETRIED or not status or 200 <= status < 300


def _describe(came: _Attempt, what: str) -> str:
    shown = " ".join(came.text[:2000].decode(errors="replace").split())
    status = f"HTTP {came.status}" if came.status else ""
    if 200 <= came.status < 300 and came.kind != "application/json":
        status += f" {came.kind}"
    return ": ".join(part for part in (status, what, shown[:300]) if part)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to wait, given as milliseconds, as seconds or as a date."""
    for name, unit_s in (("Retry-After-Ms", 1e-3), ("Retry-After", 1.0)):
        text = headers.get(name, "").strip()
        if text.replace(".", "", 1).isdecimal():
            return float(text) * unit_s
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None

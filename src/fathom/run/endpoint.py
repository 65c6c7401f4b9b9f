"""A hosted model's door: one POST with retries, a pace that follows the server, and an end when it is down.

All attempts at one request are made here and nowhere else, so that retries are never multiplied.
"""

from __future__ import annotations

import asyncio
import email.utils
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlsplit

import aiohttp

from fathom.records import EndpointError, InputError
from fathom.store.seeds import rng

T = TypeVar("T")

RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529})
FATAL = frozenset({401, 403, 404, 405, 407})
MAX_REPLY_BYTES = 16 << 20
LONGEST_WAIT_S = 120.0
OUT_OF_MONEY = b"insufficient_quota"
"""What an account without credit says, under the status of one that is merely too fast."""


@dataclass(frozen=True)
class Patience:
    """How long an endpoint is waited for.

    `attempts` are at most made at one request, in all. The run ends when a request has used up its attempts,
    or was turned down for good, and the last `failures_in_a_row` attempts at any request have all failed.
    An endpoint that has never answered yet is given `first_attempts`.
    """

    attempts: int = 8
    first_attempts: int = 3
    first_wait_s: float = 0.5
    longest_wait_s: float = 30.0
    timeout_s: float = 600.0
    connect_timeout_s: float = 20.0
    failures_in_a_row: int = 8


@dataclass(frozen=True)
class Reply(Generic[T]):
    """What came back in the end: what was read in the reply, or None and the error."""

    value: T | None
    error: str
    attempts: int
    seconds: float


class Pace:
    """How many requests may be in flight: halved when the server says they are too many, then grown again.

    A server that says so is left alone for as long as it asks, or for twice as long each time, by all.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = float(most)
        self._in_flight = 0
        self._waiting: list[asyncio.Future[None]] = []
        self._not_before = 0.0
        self._last_cut = -1.0
        self._cuts_in_a_row = 0

    async def enter(self) -> float:
        """Wait for a place; return when it was taken."""
        while self._in_flight >= int(self.limit):
            place = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            try:
                await place
            except asyncio.CancelledError:
                self._wake()
                raise
        self._in_flight += 1
        if self._not_before:
            try:
                while (wait := self._not_before - time.monotonic()) > 0:
                    await asyncio.sleep(wait)
            except asyncio.CancelledError:
                self.leave()
                raise
        return time.monotonic()

    def leave(self) -> None:
        """Give the place back."""
        self._in_flight -= 1
        self._wake()

    def grow(self) -> None:
        """Note a success: after a round of them, one place more."""
        self._cuts_in_a_row = 0
        if self.limit < self.most:
            self.limit = min(float(self.most), self.limit + 1.0 / self.limit)
            self._wake()

    def cut(self, sent_at: float, asked_for_s: float | None, patience: Patience) -> None:
        """Note that a request sent at `sent_at` was one too many; replies to one burst cut once."""
        now = time.monotonic()
        if sent_at > self._last_cut:
            self.limit = max(1.0, self.limit / 2)
            self._last_cut = now
            pause = min(patience.longest_wait_s, 2 * patience.first_wait_s * 2**self._cuts_in_a_row)
            self._cuts_in_a_row += 1
            self._not_before = max(self._not_before, now + (pause if asked_for_s is None else 0.0))
        if asked_for_s is not None:
            self._not_before = max(self._not_before, now + min(asked_for_s, LONGEST_WAIT_S))

    def _wake(self) -> None:
        while self._waiting and self._in_flight < int(self.limit):
            place = self._waiting.pop(0)
            if not place.done():
                place.set_result(None)
                return


class Endpoint(Generic[T]):
    """One address to which JSON is posted.

    `read` takes (status, body) to what the reply says, or raises ValueError where it is none, whatever its
    status: only what `read` accepts counts as a sign of life.

    Certificates are checked as the system does; redirects are not followed, so that the key goes nowhere
    else. `secret` is cut out of whatever comes back.
    """

    def __init__(
        self,
        url: str,
        headers: Mapping[str, str],
        secret: str,
        most: int,
        patience: Patience,
        read: Callable[[int, bytes], T],
    ) -> None:
        check_url(url)
        self._read = read
        self.url = url
        self.pace = Pace(most)
        self.patience = patience
        self._headers = {**headers, "Content-Type": "application/json"}
        self._secret = secret.encode()
        self._session: aiohttp.ClientSession | None = None
        self._in_a_row = 0
        self._ever = False

    async def post(self, body: bytes | aiohttp.payload.Payload, name: str) -> Reply[T]:
        """Return the reply to one request, called `name`, after as many attempts as it took.

        Raises EndpointError where the endpoint is down, or turns everything down.
        """
        begun = time.monotonic()
        for attempt in range(1, self.patience.attempts + 1):
            sent_at = await self.pace.enter()
            try:
                status, text, asked_for_s = await self._attempt(body)
            finally:
                self.pace.leave()
            try:
                value = self._read(status, text)
            except ValueError as e:
                error = self._describe(status, text, str(e))
            else:
                self._in_a_row = 0
                self._ever = True
                self.pace.grow()
                return Reply(value, "", attempt, time.monotonic() - begun)
            self._in_a_row += 1
            if status == 429:
                self.pace.cut(sent_at, asked_for_s, self.patience)
            fatal = status in FATAL or OUT_OF_MONEY in text
            mendable = status in RETRIED or not status or 200 <= status < 300
            last = fatal or not mendable or attempt == self.patience.attempts
            self._end_if_down(attempt, last, fatal, error)
            if last:
                return Reply(None, error, attempt, time.monotonic() - begun)
            await asyncio.sleep(self._wait(name, attempt, asked_for_s))
        raise AssertionError("at least one attempt is made")

    async def close(self) -> None:
        """Close the connections."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _attempt(self, body: bytes | aiohttp.payload.Payload) -> tuple[int, bytes, float | None]:
        """Return (status, body, seconds to wait as the server says); status 0 where no reply came."""
        if self._session is None:
            self._session = self._connect()
        try:
            async with self._session.post(self.url, data=body, allow_redirects=False) as reply:
                text = b""
                while chunk := await reply.content.readany():
                    text = text + chunk if text else chunk
                    if len(text) > MAX_REPLY_BYTES:
                        return 0, b"the reply is longer than 16 MiB", None
                if self._secret and self._secret in text:
                    text = text.replace(self._secret, b"[key]")
                return reply.status, text, _retry_after(reply.headers)
        except (aiohttp.ClientError, TimeoutError, OSError) as e:
            what = "no reply in time" if isinstance(e, TimeoutError) else str(e) or type(e).__name__
            return 0, what.encode(), None

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

        The jitter keeps requests that failed together from coming back together.
        """
        spread = float(rng("wait", name, attempt).uniform(0.75, 1.25))
        if asked_for_s is not None:
            return min(asked_for_s, LONGEST_WAIT_S) + 0.1 * spread
        p = self.patience
        return float(min(p.longest_wait_s, p.first_wait_s * 2 ** (attempt - 1)) * spread)

    def _describe(self, status: int, text: bytes, what: str) -> str:
        shown = " ".join(text[:2000].decode(errors="replace").split())
        parts = [f"HTTP {status}" if status else "", what, shown[:300]]
        return ": ".join(part for part in parts if part)

    def _end_if_down(self, attempt: int, last: bool, fatal: bool, error: str) -> None:
        if fatal and not self._ever:
            raise EndpointError(
                f"{self.url}: turned the first request down ({error}); check the key, the model's name and "
                "the address, then start the same command again"
            )
        p = self.patience
        enough = p.failures_in_a_row if self._ever else min(p.first_attempts, p.failures_in_a_row)
        if self._in_a_row >= enough and (last or (not self._ever and attempt >= p.first_attempts)):
            raise EndpointError(
                f"{self.url}: {self._in_a_row} attempts in a row have failed, the last with: {error}; what "
                "was answered is kept: start the same command again to carry on"
            )


def check_url(url: str) -> None:
    """Raise InputError unless this is an http(s) address without a name and password in it."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"expected an address such as https://host/v1, found {url!r}; correct the base URL")
    if parts.username or parts.password:
        raise InputError(
            f"the address of {parts.hostname} carries a name or password; put the key into an environment "
            "variable, and name that with key_env=NAME"
        )


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to wait, given as a number or as a date."""
    text = headers.get("Retry-After", "").strip()
    if not text:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None

"""Who may ask for what: tokens, hosts, origins."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable

from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response

from fathom.review.store import Person, ReviewStore

COOKIE = "fathom_review"
WAIT_S, WINDOW_S, MOST_WRONG = 1.0, 60.0, 20
"""A wrong token is answered after so long; after so many of them in a window, all are refused for a while."""

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "media-src 'self' blob:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}

MOST_BYTES = 256 * 1024
"""What a page sends has at most so many bytes."""


class Guard:
    """Lets in whoever has a token, and only requests that come from the review's own pages."""

    def __init__(self, store: ReviewStore, hosts: tuple[str, ...], wait_s: float = WAIT_S) -> None:
        self._store = store
        self._hosts = hosts
        self._wait_s = wait_s
        self._wrong: deque[float] = deque(maxlen=MOST_WRONG)

    def knows_host(self, request: HTTPConnection) -> bool:
        """Return whether the request names a host under which the pages are served."""
        host = request.headers.get("host", "")
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        return name.strip("[]").lower() in self._hosts

    async def person(self, request: HTTPConnection, token: str = "") -> Person | None:
        """Return whose token the request carries; a wrong one is answered slowly."""
        given = token or request.cookies.get(COOKIE, "")
        if not given:
            return None
        now = time.monotonic()
        crowded = len(self._wrong) == MOST_WRONG and now - self._wrong[0] < WINDOW_S
        found = None if crowded and token else self._store.person_of(given[:200])
        if found is None:
            self._wrong.append(now)
            await asyncio.sleep(self._wait_s)
        return found

    def is_own(self, request: Request) -> bool:
        """Return whether a request that changes something comes from the review's own page."""
        origin = request.headers.get("origin")
        own = origin is None or origin.split("://", 1)[-1] == request.headers.get("host", "")
        site = request.headers.get("sec-fetch-site", "same-origin")
        return own and site == "same-origin" and request.headers.get("x-fathom") == "review"


def refused(status: int = 404, text: str = "Not found") -> Response:
    """Return the answer to whoever may not see a page: it tells nothing."""
    return PlainTextResponse(text, status_code=status, headers=HEADERS)


Handler = Callable[[Request], Awaitable[Response]]


async def body_of(request: Request) -> bytes | None:
    """Return what was sent, None where it is more than may be."""
    found = bytearray()
    async for chunk in request.stream():
        found += chunk
        if len(found) > MOST_BYTES:
            return None
    return bytes(found)

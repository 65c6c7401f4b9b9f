"""Bodies of requests as they are sent: piece by piece, pictures turned into text no sooner than that.

What is loaded for sending is let go of when it is sent, and how much may be loaded at once is bounded in
bytes: a request that waits for its reply holds nothing.
"""

from __future__ import annotations

import asyncio
import base64
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field

MOST_BYTES = 24 << 20
"""Bytes of bodies that are loaded at once, waiting to be sent or being sent; one body may go beyond."""


@dataclass(frozen=True)
class Picture:
    """A picture or a video as it lies on disk; it is sent as a data URL."""

    head: bytes
    data: bytes

    @property
    def size(self) -> int:
        """How many bytes its data URL has."""
        return len(self.head) + (len(self.data) + 2) // 3 * 4

    def url(self) -> bytes:
        """Return its data URL."""
        return self.head + base64.b64encode(self.data)


Piece = bytes | Picture
Load = Callable[[], Awaitable[Sequence[Piece]]]


def joined(pieces: Sequence[Piece]) -> bytes:
    """Return pieces as one text."""
    return b"".join(piece.url() if isinstance(piece, Picture) else piece for piece in pieces)


class ByteBudget:
    """How many bytes are loaded, and who waits for there to be fewer."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        """Take how many may be loaded before others have to wait."""
        self.most = most
        self.held = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def loaded(self, load: Load) -> Loaded:
        """Return a body once there is room for it; it is held until it is released."""
        while self.held >= self.most:
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn
        body = Loaded(list(await load()), self)
        self.held += body.weight
        return body

    def leave(self, weight: int) -> None:
        """Note that so many bytes are let go of; all that wait look again."""
        self.held -= weight
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)


@dataclass
class Loaded:
    """A body in memory: `weight` bytes here, `size` bytes as it is sent."""

    pieces: list[Piece]
    room: ByteBudget
    size: int = field(init=False)
    weight: int = field(init=False)

    def __post_init__(self) -> None:
        """Count."""
        self.size = sum(p.size if isinstance(p, Picture) else len(p) for p in self.pieces)
        self.weight = sum(len(p.data) if isinstance(p, Picture) else len(p) for p in self.pieces)

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the body, each picture with the texts before it; when all is sent, it is let go of."""
        small: list[bytes] = []
        for piece in self.pieces:
            small.append(piece.url() if isinstance(piece, Picture) else piece)
            if len(small[-1]) > 4096:
                yield b"".join(small)
                small.clear()
        if small:
            yield b"".join(small)
        self.release()

    def release(self) -> None:
        """Let go of it; a second time changes nothing."""
        self.pieces = []
        weight, self.weight = self.weight, 0
        if weight:
            self.room.leave(weight)

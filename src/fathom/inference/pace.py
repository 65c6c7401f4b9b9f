"""How many requests may be in flight: as many as wanted, until the server says that they are too many."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from dataclasses import dataclass

LONGEST_WAIT_S = 120.0
"""However long a server asks to wait."""


@dataclass(frozen=True)
class Patience:
    """How long an endpoint is waited for.

    `attempts` are at most made at one request, in all, and each is given `timeout_s`. The run ends when the
    last `failures_in_a_row` attempts at any request have all failed, and a request has used up its own, or
    nothing was answered for `silence_s`. An endpoint that has never answered yet is given `first_attempts`
    and `first_silence_s`.
    """

    attempts: int = 8
    first_attempts: int = 3
    first_wait_s: float = 0.5
    longest_wait_s: float = 60.0
    timeout_s: float = 600.0
    connect_timeout_s: float = 20.0
    failures_in_a_row: int = 8
    silence_s: float = 300.0
    first_silence_s: float = 30.0


class Pace:
    """Places in flight: halved when the server says that they are too many, then grown one a round.

    A server that says so is left alone for as long as it asks, or for twice as long each time, by all.
    """

    def __init__(self, most: int, patience: Patience) -> None:
        """Take how many may be in flight at most, and how long the server is left alone."""
        self.most = most
        self.limit = float(most)
        self.in_flight = 0
        self._patience = patience
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._not_before = 0.0
        self._last_cut = -1.0
        self._cuts_in_a_row = 0

    async def enter(self) -> float:
        """Wait for a place, first come first served; return when it was taken."""
        if self._waiting or self.in_flight >= int(self.limit):
            place = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            self._wake()
            try:
                await place
            except asyncio.CancelledError:
                if not place.cancelled():
                    self.leave()  # it was given a place at the same moment
                raise
        else:
            self.in_flight += 1
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
        self.in_flight -= 1
        self._wake()

    def grow(self) -> None:
        """Note a success: after a round of them, one place more."""
        self._cuts_in_a_row = 0
        if self.limit < self.most:
            self.limit = min(float(self.most), self.limit + 1.0 / self.limit)
            self._wake()

    def cut(self, sent_at: float, asked_for_s: float | None) -> None:
        """Note that a request sent at `sent_at` was one too many; replies to one burst cut once."""
        now = time.monotonic()
        if sent_at > self._last_cut:
            self.limit = max(1.0, self.limit / 2)
            self._last_cut = now
            patience = self._patience
            pause = min(patience.longest_wait_s, 2 * patience.first_wait_s * 2**self._cuts_in_a_row)
            self._cuts_in_a_row += 1
            self._not_before = max(self._not_before, now + (pause if asked_for_s is None else 0.0))
        if asked_for_s is not None:
            self._not_before = max(self._not_before, now + min(asked_for_s, LONGEST_WAIT_S))

    def _wake(self) -> None:
        while self._waiting and self.in_flight < int(self.limit):
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)

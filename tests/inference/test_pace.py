"""How many are in flight: never more than allowed, first come first served, halved and grown again."""

from __future__ import annotations

import asyncio
import contextlib

from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.inference.pace import Pace, Patience

NO_PAUSE = Patience(first_wait_s=0.0, longest_wait_s=0.0)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 6),
    st.lists(st.sampled_from(["good", "crowded", "cancelled"]), min_size=1, max_size=40),
)
def test_no_more_are_in_flight_than_allowed_and_nobody_waits_for_ever(most: int, fates: list[str]) -> None:
    pace = Pace(most, NO_PAUSE)
    came: list[int] = []

    async def one(number: int, fate: str) -> None:
        sent_at = await pace.enter()
        try:
            came.append(number)
            assert pace.in_flight <= most
            await asyncio.sleep(0)
            if fate == "crowded":
                pace.cut(sent_at, None)
            else:
                pace.grow()
        finally:
            pace.leave()

    async def all_of_them() -> None:
        tasks = [asyncio.create_task(one(k, fate)) for k, fate in enumerate(fates)]
        await asyncio.sleep(0)
        for task, fate in zip(tasks, fates, strict=True):
            if fate == "cancelled":
                task.cancel()
        for task in tasks:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait_for(task, 5)

    asyncio.run(all_of_them())
    waited = [k for k, fate in enumerate(fates) if fate != "cancelled"]
    assert [k for k in came if k in waited] == waited, "somebody was overtaken"
    assert pace.in_flight == 0


def test_one_burst_halves_once_and_each_round_of_successes_gives_a_place_back() -> None:
    async def play() -> list[int]:
        pace = Pace(32, NO_PAUSE)
        sent = [await pace.enter() for _ in range(32)]
        for sent_at in sent:
            pace.leave()
            pace.cut(sent_at, None)
        limits = [int(pace.limit)]
        for _ in range(3):
            for _ in range(int(pace.limit)):
                pace.grow()
            limits.append(round(pace.limit))
        for _ in range(2000):
            pace.grow()
        return [*limits, int(pace.limit)]

    assert asyncio.run(play()) == [16, 17, 18, 19, 32]


def test_later_bursts_halve_again_and_one_place_always_stays() -> None:
    async def play() -> int:
        pace = Pace(8, NO_PAUSE)
        for _ in range(10):
            sent_at = await pace.enter()
            pace.leave()
            pace.cut(sent_at, None)
            await asyncio.sleep(0.001)
        return int(pace.limit)

    assert asyncio.run(play()) == 1

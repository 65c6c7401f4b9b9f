"""What a run came to, while it goes and in the end: counts, tokens, cost, rate."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

import msgspec

from fathom.inference.prices import Price
from fathom.records import CUT_OFF, Response, Status, Usage

RATE_OVER_S = 10.0


class JournalLine(msgspec.Struct, frozen=True):
    """What of a line of the journal counts here."""

    status: Status
    usage: Usage = Usage()
    finish: str = ""


@dataclass
class RunTally:
    """What answers came to; `sent` is how often something was sent for them, in vain or not."""

    lines: int = 0
    refused: int = 0
    cut_short: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    sent: int = 0

    def count(self, line: JournalLine | Response) -> None:
        """Add one."""
        usage = line.usage
        self.lines += 1
        self.refused += line.status == "refused"
        self.cut_short += line.finish in CUT_OFF
        self.input_tokens += usage.input_tokens
        self.cached_tokens += usage.cached_tokens
        self.output_tokens += usage.output_tokens
        self.reasoning_tokens += usage.reasoning_tokens
        self.sent += usage.attempts

    def cost(self, price: Price) -> float:
        """Return US dollars."""
        return price.cost(self.input_tokens, self.output_tokens, self.cached_tokens)


def tally_of(lines: Iterable[JournalLine]) -> RunTally:
    """Return what the lines of a journal came to."""
    tally = RunTally()
    for line in lines:
        tally.count(line)
    return tally


@dataclass
class Summary(RunTally):
    """What a run did: `skipped` were done before; the others are counts and costs of this start alone.

    `spared` are those that an early stop made needless, `before` is what earlier starts came to. `stopped`
    says why it ended before it was done. `at_most` is how many requests the server takes at once, where that
    is fewer than were wanted.
    """

    total: int = 0
    skipped: int = 0
    spared: int = 0
    ok: int = 0
    failed: int = 0
    seconds: float = 0.0
    first_error: str = ""
    stopped: str = ""
    in_flight: int = 0
    at_most: int = 0
    dearest: float = 0.0
    rate: float = 0.0
    price: Price | None = None
    before: RunTally = field(default_factory=RunTally)
    _ticks: deque[tuple[float, int]] = field(default_factory=deque, repr=False)

    @property
    def asked(self) -> int:
        """How many requests came to an end in this start."""
        return self.ok + self.refused + self.failed

    @property
    def settled(self) -> int:
        """How many requests came to an end at all."""
        return self.skipped + self.spared + self.asked

    @property
    def complete(self) -> bool:
        """Whether every request has an answer or a refusal now."""
        return not self.stopped and not self.failed and self.settled == self.total

    @property
    def cost_so_far(self) -> float:
        """What the whole run cost so far, in US dollars; 0 where the price is not known."""
        return self.cost(self.price) + self.before.cost(self.price) if self.price else 0.0

    def add(self, response: Response) -> None:
        """Count one response."""
        self.count(response)
        if response.status == "ok":
            self.ok += 1
        elif response.status == "failed":
            self.failed += 1
            self.first_error = self.first_error or response.error
        if self.price is not None:
            usage = response.usage
            cost = self.price.cost(usage.input_tokens, usage.output_tokens, usage.cached_tokens)
            self.dearest = max(self.dearest, cost)

    def tick(self, now_s: float) -> None:
        """Note the time, for the rate over the last seconds."""
        self._ticks.append((now_s, self.asked))
        while now_s - self._ticks[0][0] > RATE_OVER_S:
            self._ticks.popleft()
        then_s, asked = self._ticks[0]
        self.rate = (self.asked - asked) / (now_s - then_s) if now_s > then_s else 0.0

    def counts(self) -> dict[str, int]:
        """Return the counts that stand in a run's manifest: of the whole run, those that are 0 left out."""
        both = (self, self.before)
        sent, lines = sum(t.sent for t in both), sum(t.lines for t in both)
        more = {
            "spared": self.spared,
            "refused": sum(t.refused for t in both),
            "cut_short": sum(t.cut_short for t in both),
            "input_tokens": sum(t.input_tokens for t in both),
            "cached_tokens": sum(t.cached_tokens for t in both),
            "output_tokens": sum(t.output_tokens for t in both),
            "reasoning_tokens": sum(t.reasoning_tokens for t in both),
            "sent": sent if sent != lines else 0,
            "cost_millionths_of_usd": round(1e6 * self.cost_so_far),
        }
        always = {
            "requests": self.total,
            "done": self.skipped + self.ok + self.refused,
            "failed": self.failed,
        }
        return always | {name: count for name, count in more.items() if count}

    def note(self) -> str:
        """Return what stands beside the progress: rate, requests in flight, failures, tokens, cost."""
        parts = [f"{self.rate:,.{0 if self.rate >= 10 else 1}f}/s"] if self.rate else []
        if self.in_flight:
            held = f" of {self.at_most} that the server takes" if self.at_most else ""
            parts.append(f"{self.in_flight} in flight{held}")
        if self.failed:
            parts.append(f"{self.failed:,} failed")
        if self.input_tokens or self.output_tokens:
            parts.append(f"{short(self.input_tokens)} + {short(self.output_tokens)} tokens")
        if self.price is not None:
            parts.append(dollars(self.cost_so_far))
        return ", ".join(parts)

    def __str__(self) -> str:
        parts = [f"{self.ok:,} answered"]
        if self.refused:
            parts.append(f"{self.refused:,} refused")
        if self.failed:
            parts.append(f"{self.failed:,} failed")
        if self.skipped:
            parts.append(f"{self.skipped:,} were there already")
        if self.spared:
            parts.append(
                f"{self.spared:,} ({self.spared / self.total:.0%}) not needed: their verdicts were decided"
            )
        text = f"{', '.join(parts)}; {self.total:,} in all, {self.seconds:.1f} s"
        if self.input_tokens or self.output_tokens:
            text += f", {self.input_tokens:,} tokens in and {self.output_tokens:,} out"
            if self.reasoning_tokens:
                text += f" ({self.reasoning_tokens:,} of them reasoning)"
        if self.price is not None:
            text += f", {dollars(self.cost(self.price))}"
            if self.before.input_tokens or self.before.output_tokens:
                text += f" ({dollars(self.cost_so_far)} for the whole run)"
        if self.cut_short:
            text += f"\n{self.cut_short:,} came to the limit of their length before they ended."
        if self.failed:
            text += (
                f"\nThe first failure: {self.first_error}"
                "\nStart the same command again, and it asks only what failed or is missing."
            )
        if self.stopped:
            text += f"\nStopped by {self.stopped}."
        return text


def short(number: int) -> str:
    """Return a number in a few digits: 950, 12k, 3.4M."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= size:
            return f"{number / size:.{1 if number < 10 * size else 0}f}{letter}"
    return str(number)


def dollars(cost: float) -> str:
    """Return US dollars: cents, and small sums with two digits that count."""
    return f"${cost:,.2f}" if cost >= 0.1 or not cost else f"${cost:.2g}" if cost >= 1e-4 else "under $0.0001"

"""What a run would ask and cost, before anything is sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fathom.inference.backend import AnyBackend, BatchBackend
from fathom.inference.plans import Plan
from fathom.inference.prices import Price
from fathom.inference.start import check_plan
from fathom.inference.summary import JournalLine, RunTally, dollars, tally_of
from fathom.records import InputError, MediaPart, Request, TextPart, pictures_of
from fathom.store.datasets import MANIFEST, Dataset
from fathom.store.journal import read_lines, read_responses, shard_paths
from fathom.store.runs import RunFolder


@dataclass(frozen=True)
class Estimate:
    """What a run would ask and cost: `tokens_in` is a rough estimate, `tokens_out` the most that can come.

    `sends` are more than the requests where likelihoods are asked: one for the prompt, one for each option.
    """

    model: str
    requests: int
    done: int
    sends: int
    pictures: int
    tokens_in: int
    tokens_out: int
    hosted: bool = True
    price: Price | None = None
    before: RunTally = field(default_factory=RunTally)

    @property
    def cost(self) -> float | None:
        """The most that what is left would cost, in US dollars; None where the price is not known."""
        return self.price.cost(self.tokens_in, self.tokens_out) if self.price else None

    def __str__(self) -> str:
        left = self.requests - self.done
        text = f"{self.model}: {left:,} of {self.requests:,} requests to ask ({self.done:,} done), "
        if self.sends != left:
            text += f"sent in {self.sends:,} parts, "
        text += (
            f"{self.pictures:,} pictures, about {self.tokens_in:,} tokens in and at most "
            f"{self.tokens_out:,} out"
        )
        if not self.hosted:
            return text
        if self.price is None:
            return f"{text}; price unknown: write it into a file and name that with --prices"
        least = self.price.cost(self.tokens_in, 0)
        text += f"; about {dollars(least)} for what goes in, at most {dollars(self.cost or 0.0)} in all"
        spent = self.before.cost(self.price)
        return f"{text}, besides {dollars(spent)} spent before" if spent else text


def estimate_plan(plan: Plan) -> Estimate:
    """Return what the run would ask; nothing is sent, and nothing is written.

    Raises what the run itself would raise before its first request.
    """
    check_plan(plan)
    backend = plan.open()
    price = plan.config.price(backend)
    done, before = _so_far(plan, backend)
    requests = asked = sends = pictures = tokens = out = 0
    most = plan.config.more_tokens or _longest_answer(backend)
    for request in plan.requests(backend):
        requests += 1
        if request.key in done:
            continue
        asked += 1
        shown = pictures_of(request.prompt)
        passes = 1 + len(request.prompt.continuations)
        sends += passes
        pictures += passes * len(shown)
        tokens += passes * _tokens_in(request, plan.shown, int(backend.parameters.get("max_side_px", 0)))
        out += passes if request.prompt.continuations else most
    return Estimate(
        model=backend.name,
        requests=requests,
        done=requests - asked,
        sends=sends,
        pictures=pictures,
        tokens_in=tokens,
        tokens_out=out,
        hosted=not isinstance(backend, BatchBackend),
        price=price,
        before=before,
    )


def estimates_text(estimates: Mapping[str, Estimate]) -> str:
    """Return what several runs would ask and cost, a line each, and all of them together."""
    every = list(estimates.values())
    lines = [f"{name}: {estimate}" for name, estimate in estimates.items()]
    left, total = (sum(n) for n in zip(*((e.requests - e.done, e.requests) for e in every), strict=True))
    text = (
        f"in all: {left:,} of {total:,} requests to ask, {sum(e.pictures for e in every):,} pictures, about "
        f"{sum(e.tokens_in for e in every):,} tokens in and at most {sum(e.tokens_out for e in every):,} out"
    )
    costs = [e.cost for e in every if e.cost is not None]
    return "\n".join([*lines, f"{text}; at most {dollars(sum(costs))}" if costs else text])


def text_tokens(text: str) -> int:
    """Return about how many tokens an English text has: one for four characters."""
    return (len(text) + 3) // 4


def image_tokens(width: int, height: int, max_side_px: int = 0) -> int:
    """Return about how many tokens a picture costs: 85, and 170 for each tile of 512 pixels.

    It is first made to fit 2,048 pixels square, or `max_side_px`, and its shorter side 768.
    """
    scale = min(1.0, min(2048, max_side_px or 2048) / max(width, height))
    scale *= min(1.0, 768 / (min(width, height) * scale))
    across, down = -(-width * scale // 512), -(-height * scale // 512)
    return 85 + 170 * int(across * down)


def _so_far(plan: Plan, backend: AnyBackend) -> tuple[set[str], RunTally]:
    if not (plan.config.out / MANIFEST).exists():
        return set(), RunTally()
    folder = RunFolder(path=plan.config.out, manifest=plan.manifest(backend)).journal_folder
    if not shard_paths(folder):
        return set(), RunTally()
    again = plan.config.more_tokens > 0
    responses = read_responses(folder)
    done = {r.key for r in responses if r.status != "failed" and not (again and r.cut_off)}
    return done, tally_of(read_lines(folder, JournalLine))


def _longest_answer(backend: AnyBackend) -> int:
    given = backend.parameters
    for name in ("max_completion_tokens", "max_new_tokens", "max_tokens"):
        if given.get(name):
            return int(given[name])
    return 0


def _tokens_in(request: Request, shown: Dataset, max_side_px: int) -> int:
    prompt = request.prompt
    texts = [prompt.system, *(part.text for part in prompt.parts if isinstance(part, TextPart))]
    pictures = pictures_of(prompt)
    return sum(map(text_tokens, texts)) + sum(_picture_tokens(shown, part, max_side_px) for part in pictures)


def _picture_tokens(shown: Dataset, part: MediaPart, max_side_px: int) -> int:
    width, height = shown.media(part.media).size
    if width < 1 or height < 1:
        raise InputError(
            f"media {part.media!r}: has no size to estimate its tokens by; import the dataset again"
        )
    return image_tokens(width, height, max_side_px)

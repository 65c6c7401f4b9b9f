"""How many tokens an answer may have, where some models think before they answer and some do not.

A protocol says how long an answer may be. A model that thinks needs many more tokens, and nobody knows from
its name whether it does: its replies show it. What is not cut off comes out the same under any limit, so that
the limit is no part of what an answer is kept under.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fathom.inference.backend import Context, Scalar
from fathom.inference.thoughts import AUTO
from fathom.records import InputError

THINKING_TOKENS = 16_384
"""What a model that thinks may write in all, thoughts and answer, unless the user says otherwise."""

LIMITS = ("max_tokens", "max_completion_tokens", "max_new_tokens")
"""The options that set the limit exactly, as backends call them."""

OPTIONS: Mapping[str, type[str] | type[int] | type[float]] = {
    "thinks": str,
    "thinking_tokens": int,
    "think_tag": str,
}


@dataclass
class Budget:
    """The limit of one model's answers: `answer`, and `thinking` once it is known that it `thinks`.

    A limit that is `fixed` was given by the user, and stays.
    """

    answer: int
    thinking: int = THINKING_TOKENS
    thinks: bool = False
    fixed: bool = False

    @property
    def now(self) -> int:
        """How many tokens the next answer may have."""
        return max(self.answer, self.thinking) if self.thinks and not self.fixed else self.answer

    def hear(self, given: int, reasoned: bool, silent: bool, cut_off: bool) -> bool:
        """Return whether a request is to be put once more, with the limit of `now`, after one under `given`.

        A model thinks where its reasoning is seen, or where it came to its limit with no word of an answer.
        """
        self.thinks = self.thinks or (not self.fixed and (reasoned or (silent and cut_off)))
        return cut_off and given < self.now

    @property
    def notes(self) -> tuple[str, ...]:
        """What the manifest says of it."""
        if not self.thinks or self.fixed:
            return ()
        return (f"the model thinks before it answers: up to {self.now} tokens an answer",)


def budget_of(values: Mapping[str, Scalar], context: Context, model: str) -> Budget:
    """Return the budget that options and protocol come to. Raises InputError for a value that is none."""
    given = next((int(values[name]) for name in LIMITS if name in values), 0)
    word = str(values.get("thinks", "auto"))
    if word not in ("auto", "yes", "no"):
        raise InputError(f"--model {model}: thinks: expected auto, yes or no, found {word!r}")
    thinking = int(values.get("thinking_tokens", THINKING_TOKENS))
    for name, value in (("thinking_tokens", thinking), *((n, values[n]) for n in LIMITS if n in values)):
        if int(value) < 1:
            raise InputError(f"--model {model}: {name} expects 1 or more, found {value}")
    fixed = bool(context.more_tokens or given or word == "no")
    answer = context.more_tokens or given or int(context.parameters.get("max_tokens", 1024))
    return Budget(answer, thinking, word == "yes", fixed)


def think_tag_of(values: Mapping[str, Scalar]) -> str:
    """Return the tag that a model's thoughts stand in: `auto` for the usual ones, "" for none."""
    tag = str(values.get("think_tag", AUTO)).strip("<>")
    return "" if tag == "none" else tag

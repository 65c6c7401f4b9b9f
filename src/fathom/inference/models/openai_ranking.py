"""How likely a model behind an endpoint finds each continuation of a prompt.

prompt   the continuation stands as the beginning of the model's own message, and the server gives the
         log-probabilities of the prompt (vLLM's prompt_logprobs); pictures and templates as in a chat
echo     prompt and continuation as one plain text, which /completions gives back with its log-probabilities
letter   the log-probabilities of the first token that the model would write, for single letters

The first two ask once for the prompt alone and once for each continuation: what the second has more than the
first are the continuation's tokens, as the server itself cut them.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NoReturn

import msgspec

from fathom.inference.endpoint import Reply
from fathom.inference.models.openai_replies import Answer, Lenient, as_number

Method = Literal["prompt", "echo", "letter"]
Ask = Callable[[bytes], Awaitable[Reply[Answer]]]
Token = tuple[str, float]
"""A token of the prompt, by its number or its text, and its log-probability (NaN: the server gave none)."""

MOST_LETTERS = 20
"""So many of the likeliest tokens do most servers tell."""


class CannotRankError(ValueError):
    """The server does not say what is needed, and so will not for any other question."""


class _Scored(Lenient, frozen=True):
    logprob: float | str | None = None


class _Likely(Lenient, frozen=True):
    token: str
    logprob: float | str | None = None


class _First(Lenient, frozen=True):
    top_logprobs: list[_Likely] | None = None


class _Chat(Lenient, frozen=True):
    content: list[_First] | None = None


class _Echo(Lenient, frozen=True):
    tokens: list[str] | None = None
    token_logprobs: list[float | str | None] | None = None


@dataclass
class _Spent:
    """What all the requests for one question came to."""

    attempts: int = 0
    seconds: float = 0.0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0

    def add(self, reply: Reply[Answer]) -> None:
        self.attempts += reply.attempts
        self.seconds += reply.seconds
        if reply.value is not None:
            self.input_tokens += reply.value.input_tokens
            self.cached_tokens += reply.value.cached_tokens
            self.output_tokens += reply.value.output_tokens

    def reply(self, value: Answer, status: int = 200) -> Reply[Answer]:
        spent = replace(
            value,
            input_tokens=self.input_tokens,
            cached_tokens=self.cached_tokens,
            output_tokens=self.output_tokens,
        )
        return Reply(spent, "", self.attempts, self.seconds, status)


async def rank_behind(
    ask: Ask, bodies: Iterable[bytes], tokens_of: Callable[[Answer], Sequence[Token]]
) -> Reply[Answer]:
    """Return the sums and numbers of tokens of continuations, from a body without and one with each of them.

    Raises CannotRankError where the server does not give log-probabilities, or not of the same prompt.
    """
    spent = _Spent()
    prefix: Sequence[Token] = ()
    sums: list[float] = []
    lengths: list[int] = []
    for place, body in enumerate(bodies):
        reply = await ask(body)
        spent.add(reply)
        if reply.value is None:
            return Reply(None, reply.error, spent.attempts, spent.seconds, reply.status)
        if reply.value.status != "ok":
            return spent.reply(reply.value)
        tokens = tokens_of(reply.value)
        if not place:
            prefix = tokens
            continue
        told = _told_behind(prefix, tokens)
        if why := _why_unusable(told, place):
            return spent.reply(Answer("failed", error=why, model=reply.value.model))
        sums.append(math.fsum(told))
        lengths.append(len(told))
        model = reply.value.model
    found = Answer("ok", model=model, option_logprobs=tuple(sums), option_tokens=tuple(lengths))
    return spent.reply(found)


async def rank_letters(ask: Ask, body: bytes, letters: Sequence[str]) -> Reply[Answer]:
    """Return the log-probability of each letter as the first token, with or without a space before it.

    A letter that is not among the tokens told gets the log-probability of the last of them, which is more
    than its own: which letter is the likeliest does not change. Raises what `rank_behind` raises.
    """
    reply = await ask(body)
    answer = reply.value
    if answer is None or answer.status != "ok":
        return reply
    told = [(likely.token, _number(likely.logprob)) for likely in _likely_first(answer)]
    told = [(token, x) for token, x in told if x != -math.inf]  # as good as not told
    of_letter = {letter: [x for token, x in told if token.strip(" \n▁Ġ") == letter] for letter in letters}
    spent = _Spent()
    spent.add(reply)
    if not any(of_letter.values()):
        first = ", ".join(repr(token) for token, _ in told[:3])
        why = f"none of {', '.join(letters)} is among the {len(told)} likeliest tokens ({first} …)"
        return spent.reply(replace(answer, status="failed", error=why))
    if why := _why_unusable([x for _, x in told], 0):
        return spent.reply(replace(answer, status="failed", error=why))
    least = min(x for _, x in told)
    logprobs = tuple(_log_sum(of_letter[letter]) if of_letter[letter] else least for letter in letters)
    return spent.reply(replace(answer, option_logprobs=logprobs, option_tokens=(1,) * len(letters)))


def tokens_of_chat(answer: Answer) -> list[Token]:
    """Return the tokens of the prompt of a chat, by number. Raises CannotRankError without them."""
    kind = list[dict[str, _Scored] | None] | None
    try:
        told = msgspec.json.decode(answer.prompt_logprobs, type=kind)
    except msgspec.DecodeError as e:
        raise CannotRankError(f"sent prompt_logprobs of an unknown form ({e})") from e
    if not told:
        _sent_none("prompt_logprobs")
    tokens: list[Token] = []
    for at in told:
        if at is not None and len(at) != 1:
            raise CannotRankError(f"sent {len(at)} tokens where one was asked for")
        tokens += [("", math.nan)] if at is None else [(t, _number(s.logprob)) for t, s in at.items()]
    return tokens


def tokens_of_echo(answer: Answer) -> list[Token]:
    """Return the tokens of the prompt of a completion, by text. Raises CannotRankError without them."""
    try:
        told = msgspec.json.decode(answer.logprobs, type=_Echo | None)
    except msgspec.DecodeError as e:
        raise CannotRankError(f"sent logprobs of an unknown form ({e})") from e
    if told is None or not told.tokens or not told.token_logprobs:
        _sent_none("logprobs")
    count = answer.input_tokens
    if not 0 < count <= len(told.tokens) == len(told.token_logprobs):
        raise CannotRankError(
            f"sent {len(told.token_logprobs)} log-probabilities for a prompt of {count} tokens"
        )
    return [(t, _number(x)) for t, x in zip(told.tokens[:count], told.token_logprobs[:count], strict=True)]


def _likely_first(answer: Answer) -> list[_Likely]:
    try:
        told = msgspec.json.decode(answer.logprobs, type=_Chat | None)
    except msgspec.DecodeError as e:
        raise CannotRankError(f"sent logprobs of an unknown form ({e})") from e
    if told is None or not told.content or not told.content[0].top_logprobs:
        _sent_none("top_logprobs")
    return told.content[0].top_logprobs


def _sent_none(what: str) -> NoReturn:
    raise CannotRankError(f"was asked for {what}, and sent none")


def _told_behind(prefix: Sequence[Token], tokens: Sequence[Token]) -> list[float]:
    """Return the log-probabilities of the tokens that come behind the prefix."""
    same = [t for t, _ in prefix] == [t for t, _ in tokens[: len(prefix)]]
    if not same:
        raise CannotRankError(
            "cut the prompt into other tokens where a continuation follows, whose own cannot then be told"
        )
    return [x for _, x in tokens[len(prefix) :]]


def _why_unusable(logprobs: Sequence[float], option: int) -> str:
    where = f" of option {option}" if option else ""
    if not logprobs:
        return f"no token{where}"
    if any(math.isnan(x) for x in logprobs):
        return f"a log-probability{where} is missing, or is none (NaN)"
    if any(math.isinf(x) for x in logprobs):
        return f"a log-probability{where} is infinite"
    return ""


def _number(value: float | str | None) -> float:
    try:
        return as_number(value)
    except ValueError:
        return math.nan


def _log_sum(values: Sequence[float]) -> float:
    """Return the logarithm of the sum of what these are the logarithms of."""
    most = max(values)
    return most + math.log(math.fsum(math.exp(x - most) for x in values))

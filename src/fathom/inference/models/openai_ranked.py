"""The requests that ask an endpoint how likely options are, and what their replies come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import msgspec

from fathom.inference.endpoint import Endpoint, Reply
from fathom.inference.models.openai_ranking import (
    MOST_LETTERS,
    CannotRankError,
    Method,
    rank_behind,
    rank_letters,
    tokens_of_chat,
    tokens_of_echo,
)
from fathom.inference.models.openai_replies import Answer
from fathom.records import EndpointError, InputError, Request, TextPart

CHAT, COMPLETIONS = "chat/completions", "completions"

_LIMITS = ("max_tokens", "max_completion_tokens", "reasoning_effort")
_UNKNOWN_WORDS = ("logprob", "echo", "generation_prompt", "final_message", "nrecogni", "nknown", "upported")
"""In an error of a server to which a parameter means nothing."""


class Ranker:
    """Asks one endpoint for likelihoods; `head` returns what every request of a model begins with."""

    def __init__(
        self,
        model: str,
        endpoint: Endpoint[Answer],
        given: Mapping[str, object],
        head: Callable[[], dict[str, object]],
    ) -> None:
        self._model, self._endpoint, self._head = model, endpoint, head
        self._method: Method = given.get("ranking", "prompt")  # type: ignore[assignment]
        self._letters = int(str(given.get("logprobs", MOST_LETTERS)))
        self._has_ranked = False

    @property
    def shows_pictures(self) -> bool:
        """Whether the messages of a chat are sent, pictures and all."""
        return self._method != "echo"

    async def rank(self, request: Request, messages: bytes) -> Reply[Answer]:
        """Return the likelihoods of the continuations. Raises EndpointError where the server has none."""
        path = CHAT if self.shows_pictures else COMPLETIONS
        ask = partial(self._endpoint.post, path, name=request.key)
        try:
            if self._method == "letter":
                reply = await rank_letters(ask, self._letter_body(messages), _single_letters(request))
            elif self._method == "echo":
                reply = await rank_behind(ask, self._echo_bodies(request), tokens_of_echo)
            else:
                reply = await rank_behind(ask, self._prompt_bodies(request, messages), tokens_of_chat)
        except CannotRankError as e:
            reply = Reply(None, str(e), 1, 0.0)
            if not self._has_ranked:
                raise self._cannot_rank(str(e)) from e
        unknown = 400 <= reply.status < 500 and any(words in reply.error for words in _UNKNOWN_WORDS)
        if not self._has_ranked and reply.value is None and unknown:
            raise self._cannot_rank(reply.error)
        self._has_ranked = self._has_ranked or reply.value is not None
        return reply

    def _cannot_rank(self, why: str) -> EndpointError:
        others = {
            "prompt": "--option ranking=prompt (vLLM)",
            "echo": "--option ranking=echo (text alone)",
            "letter": "--option ranking=letter with --set continuation=letter",
        }
        others.pop(self._method)
        return EndpointError(
            f"{self._endpoint.url}: {self._model} cannot be asked for likelihoods with "
            f"ranking={self._method} ({why}); let it write its answers with --set answer=generation, or, "
            f"where the server can do that, choose {' or '.join(others.values())}"
        )

    def _begun(self, **more: object) -> bytes:
        sent = {k: v for k, v in self._head().items() if k not in _LIMITS}
        return msgspec.json.encode({**sent, **more})[:-1]

    def _prompt_bodies(self, request: Request, messages: bytes) -> Iterator[bytes]:
        """Yield a body for the prompt alone, and one with each continuation as the answer's beginning."""
        alone = self._begun(
            max_tokens=1, prompt_logprobs=0, add_generation_prompt=True, continue_final_message=False
        )
        begun = self._begun(
            max_tokens=1, prompt_logprobs=0, add_generation_prompt=False, continue_final_message=True
        )
        yield b"".join([alone, b',"messages":[', messages, b"]}"])
        for text in request.prompt.continuations:
            said = [b',{"role":"assistant","content":', msgspec.json.encode(text), b"}"]
            yield b"".join([begun, b',"messages":[', messages, *said, b"]}"])

    def _echo_bodies(self, request: Request) -> Iterator[bytes]:
        """Yield a body for the prompt alone, and one with each continuation behind it, as plain text."""
        prompt = request.prompt
        texts = [part.text for part in prompt.parts if isinstance(part, TextPart)]
        if len(texts) < len(prompt.parts):
            raise InputError(
                "--option ranking=echo: /completions takes text alone, and a question shows pictures; set "
                "ranking=prompt, or --set blind=yes"
            )
        before = "\n\n".join([prompt.system, *texts] if prompt.system else texts)
        head = self._begun(max_tokens=1, logprobs=1, echo=True)
        for text in ("", *prompt.continuations):
            yield b"".join([head, b',"prompt":', msgspec.json.encode(before + text), b"}"])

    def _letter_body(self, messages: bytes) -> bytes:
        limit = "max_completion_tokens" if "max_completion_tokens" in self._head() else "max_tokens"
        head = self._begun(**{limit: 1}, logprobs=True, top_logprobs=self._letters)
        return b"".join([head, b',"messages":[', messages, b"]}"])


def _single_letters(request: Request) -> tuple[str, ...]:
    letters = request.prompt.continuations
    if any(len(letter) != 1 for letter in letters):
        raise InputError(
            f"--option ranking=letter: expected single letters to compare, found {max(letters, key=len)!r} "
            f"(question {request.asked.id}); set --set continuation=letter"
        )
    return letters

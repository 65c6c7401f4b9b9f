"""What is put to a model, and what comes back."""

from __future__ import annotations

from typing import Literal

from fathom.records.question import Asked
from fathom.records.scene import Record

Purpose = Literal["answer", "blind", "judge", "write"]
Status = Literal["ok", "refused", "failed"]


class Variant(Record, frozen=True, kw_only=True):
    """How a question is put."""

    name: str = "plain"
    option_order: tuple[int, ...] = ()
    media_order: tuple[int, ...] = ()
    sampling: str = ""
    options_shown: bool = True
    media_withheld: bool = False
    repeat: int = 0


class TextPart(Record, frozen=True, kw_only=True, tag="text"):
    """A piece of the prompt that is text."""

    text: str


class MediaPart(Record, frozen=True, kw_only=True, tag="media"):
    """A piece of the prompt that is a picture or a video, by its media id."""

    media: str


Part = TextPart | MediaPart


class Prompt(Record, frozen=True, kw_only=True):
    """What the model reads, in order."""

    parts: tuple[Part, ...]
    system: str = ""


class Request(Record, frozen=True, kw_only=True):
    """One thing to ask of a model.

    `key` is the hash of all that can change the answer: model and revision, parameters, prompt, the hashes
    of the media and how they are sampled, the variant and the repeat.
    """

    key: str
    asked: Asked
    prompt: Prompt
    variant: Variant = Variant()
    purpose: Purpose = "answer"


class Usage(Record, frozen=True, kw_only=True):
    """What an answer cost."""

    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    attempts: int = 1


class Response(Record, frozen=True, kw_only=True):
    """What came back for one request; a failure is a response too."""

    key: str
    question: str
    status: Status
    text: str = ""
    variant: Variant = Variant()
    purpose: Purpose = "answer"
    option_logprobs: tuple[float, ...] = ()
    usage: Usage = Usage()
    finish: str = ""
    error: str = ""
    model: str = ""

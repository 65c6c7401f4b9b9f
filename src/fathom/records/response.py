"""What is put to a model, and what comes back."""

from __future__ import annotations

from typing import Literal

from fathom.records.question import UnansweredQuestion
from fathom.records.scene import Record

Purpose = Literal["answer", "blind", "judge", "write"]
Status = Literal["ok", "refused", "failed"]

CUT_OFF = frozenset({"length", "max_tokens", "MAX_TOKENS", "model_length"})
"""How servers say, in `finish`, that an answer came to the limit of its length before it ended."""


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
    """A piece of the prompt that is one picture, by its media id.

    `frame` is which frame of a video it is, counted from 0; −1 for a medium that is a picture itself.
    """

    media: str
    frame: int = -1


class ClipPart(Record, frozen=True, kw_only=True, tag="clip"):
    """A piece of the prompt that is a video: sampled frames, shown as `fps` of them a second.

    A backend that cannot take video shows the frames as pictures. `whole` is the media id of the video that
    the frames stand for, where they stand for one from its beginning to its end.
    """

    frames: tuple[MediaPart, ...]
    fps: float = 1.0
    whole: str = ""


Part = TextPart | MediaPart | ClipPart


class Prompt(Record, frozen=True, kw_only=True):
    """What the model reads, in order.

    `continuations` are texts of which the likelihood is wanted, each as what comes next; where there are
    none, the model is to write.
    """

    parts: tuple[Part, ...]
    system: str = ""
    continuations: tuple[str, ...] = ()


def pictures_of(prompt: Prompt) -> list[MediaPart]:
    """Return every picture of a prompt in the order in which the model sees it, the frames of clips too."""
    found: list[MediaPart] = []
    for part in prompt.parts:
        if isinstance(part, MediaPart):
            found.append(part)
        elif isinstance(part, ClipPart):
            found.extend(part.frames)
    return found


class Request(Record, frozen=True, kw_only=True):
    """One object to ask of a model.

    `key` is the hash of all that can change the answer: model and revision, parameters, prompt, the hashes
    of the media and how they are sampled, the variant and the repeat.
    """

    key: str
    asked: UnansweredQuestion
    prompt: Prompt
    variant: Variant = Variant()
    purpose: Purpose = "answer"


class Usage(Record, frozen=True, kw_only=True):
    """What an answer cost.

    `cached_tokens` are those of the input that the server had kept, and `reasoning_tokens` those of the
    output that went into the reasoning: both are part of the number before them, and priced with it.
    """

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    seconds: float = 0.0
    attempts: int = 1


class Response(Record, frozen=True, kw_only=True):
    """What came back for one request; a failure is a response too.

    `text` is the answer alone; what the model thought before it, where that came apart from it, is
    `reasoning`, in which no answer is looked for. `finish` is why it ended, in the server's word.
    `option_logprobs` are the sums of the log-probabilities of each continuation's tokens, in the order of
    the prompt's continuations, and `option_tokens` how many tokens each has.
    """

    key: str
    question: str
    status: Status
    text: str = ""
    reasoning: str = ""
    variant: Variant = Variant()
    purpose: Purpose = "answer"
    option_logprobs: tuple[float, ...] = ()
    option_tokens: tuple[int, ...] = ()
    usage: Usage = Usage()
    finish: str = ""
    error: str = ""
    model: str = ""

    @property
    def cut_off(self) -> bool:
        """Return whether the answer, or the reasoning before it, came to the limit of its length."""
        return self.finish in CUT_OFF

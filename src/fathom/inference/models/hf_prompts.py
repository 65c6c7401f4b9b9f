"""From prompts to what a local model reads: chat template, pictures, videos, token ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fathom.inference.backend import PixelsOf
from fathom.inference.models.hf_families import Family
from fathom.records import ClipPart, MediaPart, Prompt, TextPart

BETWEEN_TEXTS = "\n"
"""What stands between two pieces of text with no picture between them."""


class UnfitPromptError(ValueError):
    """A prompt that this model cannot be shown; the request fails, and the run goes on."""


@dataclass(frozen=True)
class Encoded:
    """Prompts as a model reads them; `options` are the token ids of each prompt's continuations."""

    inputs: dict[str, Any]
    lengths: tuple[int, ...]
    options: tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True)
class _Talk:
    """A prompt taken apart: pieces of text and places of pictures in order, and the pictures themselves."""

    system: str
    pieces: tuple[tuple[str, str], ...]
    pictures: tuple[MediaPart, ...]
    clips: tuple[ClipPart, ...]


def shape_of(prompt: Prompt, video: bool, joins: bool = False) -> tuple[int, tuple[int, ...], bool]:
    """Return what prompts of one batch must have in common: whether there are pictures, and how many where
    they are joined; the clips' lengths; continuations.
    """
    talk = _take_apart(prompt, video)
    pictures = len(talk.pictures) if joins else min(len(talk.pictures), 1)
    return pictures, tuple(len(clip.frames) for clip in talk.clips), bool(prompt.continuations)


def encode(
    prompts: Sequence[Prompt], processor: Any, family: Family, pixels_of: PixelsOf, most_tokens: int = 0
) -> Encoded:
    """Return prompts of one shape, padded to one length.

    Raises UnfitPromptError where a prompt shows more or fewer pictures than the model takes, is longer than
    it reads, or has an empty continuation.
    """
    tokenizer = getattr(processor, "tokenizer", processor)
    sees = processor is not tokenizer
    talks = [_take_apart(prompt, video_of(processor)) for prompt in prompts]
    for talk in talks:
        _check_pictures(talk, family, sees)
    texts = [_text(talk, processor, family) for talk in talks]
    more: dict[str, Any] = {}
    # A template that writes the first token itself would have it twice.
    if texts[0][1] and (not sees or (tokenizer.bos_token and texts[0][0].startswith(tokenizer.bos_token))):
        more["add_special_tokens"] = False
    if sees:
        more |= _pictures(talks, family, pixels_of) | _videos(talks, pixels_of)
    inputs = dict(processor(text=[text for text, _ in texts], padding=True, return_tensors="pt", **more))
    inputs.pop("labels", None)  # for training
    if family.joins and len(talks[0].pictures) > 1:
        inputs = _joined(inputs, len(talks[0].pictures), processor)
    lengths = tuple(int(n) for n in inputs["attention_mask"].sum(dim=1))
    if most_tokens and max(lengths) > most_tokens:
        raise UnfitPromptError(
            f"the prompt has {max(lengths)} tokens, and the model reads {most_tokens} at most"
        )
    return Encoded(inputs, lengths, tuple(_options(prompt, tokenizer) for prompt in prompts))


def video_of(processor: Any) -> bool:
    """Return whether videos can be shown as such; else their frames are shown as pictures."""
    return getattr(processor, "video_processor", None) is not None


def _take_apart(prompt: Prompt, video: bool) -> _Talk:
    pieces: list[tuple[str, str]] = []
    pictures: list[MediaPart] = []
    clips: list[ClipPart] = []
    for part in prompt.parts:
        if isinstance(part, TextPart):
            if pieces and pieces[-1][0] == "text":
                pieces[-1] = ("text", pieces[-1][1] + BETWEEN_TEXTS + part.text)
            else:
                pieces.append(("text", part.text))
        elif isinstance(part, ClipPart) and video:
            pieces.append(("video", ""))
            clips.append(part)
        else:
            shown = part.frames if isinstance(part, ClipPart) else (part,)
            pieces += [("image", "")] * len(shown)
            pictures += shown
    return _Talk(prompt.system, tuple(pieces), tuple(pictures), tuple(clips))


def _check_pictures(talk: _Talk, family: Family, sees: bool) -> None:
    count = len(talk.pictures) + len(talk.clips)
    if count and not sees:
        raise UnfitPromptError(
            "the model reads text alone, and the prompt shows pictures; use a blind protocol"
        )
    if family.needs_picture and not count:
        raise UnfitPromptError("the model cannot do without a picture, and the prompt shows none")


def _text(talk: _Talk, processor: Any, family: Family) -> tuple[str, bool]:
    """Return a prompt's text, and whether a chat template wrote it."""
    tokenizer = getattr(processor, "tokenizer", processor)
    source = processor if getattr(processor, "chat_template", None) else tokenizer
    if not getattr(source, "chat_template", None):
        return _plain(talk, processor, family), False
    content: Any = [{"type": kind, "text": text} if text else {"type": kind} for kind, text in talk.pieces]
    if processor is tokenizer:
        content = BETWEEN_TEXTS.join(text for _, text in talk.pieces)
    user = {"role": "user", "content": content}
    if talk.system:
        said: Any = talk.system if processor is tokenizer else [{"type": "text", "text": talk.system}]
        from jinja2 import TemplateError

        try:
            return _render(source, [{"role": "system", "content": said}, user]), True
        except TemplateError:  # some templates know no such role
            first = f"{talk.system}\n\n"
            user["content"] = (
                first + content if isinstance(content, str) else [{"type": "text", "text": first}, *content]
            )
    return _render(source, [user]), True


def _render(source: Any, messages: list[dict[str, Any]]) -> str:
    return str(source.apply_chat_template(messages, add_generation_prompt=True, tokenize=False))


def _plain(talk: _Talk, processor: Any, family: Family) -> str:
    """Return the text for a model without a chat template: what is said, and placeholders if it has any."""
    marks = {"image": getattr(processor, "image_token", ""), "video": getattr(processor, "video_token", "")}
    if not family.placeholder:
        marks = dict.fromkeys(marks, "")
    said = "".join(text if kind == "text" else str(marks[kind]) for kind, text in talk.pieces)
    return f"{talk.system}\n\n{said}" if talk.system else said


def _pictures(talks: Sequence[_Talk], family: Family, pixels_of: PixelsOf) -> dict[str, Any]:
    """Return the pictures as the processor takes them, listed prompt by prompt.

    In one flat list some processors would take each for the only picture of its prompt.
    """
    if not any(talk.pictures for talk in talks):
        return {}
    from PIL import Image

    nested = [[Image.fromarray(pixels) for pixels in pixels_of(talk.pictures)] for talk in talks]
    return {"images": nested if family.nested else [picture for pictures in nested for picture in pictures]}


def _joined(inputs: dict[str, Any], pictures: int, processor: Any) -> dict[str, Any]:
    """Return what a model reads of prompts with so many pictures each, of which the library sees to one.

    Each picture goes through vision tower and Q-Former by itself, with the prompt's words where the Q-Former
    reads them. A prompt begins with as many places as its pictures have query outputs together, which
    the library fills in order.
    """
    import torch

    token = processor.tokenizer.convert_tokens_to_ids(str(processor.image_token))
    ids, mask = inputs["input_ids"], inputs["attention_mask"]
    more = (pictures - 1) * int((ids[0] == token).sum())
    found = dict(inputs)
    found["input_ids"] = torch.cat([ids.new_full((len(ids), more), token), ids], dim=1)
    found["attention_mask"] = torch.cat([mask.new_ones((len(mask), more)), mask], dim=1)
    for name in ("qformer_input_ids", "qformer_attention_mask"):
        if name in inputs:
            found[name] = inputs[name].repeat_interleave(pictures, dim=0)
    return found


def _videos(talks: Sequence[_Talk], pixels_of: PixelsOf) -> dict[str, Any]:
    """Return the videos with when each frame is, so that no processor samples or guesses again."""
    if not any(talk.clips for talk in talks):
        return {}
    from transformers.video_utils import VideoMetadata

    clips = [clip for talk in talks for clip in talk.clips]
    return {
        "videos": [np.stack(pixels_of(clip.frames)) for clip in clips],
        "video_metadata": [
            VideoMetadata(
                total_num_frames=len(clip.frames), fps=clip.fps, frames_indices=list(range(len(clip.frames)))
            )
            for clip in clips
        ],
        "do_sample_frames": False,
    }


def _options(prompt: Prompt, tokenizer: Any) -> tuple[tuple[int, ...], ...]:
    """Return the token ids of each continuation, on its own: nothing before it is tokenised again."""
    options = tuple(
        tuple(tokenizer(text, add_special_tokens=False)["input_ids"]) for text in prompt.continuations
    )
    for text, ids in zip(prompt.continuations, options, strict=True):
        if not ids:
            raise UnfitPromptError(f"the continuation {text!r} has no tokens, and so no likelihood")
    return options

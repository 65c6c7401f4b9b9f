"""Action recognition: which of 174 actions is done to the objects in a video of Something-Something-v2.

Wrong options are other templates with the same objects in their places, so that no object tells the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from fathom.benchmarks.seedbench.videos.drafts import WRONG, VideoDraft, VideoOption, WrongOptions, pick
from fathom.formats.actions.record import SOMETHING, ActionAnnotations, AnnotatedVideo
from fathom.formats.actions.something import SLOT, filled

TASK = "action_recognition"
TEXT = "What is the action being carried out in the video?"
OTHER_ACTIONS = "same objects, other actions"

_PLAIN = frozenset({"a", "an", "the", "of", "it", "its", "so", "that", "to", "and", "or", "with", "is"})


def recognition_drafts(annotations: ActionAnnotations) -> Iterator[VideoDraft]:
    """Yield a draft a video."""
    templates = sorted(annotations.templates)
    for video in annotations.videos:
        if video.source == SOMETHING:
            yield _draft(video, templates)


def _draft(video: AnnotatedVideo, templates: Sequence[str]) -> VideoDraft:
    action = video.actions[0]
    others = [t for t in templates if _fits(t, action.verb)]
    options = [_option(t, action.objects) for t in others]
    return VideoDraft(
        id=f"{TASK}:{video.id}",
        task=TASK,
        text=TEXT,
        answer=_option(action.verb, action.objects),
        video=video,
        actions=(action,),
        rules={OTHER_ACTIONS: partial(_drawn, tuple(options))},
        group=action.verb,
    )


def _drawn(options: WrongOptions, rng: np.random.Generator) -> WrongOptions | None:
    return pick(rng, options, WRONG)


def _option(template: str, objects: tuple[str, ...]) -> VideoOption:
    return VideoOption(filled(template, objects), (("template", template),))


def _fits(other: str, own: str) -> bool:
    """Return whether a template takes the same objects, and neither says a part of what the other says.

    Who pushes something from left to right also pushes it.
    """
    if [s.casefold() for s in SLOT.findall(other)] != [s.casefold() for s in SLOT.findall(own)]:
        return False
    first, second = _content(other), _content(own)
    return not first <= second and not second <= first


def _content(template: str) -> set[str]:
    return set(re.findall(r"\w+", SLOT.sub(" ", template).casefold())) - _PLAIN

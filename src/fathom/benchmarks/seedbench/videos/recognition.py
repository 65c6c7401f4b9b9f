"""Action recognition: which of 174 actions is done to the objects in a video of Something-Something-v2.

Wrong options are other templates with the same objects in their places, so that no object tells the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from fathom.benchmarks.seedbench.videos.drafts import WRONG, VideoDraft, VideoOption, WrongOptions, pick
from fathom.benchmarks.seedbench.videos.wording import PART, nearly_says, says_part
from fathom.formats.actions.record import SOMETHING, ActionAnnotations, AnnotatedVideo, LabelledAction
from fathom.formats.actions.something import SLOT, filled

TASK = "action_recognition"
TEXT = "What is the action being carried out in the video?"
OTHER_ACTIONS = "same objects, other actions"


@dataclass(frozen=True)
class _Done:
    """What is done in a video of one action."""

    action: LabelledAction

    def told(self) -> Mapping[str, Sequence[str]]:
        """Return the action in the annotator's words, as a template, and its objects."""
        return {
            "The action as it is annotated": (self.action.words,),
            "Its template": (self.action.verb,),
            "What stands for the brackets, in their order": self.action.objects or ("nothing",),
        }

    def option(self, text: str) -> VideoOption:
        """Return an option, counted by the template that is left without the objects."""
        template = text
        for thing in self.action.objects:
            template = re.sub(
                rf"(?<!\w){re.escape(thing)}(?!\w)", "[something]", template, flags=re.IGNORECASE
            )
        return VideoOption(text, (("template", template[:1].upper() + template[1:]),))

    def wrong(self, text: str) -> str:
        """Return whether the words say a part of what is done, or the same."""
        said = (filled(self.action.verb, self.action.objects), self.action.words)
        return PART if any(nearly_says(text, own) for own in said) else ""


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
        ground=_Done(action),
    )


def _drawn(options: WrongOptions, rng: np.random.Generator) -> WrongOptions | None:
    return pick(rng, options, WRONG)


def _option(template: str, objects: tuple[str, ...]) -> VideoOption:
    return VideoOption(filled(template, objects), (("template", template),))


def _fits(other: str, own: str) -> bool:
    """Return whether a template takes the same objects, and neither says a part of what the other says."""
    if [s.casefold() for s in SLOT.findall(other)] != [s.casefold() for s in SLOT.findall(own)]:
        return False
    return not says_part(SLOT.sub(" ", other), SLOT.sub(" ", own))

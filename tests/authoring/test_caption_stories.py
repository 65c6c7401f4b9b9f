"""Captions of stories as they are drawn for a dataset: all true, whatever the story."""

from __future__ import annotations

import pytest

from fathom.assets.props.catalogue import PROPS
from fathom.authoring.captions.claim_checks import faults
from fathom.authoring.captions.english import CaptionLexicon, VerbForms
from fathom.authoring.captions.grammar import captions_of
from fathom.scenes.animated_assets import built_in_animated
from fathom.scenes.animated_scenes import draw_animated_scene
from fathom.scenes.scene_at_time import Staging

CAST = built_in_animated()
VERBS = sorted({clip.verb for actor in CAST.assets for clip in actor.clips})
LEXICON = CaptionLexicon(
    verbs={verb: VerbForms(f"{verb}s", f"{verb}ing") for verb in VERBS},
    plurals={prop.name: prop.plural for prop in PROPS.values()},
)


@pytest.mark.parametrize("number", range(8))
def test_captions_of_a_story_are_true(number: int) -> None:
    timeline = draw_animated_scene(number, "captions", CAST, Staging(stage="props", views=8, size_px=64))
    for caption in captions_of(timeline, LEXICON, "0"):
        assert faults(caption, timeline, LEXICON) == [], caption.text

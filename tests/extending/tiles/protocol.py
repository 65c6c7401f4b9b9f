"""How Tiles is put to a model: the picture, the question, its options."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fathom.inference.prompts import choice_prompt, how_to_answer, option_lines, shown_options
from fathom.inference.settings import ChoiceSettings, make_protocol
from fathom.inference.variants import variants_of
from fathom.records import MediaOf, MediaPart, Prompt, UnansweredQuestion, Variant


@dataclass(frozen=True)
class TileSettings(ChoiceSettings):
    """What can be set of Tiles, besides what can be set of all questions with options.

    polite : says please
    """

    polite: bool = False


def prompt(settings: TileSettings, asked: UnansweredQuestion, variant: Variant, media_of: MediaOf) -> Prompt:
    """Return the prompt."""
    options = shown_options(asked, variant)
    please = "Please look at the tiles. " if settings.polite else ""
    texts = [f"{please}{asked.text}\n{option_lines(options)}", how_to_answer(settings)]
    images = [MediaPart(media=media) for media in asked.media]
    return choice_prompt(settings, variant, images, texts, options)


PROTOCOLS = {
    name: make_protocol(name, "1", settings, prompt, variants_of)
    for name, settings in {
        "default": TileSettings(),
        "circular": replace(TileSettings(), grouping="circular"),
    }.items()
}

"""How 3DSRBench is put to a model: the image, the question, and its options in every rotation.

The paper follows VLMEvalKit: the image first, then question and lettered options, and each question once for
every rotation of its options. The words are Fathom's.

Ref: 3DSRBench §3.4, §4.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fathom.inference.prompts import choice_prompt, how_to_answer, option_lines, shown_options
from fathom.inference.settings import ChoiceSettings, make_protocol
from fathom.inference.variants import variants_of
from fathom.records import MediaOf, MediaPart, Prompt, Protocol, UnansweredQuestion, Variant

VERSION = "1"


def prompt(
    settings: ChoiceSettings, asked: UnansweredQuestion, variant: Variant, media_of: MediaOf
) -> Prompt:
    """Return the prompt: image, question, options, how to answer."""
    options = shown_options(asked, variant)
    lines = f"\nOptions:\n{option_lines(options)}" if settings.options == "shown" else ""
    images = [MediaPart(media=media) for media in asked.media]
    texts = [f"Question: {asked.text}{lines}", how_to_answer(settings)]
    return choice_prompt(settings, variant, images, texts, options)


PAPER = ChoiceSettings(grouping="circular")
_RANKED = replace(PAPER, answer="likelihood", continuation="letter", grouping="plain")

PROTOCOLS: Mapping[str, Protocol] = {
    name: make_protocol(name, VERSION, settings, prompt, variants_of)
    for name, settings in {
        "default": PAPER,
        "generation": replace(PAPER, grouping="plain"),
        "likelihood": _RANKED,
        "circular": PAPER,
        "flip": replace(PAPER, grouping="flip"),
        "both": replace(PAPER, grouping="both"),
        "paper-llm": PAPER,
        "blind": replace(PAPER, blind=True),
    }.items()
}
"""`default` is the paper's: every rotation of the options, joined (CircularEval). `paper-llm` puts
questions in the same way, and its runs are read by the extractor of this name, with a model as reader.
"""

"""What architectures need that their configuration does not say. What is not listed here needs nothing.

docs/local-models.md says how each was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Family:
    """How an architecture is to be fed.

    `joins`: the library takes one picture a prompt, and what it makes of several is joined here, before the
    language model; `needs_picture`: it cannot do without one;
    `batches`: several prompts can be padded to one length; `placeholder`: the text says where pictures
    stand; `nested`: pictures are listed prompt by prompt; `wrapped`: the language model's outputs and its
    later passes are the wrapped model's; `answer_type`: the token type of what follows the prompt.
    """

    joins: bool = False
    needs_picture: bool = False
    batches: bool = True
    placeholder: bool = True
    nested: bool = True
    wrapped: bool = False
    answer_type: int = 0


FAMILIES: Mapping[str, Family] = {
    # Shown three pictures as they are, it answers as if it had seen the first alone, and does not say so.
    "blip-2": Family(joins=True, needs_picture=True, placeholder=False, nested=False, wrapped=True),
    # Its picture comes before the padding, so that padding on the left ends up in the middle.
    "instructblip": Family(
        joins=True, needs_picture=True, batches=False, placeholder=False, nested=False, wrapped=True
    ),
    # The prompt is read in both directions, what follows it in one.
    "paligemma": Family(placeholder=False, answer_type=1),
}


def family_of(architecture: str) -> Family:
    """Return what an architecture needs."""
    return FAMILIES.get(architecture, Family())

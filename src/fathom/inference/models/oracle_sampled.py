"""What the oracle makes of questions about videos: it knows what the pictures in its prompt show, no more.

It answers rightly where they hit every need of the question's evidence, and guesses elsewhere, so that its
accuracy over views and frames is what the evidence says, but for the luck of its guesses. A guess hangs on
the seed, the question and the order of its options alone, and not on what is shown: whoever is shown more is
right wherever he was right before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from fathom.media.cells import can_answer, cells_shown
from fathom.records import InputError, MediaOf, Need, Request

Sees = Literal["sampled", "all"]
"""`sampled`: the frames in its prompt; `all`: every frame of every view, unless media are withheld."""


def sees(request: Request, needs: Sequence[Need], media_of: MediaOf, eyes: Sees) -> bool:
    """Return whether somebody with such eyes can answer a request from what it shows."""
    if request.variant.media_withheld:
        return False
    return eyes == "all" or can_answer(needs, cells_shown(request.prompt, request.asked.media, media_of))


def eyes_named(name: str) -> Sees:
    """Return the eyes of this name. Raises InputError where there are none."""
    known: tuple[Sees, ...] = get_args(Sees)
    found = next((eyes for eyes in known if eyes == name), None)
    if found is None:
        raise InputError(f"--model oracle: sees expects {' or '.join(known)}, found {name!r}")
    return found

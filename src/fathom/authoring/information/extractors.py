"""One interface for whatever says something of a picture."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import VisualInformation

Look = Callable[[GivenPicture], VisualInformation]
"""From one picture to what is said of it; InputError, with one sentence, where nothing can be told."""

LookTogether = Callable[[Sequence[GivenPicture], Sequence[VisualInformation]], Sequence[VisualInformation]]
"""From pictures, and what the extractors before said of each, to what is said of each."""


@dataclass(frozen=True)
class VisionExtractor:
    """Says something of pictures, `batch` of them at a time.

    `look` raises InputError, with one sentence, where it cannot tell; the pictures of a batch are then
    looked at one by one. `version` is raised by whatever changes what it says.
    """

    name: str
    version: str
    look: LookTogether
    batch: int = 1


def one_by_one(name: str, version: str, look: Look) -> VisionExtractor:
    """Return an extractor that looks at each picture by itself, whatever others said of it."""
    return VisionExtractor(name, version, lambda pictures, _: [look(p) for p in pictures])

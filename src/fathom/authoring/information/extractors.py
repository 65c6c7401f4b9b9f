"""One interface for whatever says something of a picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import VisualInformation


@dataclass(frozen=True)
class VisionExtractor:
    """Says something of pictures. `look` raises InputError, with one sentence, where it cannot tell.

    `version` is raised by whatever changes what it says.
    """

    name: str
    version: str
    look: Callable[[GivenPicture], VisualInformation]

"""What says something of pictures, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from fathom.authoring.information.extractors import VisionExtractor
from fathom.authoring.information.pictures import GivenPicture
from fathom.named import attribute_of
from fathom.records import InputError

Opened = Callable[[str, Sequence[GivenPicture]], VisionExtractor]
"""From what was said behind the name, and all pictures, to the extractor."""

EXTRACTORS: Mapping[str, str] = MappingProxyType(
    {
        "perfect": "fathom.authoring.information.perfect:opened",
        "noisy": "fathom.authoring.information.noisy:opened",
        "jsonl": "fathom.authoring.information.readers:opened_lines",
        "coco": "fathom.authoring.information.readers:opened_coco",
        "tag2text": "fathom.authoring.information.other_tools:opened_tag2text",
        "vinvl": "fathom.authoring.information.other_tools:opened_vinvl",
        "grit": "fathom.authoring.information.other_tools:opened_grit",
        "paddleocr": "fathom.authoring.information.other_tools:opened_paddleocr",
        "ocr": "fathom.authoring.information.optical:opened",
        "captions": "fathom.datasets.vision_models.captions:opened",
        "tags": "fathom.datasets.vision_models.tags:opened",
        "imagenet": "fathom.datasets.vision_models.imagenet:opened",
        "coco80": "fathom.datasets.vision_models.coco80:opened",
        "objects": "fathom.datasets.vision_models.objects:opened",
        "words": "fathom.datasets.vision_models.words:opened",
        "outlines": "fathom.datasets.vision_models.outlines:opened",
        "regions": "fathom.datasets.vision_models.regions:opened",
        "replies": "fathom.authoring.information.replies:opened",
    }
)
"""Name → what opens it. One from another package is named as module:attribute."""


def opened_extractors(specs: Sequence[str], pictures: Sequence[GivenPicture]) -> list[VisionExtractor]:
    """Return the extractors of specifications, NAME or NAME=WHAT. Raises InputError for an unknown one."""
    found = []
    for spec in specs:
        name, _, rest = spec.partition("=")
        where = EXTRACTORS.get(name, name if ":" in name else "")
        if not where:
            raise InputError(f"--extractors {spec}: there is {', '.join(EXTRACTORS)}, or module:attribute")
        open_it: Opened = attribute_of(where)
        found.append(open_it(rest, pictures))
    names = [e.name for e in found]
    if twice := [n for n in names if names.count(n) > 1]:
        raise InputError(f"--extractors: {twice[0]} is given twice; give it once")
    return found

"""Tags of whole pictures by a classifier of transformers, said as one caption that is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fathom.authoring.information.extractors import VisionExtractor
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import CaptionOf, VisualInformation
from fathom.datasets.vision_models.checkpoints import ModelSettings, load, pixels, settings_behind
from fathom.records import InputError

NAME, VERSION = "tags", "1"


@dataclass(frozen=True)
class TagSettings(ModelSettings):
    """Which tags are said.

    most : how many at most, the likeliest first
    score : the least probability
    """

    most: int = 5
    score: float = 0.1


def opened(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the tagger of a checkpoint. Raises InputError, MissingExtraError."""
    folder, settings = settings_behind(NAME, rest, TagSettings())
    model = load(NAME, folder, settings, "AutoModelForImageClassification", VERSION)
    names = model.model.config.id2label

    def look(given: Sequence[GivenPicture], _: Sequence[VisualInformation]) -> list[VisualInformation]:
        _, outputs = model.run(images=pixels(given))
        found = []
        for picture, row in zip(given, outputs.logits.softmax(-1), strict=True):
            likely = row.sort(descending=True)
            pairs = zip(likely.indices[: settings.most].tolist(), likely.values.tolist(), strict=False)
            kept = [(names[k].partition(",")[0], p) for k, p in pairs if p >= settings.score]
            if not kept:
                raise InputError(f"{picture.id}: no tag is as likely as {settings.score}")
            caption = CaptionOf(
                text=f"A picture of {', '.join(tag for tag, _ in kept)}.",
                source=model.name,
                of="tags",
                score=round(kept[0][1], 4),
            )
            found.append(VisualInformation(id=picture.id, captions=(caption,)))
        return found

    return VisionExtractor(model.name, model.version, look, model.batch)

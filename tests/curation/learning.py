"""A training that can be started as a process of its own.

python -m tests.curation.learning ENCODER FOLDER LAYERS
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from types import ModuleType

from fathom.curation.classifier import LabelledObject, train_classifier
from fathom.curation.training import TrainingSettings
from fathom.store.seeds import rng
from tests.curation.made import Picture, picture

# The torchvision made for torch with CUDA does not load beside torch without it, unless this is left out.
STUB = "torchvision._meta_registrations"
sys.modules.setdefault(STUB, ModuleType(STUB))

SIDE_PX = 28
GOOD, BAD = ((200, 60, 40), (40, 150, 60)), ((70, 70, 75), (90, 90, 90))


def make_clip(folder: Path, seed: int = 0) -> Path:
    """Save a vision encoder with random weights, and return its folder."""
    import torch
    from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection

    torch.manual_seed(seed)
    model = CLIPVisionModelWithProjection(
        CLIPVisionConfig(
            hidden_size=32, intermediate_size=48, num_hidden_layers=3, num_attention_heads=2,
            image_size=SIDE_PX, patch_size=14, projection_dim=24,
        )
    )  # fmt: skip
    with torch.no_grad():
        for weights in model.parameters():
            if weights.dim() >= 2:
                weights.normal_(0.0, 0.2)
    model.save_pretrained(folder)
    return folder


def pictures_of(name: str, keep: bool, views: int = 4) -> list[Picture]:
    """Return views of an object: those that are kept have colours, the others are grey."""
    draw = rng("learning", name)
    first, second = GOOD if keep else BAD
    places = draw.uniform(60, 66, (views, 2)).tolist()
    return [picture(x, y, first=first, second=second) for x, y in places]


def examples(count: int = 24) -> list[LabelledObject]:
    """Return objects, two of each asset; every third was rejected."""
    return [
        LabelledObject(
            name=f"object-{i:02d}",
            keep=bool(i // 2 % 3),
            pictures=partial(pictures_of, f"object-{i:02d}", bool(i // 2 % 3)),
            asset=f"asset-{i // 2}",
        )
        for i in range(count)
    ]


def settings(layers: int = 0, epochs: int = 8) -> TrainingSettings:
    """Return short trainings."""
    return TrainingSettings(
        seed="test", epochs=epochs, batch=5, views=2, layers=layers, folds=3, layer_rate=1e-3, head_rate=3e-2
    )


def main(encoder: str, folder: str, layers: str) -> None:
    """Train, and print every epoch."""
    import torch

    torch.set_num_threads(1)
    train_classifier(
        examples(), Path(encoder), Path(folder), settings(int(layers)), lambda text: print(text, flush=True)
    )


if __name__ == "__main__":
    main(*sys.argv[1:])

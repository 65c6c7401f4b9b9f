"""A CLIP vision encoder from a folder, and pictures as it reads them. Nothing is ever downloaded.

Ref: Radford et al. 2021.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from fathom.curation.pixels import Picture
from fathom.records import InputError, missing_extra
from fathom.store.files import sha256_file

Floats32 = NDArray[np.float32]

_PURPOSE = "the quality classifier"
_MEAN = (0.48145466, 0.4578275, 0.40821073)
_STD = (0.26862954, 0.26130258, 0.27577711)
"""The mean and spread of sRGB in CLIP's own training pictures, where the folder does not give others."""


@dataclass(frozen=True)
class ClipEncoder:
    """A vision model with its projection; `hash` tells its files apart from any other's."""

    folder: Path
    model: Any
    torch: Any
    side_px: int
    width: int
    mean: tuple[float, ...]
    std: tuple[float, ...]
    hash: str
    originals: dict[str, Any] = field(default_factory=dict, repr=False)

    def restore(self, weights: Mapping[str, Any]) -> None:
        """Set these weights of the model, by name, back to what the folder has."""
        with self.torch.no_grad():
            for name, p in weights.items():
                if name in self.originals:
                    p.copy_(self.originals[name])
                else:
                    self.originals[name] = p.detach().clone()

    @property
    def layers(self) -> int:
        """How many layers it has."""
        return len(self.model.vision_model.encoder.layers)

    def batch(self, pictures: Sequence[Picture] | NDArray[np.uint8]) -> Any:
        """Return prepared pictures (n, side, side, 3) as the model's input (n, 3, side, side)."""
        mean, std = np.array(self.mean, np.float32), np.array(self.std, np.float32)
        values = (np.stack(list(pictures)).astype(np.float32) / np.float32(255) - mean) / std
        inputs = self.torch.from_numpy(np.ascontiguousarray(values.transpose(0, 3, 1, 2), dtype=np.float32))
        return inputs.to(self.model.device)

    def embed(self, inputs: Any) -> Any:
        """Return the embeddings of a batch, (n, d), each of length √d."""
        vectors = self.model(pixel_values=inputs).image_embeds
        norms = vectors.norm(dim=-1, keepdim=True).clamp_min(1e-12)
        return vectors / norms * self.width**0.5


def open_clip(folder: Path) -> ClipEncoder:
    """Return the vision encoder of a CLIP model in a folder, for the CPU or the first GPU.

    Raises MissingExtraError without torch and transformers, InputError where the folder holds no CLIP model.
    """
    try:
        torch, transformers = import_module("torch"), import_module("transformers")
    except ImportError as e:
        raise missing_extra(e.name or "torch", "hf", _PURPOSE) from e
    kind = _settings(folder / "config.json").get("model_type")
    weights = sorted(folder.glob("*.safetensors"))
    if kind not in ("clip", "clip_vision_model") or not weights:
        raise InputError(
            f"{folder}: {_PURPOSE} needs a folder with a CLIP model (config.json, *.safetensors), found "
            f"{f'a model of the type {kind!r}' if kind else 'none'} and {len(weights)} files of weights; "
            "check the path"
        )
    try:
        with _quiet(transformers.utils.logging):
            model = transformers.CLIPVisionModelWithProjection.from_pretrained(
                str(folder), local_files_only=True, use_safetensors=True
            )
    except (OSError, ValueError, ImportError, RuntimeError) as e:
        first = "".join(str(e).strip().splitlines()[:1])
        raise InputError(f"{folder}: the model for {_PURPOSE} cannot be loaded ({first}); fix that") from e
    prepare = _settings(folder / "preprocessor_config.json")
    model.eval().to("cuda" if torch.cuda.is_available() else "cpu")
    hashes = "".join(sha256_file(path) for path in [folder / "config.json", *weights])
    return ClipEncoder(
        folder=folder,
        model=model,
        torch=torch,
        side_px=int(model.config.image_size),
        width=int(model.config.projection_dim),
        mean=_three(prepare.get("image_mean"), _MEAN),
        std=_three(prepare.get("image_std"), _STD),
        hash=hashlib.sha256(hashes.encode()).hexdigest(),
    )


def prepared(picture: Picture, side_px: int) -> Picture:
    """Return the middle square of a picture, (side, side, 3); what is transparent becomes white."""
    from PIL import Image

    if picture.shape[2] == 4:
        opaque = picture[..., 3:].astype(np.float32) / 255
        picture = np.rint(picture[..., :3] * opaque + 255 * (1 - opaque)).astype(np.uint8)
    height, width = picture.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    square = np.ascontiguousarray(picture[top : top + side, left : left + side])
    image = Image.fromarray(square).resize((side_px, side_px), Image.Resampling.BICUBIC)
    return np.asarray(image, dtype=np.uint8)


def _three(found: object, usual: tuple[float, ...]) -> tuple[float, ...]:
    given = isinstance(found, list) and len(found) == 3 and all(isinstance(v, float | int) for v in found)
    return tuple(float(v) for v in found) if given and isinstance(found, list) else usual


def _settings(path: Path) -> dict[str, object]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, object])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.DecodeError) as e:
        raise InputError(f"{path}: not a valid settings file ({e}); fetch the model again") from e


@contextmanager
def _quiet(logging: Any) -> Iterator[None]:
    """Keep bars of loading off the terminal, and the list of the text half's weights, which is not needed."""
    shown, level = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()

"""A checkpoint on disk as a model of pictures: found, checked, loaded, and given pictures in batches."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from fathom.authoring.information.pictures import GivenPicture
from fathom.inference.models.hf_checkpoint import check_packages, folder_hash, one_line
from fathom.inference.models.hf_model import pick_device
from fathom.media.images import inspect_image
from fathom.records import InputError
from fathom.settings import with_settings


@dataclass(frozen=True)
class ModelSettings:
    """How a model of pictures runs.

    device : auto, cpu, cuda, cuda:N or mps
    batch : how many pictures go through it together; 0 is one on a processor, and eight elsewhere
    """

    device: str = "auto"
    batch: int = 0


S = TypeVar("S", bound=ModelSettings)
T = TypeVar("T")


@dataclass(frozen=True)
class VisionCheckpoint:
    """A model of pictures, ready to be used."""

    name: str
    version: str
    model: Any
    processor: Any
    device: str
    batch: int

    def run(self, **given: Any) -> Any:
        """Return what the model says of what its processor makes of pictures and texts."""
        import torch

        inputs = self.processor(return_tensors="pt", **given).to(self.device)
        with torch.inference_mode():
            return inputs, self.model(**inputs)


def settings_behind(name: str, rest: str, settings: S) -> tuple[Path, S]:
    """Return the folder and the settings that stand behind an extractor's name.

    Raises InputError for a folder without a checkpoint of safetensors, and for a setting that there is not.
    """
    target, *more = rest.split(",")
    folder = Path(target).expanduser()
    what = f"--extractors {name}={target}"
    if not target or not (folder / "config.json").is_file():
        raise InputError(f"{what}: expected a folder that holds a checkpoint, found no config.json in it")
    if not any(folder.glob("*.safetensors")):
        raise InputError(
            f"{what}: {folder} holds no *.safetensors, and weights of other kinds are not read, because "
            "loading them can run code; convert the checkpoint"
        )
    return folder, read_settings(what, more, settings)


def read_settings(what: str, parts: Sequence[str], settings: T) -> T:
    """Return settings with those that are said as name=value. Raises InputError for any other."""
    given = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if not equals:
            raise InputError(f"{what}: expected settings as name=value after commas, found {part!r}")
        given[key] = value
    try:
        return with_settings(settings, given)
    except InputError as e:
        raise InputError(f"{what}: {str(e).removeprefix('--set ')}") from e


def load(name: str, folder: Path, settings: ModelSettings, kind: str, version: str) -> VisionCheckpoint:
    """Return a checkpoint as a model of a kind of transformers, such as AutoModelForObjectDetection.

    Raises InputError where it is of another kind, lacks weights, or does not load.
    """
    check_packages()
    import transformers
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    what, device = f"--extractors {name}={folder}", pick_device(settings.device)
    try:
        processor = transformers.AutoProcessor.from_pretrained(
            folder, trust_remote_code=False, local_files_only=True
        )
        model, found = getattr(transformers, kind).from_pretrained(
            folder,
            use_safetensors=True,
            trust_remote_code=False,
            local_files_only=True,
            output_loading_info=True,
        )
    except Exception as e:  # every architecture raises its own for what does not fit
        raise InputError(f"{what}: does not load as {kind} ({one_line(e)}); choose another checkpoint") from e
    if missing := sorted(found["missing_keys"]):
        raise InputError(
            f"{what}: lacks {len(missing)} of the model's weights (the first is {missing[0]}), which would "
            "be random; fetch it again, or choose a checkpoint of the right kind"
        )
    said = f"{version} {folder_hash(folder)} {settings}"
    batch = settings.batch or (1 if device == "cpu" else 8)
    return VisionCheckpoint(
        f"{name}:{folder.resolve().name}", said, model.to(device).eval(), processor, device, batch
    )


def pixels(pictures: Sequence[GivenPicture]) -> list[Any]:
    """Return pictures as RGB images of Pillow. Raises InputError for one that cannot be decoded."""
    from PIL import Image

    found = []
    for picture in pictures:
        data = picture.data()
        inspect_image(data, picture.id)
        try:
            found.append(Image.open(io.BytesIO(data)).convert("RGB"))
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as e:
            raise InputError(f"{picture.id}: cannot be decoded ({one_line(e)}); restore the file") from e
    return found


def shares(box: Sequence[float], size: tuple[int, int]) -> tuple[float, float, float, float]:
    """Return a box of pixels as shares of a picture's width and height."""
    width, height = size
    left, top, right, bottom = (float(v) for v in box)
    return left / width, top / height, right / width, bottom / height

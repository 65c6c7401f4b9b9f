"""Pictures in models: decoded with their size known beforehand, and shrunk to what is ever seen of them."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fathom.assets.gltf.container import Container, resource, view_bytes
from fathom.assets.gltf.ktx2 import is_ktx2, ktx2_pixels, ktx2_size
from fathom.assets.gltf.limits import BrokenError, FileLimits

if TYPE_CHECKING:
    from PIL import Image

_FORMATS = ("PNG", "JPEG", "WEBP")


@dataclass
class ModelImages:
    """The images of a file, each decoded once; keeps count of the pixels.

    shrunk : how many pixels those had that were shrunk
    """

    container: Container
    pixels: int = 0
    shrunk: dict[int, int] = field(default_factory=dict)
    _read: dict[tuple[int, str], NDArray[np.uint8]] = field(default_factory=dict)

    def read(self, index: int) -> NDArray[np.uint8]:
        """Return image `index` as (h, w, 3) sRGB bytes."""
        return self._decoded(index, "RGB")

    def alpha(self, index: int) -> NDArray[np.uint8]:
        """Return how opaque image `index` is, (h, w), 255 where it lets nothing through."""
        return self._decoded(index, "RGBA")[..., 3]

    def _decoded(self, index: int, mode: str) -> NDArray[np.uint8]:
        if (index, mode) not in self._read:
            images = self.container.gltf.images
            if index >= len(images):
                raise BrokenError(f"image {index} is used, but there are {len(images)}")
            record = images[index]
            if record.uri is not None:
                data = resource(self.container, record.uri, f"image {index}")
            elif record.buffer_view is not None:
                data = bytes(view_bytes(self.container, record.buffer_view)[0])
            else:
                raise BrokenError(f"image {index} has neither a path nor bytes")
            left = self.container.limits.texture_pixels - self.pixels
            self._read[index, mode], spent = decoded_picture(
                data, f"image {index}", self.container.limits, left, mode
            )
            self.pixels += spent
            if spent > self._read[index, mode][..., 0].size:
                self.shrunk[index] = spent
        return self._read[index, mode]

    def losses(self) -> Iterator[str]:
        """Yield that textures were shrunk, where some were."""
        if self.shrunk:
            some = f"{len(self.shrunk)} textures" if len(self.shrunk) > 1 else "a texture"
            yield (
                f"{some} of up to {max(self.shrunk.values()):,} pixels shrunk to "
                f"{self.container.limits.texture_kept:,} along the longer side"
            )


def decoded_picture(
    data: bytes, what: str, limits: FileLimits, left: int, mode: str = "RGB"
) -> tuple[NDArray[np.uint8], int]:
    """Return the picture, its longer side at most `limits.texture_kept`, and its number of pixels.

    Raises BrokenError where it cannot be decoded, a side is too long, or it has more than `left` pixels.
    """
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with _opened(data) as picture:
                width, height = ktx2_size(data, what) if picture is None else picture.size
                if max(width, height) > limits.texture_side or width * height > left:
                    raise BrokenError(
                        f"{what} has {width} × {height} pixels; a side may have {limits.texture_side:,}, and "
                        f"all images of a file {limits.texture_pixels:,} pixels"
                    )
                whole = picture or Image.fromarray(ktx2_pixels(data, what, limits))
                plain = whole.convert(mode)
                plain.thumbnail((limits.texture_kept, limits.texture_kept), Image.Resampling.BOX)
                return np.asarray(plain, dtype=np.uint8), width * height
    except BrokenError:
        raise
    except Image.DecompressionBombError as e:
        raise BrokenError(f"{what} has more pixels than {limits.texture_side:,}² ({e})") from e
    except Exception as e:
        # Decoders of pictures from outside raise whatever they like.
        raise BrokenError(f"{what} cannot be decoded as PNG, JPEG or WebP ({type(e).__name__})") from e


def _opened(data: bytes) -> AbstractContextManager[Image.Image | None]:
    """Return the picture, read as far as its size; None where it is a KTX2 file."""
    from PIL import Image

    return nullcontext() if is_ktx2(data) else Image.open(io.BytesIO(data), formats=_FORMATS)

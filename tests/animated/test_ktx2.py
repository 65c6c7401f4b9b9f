"""Textures that are there as KTX2 alone are read where the package for them is at hand, else named."""

from __future__ import annotations

import base64
import sys
from pathlib import Path

import numpy as np
import pytest

from fathom.assets.gltf import LIMITS, read_document
from fathom.assets.gltf.images import decoded_picture
from fathom.assets.gltf.ktx2 import PACKAGE, can_be_read
from fathom.assets.gltf.limits import BrokenError
from fathom.records import AssetError
from tests.animated.moving_gltf import sliding
from tests.animated.test_not_silent import textured

PICTURES = {
    "etc1s": (
        "q0tUWCAyMLsNChoKAAAAAAEAAAAQAAAAEAAAAAAAAAAAAAAAAQAAAAEAAAABAAAAaAAAADwAAACkAAAAJAAAAMgAAAAAAAAA"
        "mQAAAAAAAABhAQAAAAAAAAgAAAAAAAAAAAAAAAAAAAA8AAAAAAAAAAIAOACjAQIAAwMAAAgIAAAAAAAAAAA/AAAAAAAAAAAA"
        "/////0AAPw8AAAAAAAAAAP////8fAAAAS1RYd3JpdGVyAEJhc2lzIFVuaXZlcnNhbCAyLjEwAAAEAAMAMAAAAA0AAAA0AAAA"
        "AAAAAAAAAAAAAAAABQAAAAUAAAADAAAAIMCUAAAAAAAQ5AorEcBEAAAAAAAAsmADmBIAAAAAAIIKyQkKABMAAAAAAAAIALIL"
        "VFVVVQUAAACoqqqqAsHAhIABAABAEGYF9v5dJAAmAAQAAAAAECUC3gYMAAAMSRtiMDrBKRqAGQAAAAAAAOQUIAB+jUVMAez6"
        "Aw=="
    ),
    "uastc": (
        "q0tUWCAyMLsNChoKAAAAAAEAAAAQAAAAEAAAAAAAAAAAAAAAAQAAAAEAAAAAAAAAaAAAACwAAACUAAAALAAAAAAAAAAAAAAA"
        "AAAAAAAAAADAAAAAAAAAAAABAAAAAAAAAAEAAAAAAAAsAAAAAAAAAAIAKACmAQIAAwMAABAAAAAAAAAAAAB/AwAAAAAAAAAA"
        "/////x8AAABLVFh3cml0ZXIAQmFzaXMgVW5pdmVyc2FsIDIuMTAAAAQAAAB/fwAAF5mC4v/ShAAAAAAAAAAAABeZguL/0oQA"
        "AAAAAAAAAACXggL5/yJEAwAAAAAAAAAAl4IC+f8iRAMAAAAAAAAAABeZguL/0oQAAAAAAAAAAAAXmYLi/9KEAAAAAAAAAAAA"
        "l4IC+f8iRAMAAAAAAAAAAJeCAvn/IkQDAAAAAAAAAAAXmYLi/9KEAAAAAAAAAAAAF5mC4v/ShAAAAAAAAAAAAJeCAvn/IkQD"
        "AAAAAAAAAACXggL5/yJEAwAAAAAAAAAAF5mC4v/ShAAAAAAAAAAAABeZguL/0oQAAAAAAAAAAACXggL5/yJEAwAAAAAAAAAA"
        "l4ICGeAiRAMAAAAAAAAAAA=="
    ),
}
"""16 by 16 pixels, the left half red, the right one blue, its last corner of 4 by 4 a hole: two codings."""

NEEDS_IT = pytest.mark.skipif(not can_be_read(), reason=f"the package {PACKAGE} is not installed")
ALONE: dict[str, object] = {"extensions": {"KHR_texture_basisu": {"source": 0}}}


@NEEDS_IT
@pytest.mark.parametrize("coding", PICTURES)
def test_a_ktx2_texture_is_read(tmp_path: Path, coding: str) -> None:
    tiny = textured(sliding(), ALONE, base64.b64decode(PICTURES[coding]), alphaMode="MASK")
    tiny.json["extensionsRequired"] = ["KHR_texture_basisu"]
    document = read_document(tiny.write(tmp_path / "wedge.gltf"))
    surface = document.surfaces[0]
    assert document.losses == ()
    assert surface.material.texture is not None
    assert surface.material.texture.shape == (16, 16, 3)
    left, right = surface.material.texture[:12, 1:7], surface.material.texture[:12, 9:15]
    assert np.abs(left.astype(int) - (200, 20, 20)).max() < 16
    assert np.abs(right.astype(int) - (20, 20, 200)).max() < 16
    assert surface.holes is not None
    assert surface.holes[12:, 12:].all()
    assert not surface.holes[:12].any()


@NEEDS_IT
def test_a_broken_ktx2_texture_is_refused() -> None:
    whole = base64.b64decode(PICTURES["uastc"])
    for bad in (whole[:30], whole[:150], whole[:60] + b"\xff" * 200):
        with pytest.raises(BrokenError, match="image 3"):
            decoded_picture(bad, "image 3", LIMITS, LIMITS.texture_pixels)
    huge = whole[:20] + (2**31).to_bytes(4, "little") + whole[24:]
    with pytest.raises(BrokenError, match="a side may have"):
        decoded_picture(huge, "image 3", LIMITS, LIMITS.texture_pixels)


def test_without_the_package_it_is_named_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, PACKAGE, None)
    tiny = textured(sliding(), ALONE, base64.b64decode(PICTURES["etc1s"]))
    path = tiny.write(tmp_path / "wedge.gltf")
    (loss,) = read_document(path).losses
    assert "KTX2 alone" in loss
    assert "pip install 'fathom-bench[ktx2]'" in loss
    tiny.json["extensionsRequired"] = ["KHR_texture_basisu"]
    with pytest.raises(AssetError, match=r"pip install 'fathom-bench\[ktx2\]'"):
        read_document(tiny.write(path))

"""What a file has that models here do not show, in words: nothing is lost without being named."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from fathom.assets.gltf import schema
from fathom.assets.gltf.ktx2 import BRINGS_IT, PACKAGE, can_be_read
from fathom.assets.gltf.limits import shown

MOST_NAMED = 4


def losses_of(gltf: schema.Gltf, used: Collection[int]) -> Iterator[str]:
    """Yield what is not shown as the file has it: other scenes, and of the materials that are used."""
    if len(gltf.scenes) > 1:
        number = gltf.scene or 0
        yield (
            f"it has {len(gltf.scenes)} scenes, of which only scene {number} is shown; export the others as "
            "files of their own"
        )
    materials = [(i, m) for i, m in enumerate(gltf.materials) if i in used]
    unread = [_called(i, m) for i, m in materials if any(_unread(t, gltf) for t in _textures(m))]
    if unread:
        yield (
            f"the texture of {_some(unread)} is there as KTX2 alone, which the package {PACKAGE} reads: "
            f"it is drawn in its plain color until {BRINGS_IT}"
        )


def _textures(m: schema.GltfMaterial) -> Iterator[schema.TextureInfo]:
    core = m.pbr_metallic_roughness.base_color_texture
    if m.extensions.specular is not None:
        core = m.extensions.specular.diffuse_texture
    if core is not None:
        yield core


def _unread(info: schema.TextureInfo, gltf: schema.Gltf) -> bool:
    return info.index < len(gltf.textures) and gltf.textures[info.index].only_ktx2 and not can_be_read()


def _called(index: int, material: schema.GltfMaterial) -> str:
    return f"material {shown(material.name) if material.name else index}"


def _some(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return ", ".join(names[:MOST_NAMED]) + more

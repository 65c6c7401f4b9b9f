"""The JSON of glTF 2.0 as records; what is not read is skipped, as the format asks.

Ref: Khronos glTF 2.0 specification §5 (properties reference).
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

Index = Annotated[int, Meta(ge=0, lt=2**31)]
Size = Annotated[int, Meta(ge=0, lt=2**53)]
Vec2 = tuple[float, float]
Vec3 = tuple[float, float, float]
Vec4 = tuple[float, float, float, float]


class Json(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The base of every property: camelCase in the file."""


class Asset(Json, frozen=True, kw_only=True):
    """What wrote the file."""

    version: str = ""


class Buffer(Json, frozen=True, kw_only=True):
    """Bytes: in the file, beside it, or in the JSON itself."""

    byte_length: Size
    uri: str | None = None


class MeshoptView(Json, frozen=True, kw_only=True):
    """EXT_meshopt_compression: the stretch of a buffer that a buffer view's elements are compressed to."""

    buffer: Index
    byte_length: Size
    byte_stride: Size
    count: Size
    mode: str
    byte_offset: Size = 0
    filter: str = "NONE"


class ViewExtensions(msgspec.Struct, frozen=True, kw_only=True):
    """The extensions of a buffer view that are read."""

    meshopt: MeshoptView | None = msgspec.field(name="EXT_meshopt_compression", default=None)


class BufferView(Json, frozen=True, kw_only=True):
    """A stretch of a buffer."""

    buffer: Index
    byte_length: Size
    byte_offset: Size = 0
    byte_stride: Annotated[int, Meta(ge=4, le=252)] | None = None
    extensions: ViewExtensions = ViewExtensions()


class SparseIndices(Json, frozen=True, kw_only=True):
    """Which elements are replaced."""

    buffer_view: Index
    component_type: int
    byte_offset: Size = 0


class SparseValues(Json, frozen=True, kw_only=True):
    """What they are replaced by."""

    buffer_view: Index
    byte_offset: Size = 0


class Sparse(Json, frozen=True, kw_only=True):
    """Elements of an accessor that differ from its buffer view."""

    count: Size
    indices: SparseIndices
    values: SparseValues


class Accessor(Json, frozen=True, kw_only=True):
    """A typed array in a buffer view."""

    component_type: int
    count: Size
    type: str
    buffer_view: Index | None = None
    byte_offset: Size = 0
    normalized: bool = False
    sparse: Sparse | None = None


class DracoPrimitive(Json, frozen=True, kw_only=True):
    """KHR_draco_mesh_compression."""

    buffer_view: Index
    attributes: dict[str, Index] = {}


class PrimitiveExtensions(msgspec.Struct, frozen=True, kw_only=True):
    """The extensions of a primitive that are read."""

    draco: DracoPrimitive | None = msgspec.field(name="KHR_draco_mesh_compression", default=None)


class GltfPrimitive(Json, frozen=True, kw_only=True):
    """Geometry of one material."""

    attributes: dict[str, Index] = {}
    indices: Index | None = None
    material: Index | None = None
    mode: int = 4
    targets: list[dict[str, Index]] = []
    extensions: PrimitiveExtensions = PrimitiveExtensions()


class GltfMesh(Json, frozen=True, kw_only=True):
    """Primitives that are placed together."""

    primitives: list[GltfPrimitive] = []
    weights: list[float] = []
    name: str = ""


class Instancing(Json, frozen=True, kw_only=True):
    """EXT_mesh_gpu_instancing: accessors of TRANSLATION, ROTATION and SCALE, one row an instance."""

    attributes: dict[str, Index] = {}


class NodeExtensions(msgspec.Struct, frozen=True, kw_only=True):
    """The extensions of a node that are read."""

    instancing: Instancing | None = msgspec.field(name="EXT_mesh_gpu_instancing", default=None)


class GltfNode(Json, frozen=True, kw_only=True):
    """A place in the hierarchy."""

    name: str = ""
    children: list[Index] = []
    matrix: Annotated[list[float], Meta(min_length=16, max_length=16)] | None = None
    translation: Vec3 = (0.0, 0.0, 0.0)
    rotation: Vec4 = (0.0, 0.0, 0.0, 1.0)
    scale: Vec3 = (1.0, 1.0, 1.0)
    mesh: Index | None = None
    skin: Index | None = None
    weights: list[float] = []
    extensions: NodeExtensions = NodeExtensions()


class GltfScene(Json, frozen=True, kw_only=True):
    """A scene: the roots of what is shown."""

    nodes: list[Index] = []


class GltfSkin(Json, frozen=True, kw_only=True):
    """Joints that a mesh hangs on."""

    joints: list[Index] = []
    inverse_bind_matrices: Index | None = None


class ChannelTarget(Json, frozen=True, kw_only=True):
    """What a channel moves."""

    path: str
    node: Index | None = None


class GltfChannel(Json, frozen=True, kw_only=True):
    """A sampler bound to a node."""

    sampler: Index
    target: ChannelTarget


class GltfSampler(Json, frozen=True, kw_only=True):
    """Times and values of an animation."""

    input: Index
    output: Index
    interpolation: str = "LINEAR"


class GltfAnimation(Json, frozen=True, kw_only=True):
    """A named clip."""

    name: str = ""
    channels: list[GltfChannel] = []
    samplers: list[GltfSampler] = []


class TextureTransform(Json, frozen=True, kw_only=True):
    """KHR_texture_transform."""

    offset: Vec2 = (0.0, 0.0)
    rotation: float = 0.0
    scale: Vec2 = (1.0, 1.0)
    tex_coord: Index | None = None


class TextureInfoExtensions(msgspec.Struct, frozen=True, kw_only=True):
    """The extensions of a use of a texture that are read."""

    transform: TextureTransform | None = msgspec.field(name="KHR_texture_transform", default=None)


class TextureInfo(Json, frozen=True, kw_only=True):
    """A use of a texture."""

    index: Index
    tex_coord: Index = 0
    extensions: TextureInfoExtensions = TextureInfoExtensions()


class MetallicRoughness(Json, frozen=True, kw_only=True):
    """The core surface; colours are linear."""

    base_color_factor: Vec4 = (1.0, 1.0, 1.0, 1.0)
    base_color_texture: TextureInfo | None = None
    metallic_factor: float = 1.0
    roughness_factor: float = 1.0


class SpecularGlossiness(Json, frozen=True, kw_only=True):
    """KHR_materials_pbrSpecularGlossiness."""

    diffuse_factor: Vec4 = (1.0, 1.0, 1.0, 1.0)
    diffuse_texture: TextureInfo | None = None
    glossiness_factor: float = 1.0


class Transmission(Json, frozen=True, kw_only=True):
    """KHR_materials_transmission."""

    transmission_factor: float = 0.0


class Clearcoat(Json, frozen=True, kw_only=True):
    """KHR_materials_clearcoat."""

    clearcoat_factor: float = 0.0


class EmissiveStrength(Json, frozen=True, kw_only=True):
    """KHR_materials_emissive_strength."""

    emissive_strength: float = 1.0


class MaterialExtensions(msgspec.Struct, frozen=True, kw_only=True):
    """The extensions of a material that are read."""

    specular: SpecularGlossiness | None = msgspec.field(
        name="KHR_materials_pbrSpecularGlossiness", default=None
    )
    unlit: dict[str, object] | None = msgspec.field(name="KHR_materials_unlit", default=None)
    transmission: Transmission = msgspec.field(name="KHR_materials_transmission", default=Transmission())
    clearcoat: Clearcoat = msgspec.field(name="KHR_materials_clearcoat", default=Clearcoat())
    strength: EmissiveStrength = msgspec.field(
        name="KHR_materials_emissive_strength", default=EmissiveStrength()
    )


class GltfMaterial(Json, frozen=True, kw_only=True):
    """A surface."""

    name: str = ""
    pbr_metallic_roughness: MetallicRoughness = MetallicRoughness()
    emissive_factor: Vec3 = (0.0, 0.0, 0.0)
    emissive_texture: TextureInfo | None = None
    alpha_mode: str = "OPAQUE"
    alpha_cutoff: float = 0.5
    extensions: MaterialExtensions = MaterialExtensions()


class WebpSource(Json, frozen=True, kw_only=True):
    """EXT_texture_webp."""

    source: Index


class BasisuSource(Json, frozen=True, kw_only=True):
    """KHR_texture_basisu."""

    source: Index


class TextureExtensions(msgspec.Struct, frozen=True, kw_only=True):
    """The extensions of a texture that are read."""

    basisu: BasisuSource | None = msgspec.field(name="KHR_texture_basisu", default=None)
    webp: WebpSource | None = msgspec.field(name="EXT_texture_webp", default=None)


class Texture(Json, frozen=True, kw_only=True):
    """A picture and how it is sampled."""

    source: Index | None = None
    sampler: Index | None = None
    extensions: TextureExtensions = TextureExtensions()

    @property
    def image(self) -> int | None:
        """The image that is read: WebP before any other, KTX2 where it is there alone."""
        found = self.extensions
        if found.webp is not None:
            return found.webp.source
        return found.basisu.source if self.source is None and found.basisu is not None else self.source

    @property
    def only_ktx2(self) -> bool:
        """Whether the picture is there as KTX2 alone."""
        return self.source is None and self.extensions.webp is None


class TextureSampler(Json, frozen=True, kw_only=True):
    """What lies beyond a picture's edges."""

    wrap_s: int = 10497
    wrap_t: int = 10497


class Image(Json, frozen=True, kw_only=True):
    """A picture: in a buffer view or under a path."""

    uri: str | None = None
    buffer_view: Index | None = None


class Versioned(Json, frozen=True, kw_only=True):
    """The root as far as every version of the format has it alike."""

    asset: Asset = Asset()


class Gltf(Json, frozen=True, kw_only=True):
    """The root."""

    asset: Asset
    scene: Index | None = None
    scenes: list[GltfScene] = []
    nodes: list[GltfNode] = []
    meshes: list[GltfMesh] = []
    skins: list[GltfSkin] = []
    animations: list[GltfAnimation] = []
    accessors: list[Accessor] = []
    buffer_views: list[BufferView] = []
    buffers: list[Buffer] = []
    materials: list[GltfMaterial] = []
    textures: list[Texture] = []
    samplers: list[TextureSampler] = []
    images: list[Image] = []
    extensions_required: list[str] = []
    extensions_used: list[str] = []


READ = frozenset(
    {
        "KHR_draco_mesh_compression",
        "KHR_texture_transform",
        "KHR_mesh_quantization",
        "EXT_meshopt_compression",
        "EXT_mesh_gpu_instancing",
        "EXT_texture_webp",
        "KHR_texture_basisu",
        "KHR_materials_unlit",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_transmission",
        "KHR_materials_clearcoat",
        "KHR_materials_emissive_strength",
    }
)
"""The extensions that are understood."""

SAFE_TO_IGNORE = ("KHR_materials_", "KHR_lights_", "KHR_xmp", "KHR_animation_pointer")
"""What a file may require without its shape being wrong when it is left out: finer points of surfaces."""

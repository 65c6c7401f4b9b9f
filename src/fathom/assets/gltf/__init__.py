"""A reader of glTF 2.0 and GLB: a file becomes plain arrays, and those a still model."""

from fathom.assets.gltf.container import resource_hashes
from fathom.assets.gltf.document import Document, read_document
from fathom.assets.gltf.limits import LIMITS, FileLimits
from fathom.assets.gltf.still import still_parts

__all__ = ["LIMITS", "Document", "FileLimits", "read_document", "resource_hashes", "still_parts"]

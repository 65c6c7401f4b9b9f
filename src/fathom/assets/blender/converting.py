"""Models of other formats in a folder, made into GLB beside them where Blender is at hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fathom.assets.blender.runner import FORMATS, VARIABLE, converted
from fathom.records import InputError, MissingExtraError

Say = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Converted:
    """Which files were made of other formats (relative to their folder), and why others were not."""

    made: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)


NOTHING_CONVERTED = Converted()


def convert_folder(folder: Path, say: Say) -> Converted:
    """Write a GLB beside each model of another format; return which were made, and why others were not."""
    wanted = [p for p in sorted(folder.rglob("*")) if p.suffix.lower() in FORMATS and p.is_file()]
    wanted = [p for p in wanted if not any(p.with_suffix(s).exists() for s in (".glb", ".gltf"))]
    made: list[str] = []
    refused: dict[str, str] = {}
    for k, path in enumerate(wanted):
        name = path.relative_to(folder).as_posix()
        try:
            made.append(converted(path, path.with_suffix(".glb")).relative_to(folder).as_posix())
        except MissingExtraError:
            refused[name] = (
                f"{path}: only glTF and GLB are read, and no Blender can convert it; name a Python with "
                f"the module bpy in {VARIABLE} and index again, or export it as GLB"
            )
        except (InputError, OSError) as e:
            refused[name] = str(e)
        say("converting", k + 1, len(wanted))
    return Converted(tuple(made), refused)

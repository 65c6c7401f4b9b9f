"""A script for a Python that has Blender's module bpy; it is run by itself and never imported.

    python script.py convert INPUT OUTPUT.glb
    python script.py pose INPUT.glb ASKED.json OUTPUT.npz

`convert` turns FBX, USD, OBJ, glTF and blend files into GLB. `pose` writes the vertices of all meshes of a
glTF file, as Blender places them, for each (clip, time) that ASKED lists: float32 (n, 3) arrays "0", "1" …
in the axes of glTF. An empty clip is the pose of the file itself.
"""

import importlib
import json
import os
import shutil
import struct
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

import numpy as np

_SKIPPED = "glTF_not_exported"
"""The collection in which Blender's importer keeps the shapes that it draws bones with."""


def main(arguments: list[str]) -> int:
    """Return the exit status of one command."""
    bpy = importlib.import_module("bpy")
    command, source, *rest = arguments
    if command == "convert":
        convert(bpy, Path(source), Path(rest[0]))
    elif command == "pose":
        asked = json.loads(Path(rest[0]).read_text(encoding="utf-8"))
        poses = pose(bpy, Path(source), [(str(clip), float(time)) for clip, time in asked])
        np.savez(rest[1], **{str(k): p for k, p in enumerate(poses)})  # type: ignore[arg-type]
    else:
        raise SystemExit(f"{command!r}: expected convert or pose")
    return 0


def convert(bpy: Any, source: Path, target: Path) -> None:
    """Write a model of another format as GLB, with its animations, skins and morph targets."""
    _empty(bpy)
    kind, name = source.suffix.lower(), str(source)
    if kind == ".blend":
        bpy.ops.wm.open_mainfile(filepath=name)
    elif kind == ".fbx":
        bpy.ops.import_scene.fbx(filepath=name)
    elif kind in (".usd", ".usda", ".usdc", ".usdz"):
        bpy.ops.wm.usd_import(filepath=name)
    elif kind == ".obj":
        bpy.ops.wm.obj_import(filepath=name)
    elif kind in (".glb", ".gltf"):
        bpy.ops.import_scene.gltf(filepath=name)
    else:
        raise SystemExit(f"{source.name}: {kind or 'no ending'} is no format that is converted")
    bpy.ops.export_scene.gltf(
        filepath=str(target),
        export_format="GLB",
        export_animations=True,
        export_skins=True,
        export_morph=True,
    )


def pose(bpy: Any, source: Path, asked: list[tuple[str, float]]) -> list[np.ndarray]:
    """Return the (n, 3) vertices for each clip and time that is asked for."""
    found: dict[int, np.ndarray] = {}
    with tempfile.TemporaryDirectory() as folder:
        for clip in dict.fromkeys(c for c, _ in asked):
            _empty(bpy)
            # With one animation alone, what it does not move stays where the file has it.
            alone = _with_one_clip(source, clip, Path(folder))
            bpy.ops.import_scene.gltf(filepath=str(alone), merge_vertices=False)
            _play(bpy)
            for k, (name, time_s) in enumerate(asked):
                if name == clip:
                    frame = time_s * bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
                    whole = int(np.floor(frame))
                    bpy.context.scene.frame_set(whole, subframe=float(frame - whole))
                    found[k] = _vertices(bpy)
    return [found[k] for k in range(len(asked))]


def _empty(bpy: Any) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)


def _with_one_clip(source: Path, clip: str, folder: Path) -> Path:
    """Write a copy of a glTF file in which only the animation of that name is left; the first of several."""
    data = source.read_bytes()
    binary = data[:4] == b"glTF"
    size = struct.unpack_from("<I", data, 12)[0] if binary else 0
    gltf = json.loads(data[20 : 20 + size] if binary else data)
    gltf["animations"] = [a for a in gltf.get("animations", []) if a.get("name", "") == clip and clip][:1]
    if not gltf["animations"]:
        del gltf["animations"]
    text = json.dumps(gltf).encode()
    target = folder / f"one{source.suffix}"
    if not binary:
        for entry in (*gltf.get("buffers", []), *gltf.get("images", [])):
            uri = entry.get("uri", "data:")
            if not uri.startswith("data:"):
                (folder / uri).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source.parent / uri, folder / uri)
        target.write_bytes(text)
        return target
    text += b" " * (-len(text) % 4)
    body = struct.pack("<II", len(text), 0x4E4F534A) + text + data[20 + size :]
    target.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(body)) + body)
    return target


def _play(bpy: Any) -> None:
    """Let every action act by its own time, not as a strip that may lie anywhere."""
    shapes = [o.data.shape_keys for o in bpy.data.objects if o.type == "MESH" and o.data.shape_keys]
    for owner in (*bpy.data.objects, *shapes):
        data = owner.animation_data
        if data is None:
            continue
        for track in data.nla_tracks:
            for strip in track.strips:
                if data.action is None and strip.action is not None:
                    data.action = strip.action
                    if getattr(strip, "action_slot", None) is not None:
                        data.action_slot = strip.action_slot
            track.mute = True
        data.use_nla = False


def _vertices(bpy: Any) -> np.ndarray:
    """Return the vertices of all meshes that the file shows, +Y up."""
    graph = bpy.context.evaluated_depsgraph_get()
    kept = bpy.data.collections.get(_SKIPPED)
    hidden = set(kept.all_objects) if kept is not None else set()
    parts = []
    for obj in bpy.context.scene.objects:
        if obj.type != "MESH" or obj in hidden:
            continue
        seen = obj.evaluated_get(graph)
        mesh = seen.to_mesh()
        flat = np.empty(3 * len(mesh.vertices), dtype=np.float32)
        mesh.vertices.foreach_get("co", flat)
        world = np.array(seen.matrix_world, dtype=np.float64)
        placed = flat.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
        parts.append(placed[:, [0, 2, 1]] * (1.0, 1.0, -1.0))
        seen.to_mesh_clear()
    return np.concatenate(parts).astype(np.float32) if parts else np.zeros((0, 3), np.float32)


if __name__ == "__main__":
    try:
        status = main(sys.argv[1:])
    except Exception:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    # At once: some versions of Blender crash at their own end, when all is written.
    os._exit(status)

"""Decodes what others packed, in a process of its own: what comes from outside may hang or crash a decoder.

Run as a script. In: a letter (D for a Draco buffer, K for a KTX2 picture), a byte for its level, 8 bytes of
length, then the data. Out: 8 bytes of length, then an .npz with the arrays; nothing for what cannot be
decoded. Of a Draco buffer these are the faces and one array an attribute, called by its unique id; of a
picture its pixels.
"""

from __future__ import annotations

import io
import sys

_MEMORY = 4 * 2**30


def _draco(data: bytes, level: int) -> bytes:
    import DracoPy
    import numpy as np

    mesh = DracoPy.decode(data)
    arrays = {f"a{a['unique_id']}": a["data"] for a in mesh.attributes}
    out = io.BytesIO()
    np.savez(out, faces=np.asarray(getattr(mesh, "faces", np.zeros((0, 3)))), **arrays)
    return out.getvalue()


def _ktx2(data: bytes, level: int) -> bytes:
    import numpy as np
    import opengl_basisu

    picture = opengl_basisu.open(data).transcode(opengl_basisu.Target.RGBA8, level=level)
    out = io.BytesIO()
    np.savez(out, pixels=picture.data)
    return out.getvalue()


_DECODERS = {b"D": _draco, b"K": _ktx2}


def _serve() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    except (ImportError, ValueError, OSError):
        pass
    given, taken = sys.stdin.buffer, sys.stdout.buffer
    while len(head := given.read(10)) == 10:
        data = given.read(int.from_bytes(head[2:], "little"))
        try:
            answer = _DECODERS[head[:1]](data, head[1])
        except Exception:
            answer = b""
        taken.write(len(answer).to_bytes(8, "little") + answer)
        taken.flush()


if __name__ == "__main__":
    _serve()

"""Decodes Draco buffers in a process of its own: what comes from outside may hang or crash the decoder.

Run as a script. In: 8 bytes of length, then a Draco buffer. Out: 8 bytes of length, then an .npz with the
faces and one array an attribute, called by its unique id; nothing for what cannot be decoded.
"""

from __future__ import annotations

import io
import sys

_MEMORY = 4 * 2**30


def _serve() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    except (ImportError, ValueError, OSError):
        pass
    import DracoPy
    import numpy as np

    given, taken = sys.stdin.buffer, sys.stdout.buffer
    while len(head := given.read(8)) == 8:
        data = given.read(int.from_bytes(head, "little"))
        answer = b""
        try:
            mesh = DracoPy.decode(data)
            arrays = {f"a{a['unique_id']}": a["data"] for a in mesh.attributes}
            out = io.BytesIO()
            np.savez(out, faces=np.asarray(getattr(mesh, "faces", np.zeros((0, 3)))), **arrays)
            answer = out.getvalue()
        except Exception:
            answer = b""
        taken.write(len(answer).to_bytes(8, "little") + answer)
        taken.flush()


if __name__ == "__main__":
    _serve()

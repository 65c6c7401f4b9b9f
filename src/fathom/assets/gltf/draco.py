"""Draco buffers, decoded in a process of its own that is started once and killed when it hangs."""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import subprocess
import sys
import threading
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from fathom.assets.gltf.arrays import Array
from fathom.assets.gltf.limits import BrokenError, FileLimits
from fathom.records import missing_extra

_CHILD = Path(__file__).with_name("draco_child.py")
_lock = threading.Lock()
_running: dict[int, subprocess.Popen[bytes]] = {}


def decoded(data: bytes, limits: FileLimits) -> tuple[Array, dict[int, Array]]:
    """Return the faces (m, 3) and the attributes by their unique id, each (n, components).

    Raises BrokenError where the buffer cannot be decoded in time, MissingExtraError without DracoPy.
    """
    with _lock:
        answer = _asked(_child(), data, limits)
    try:
        with np.load(io.BytesIO(answer), allow_pickle=False) as arrays:
            faces = arrays["faces"]
            found = {int(k[1:]): arrays[k] for k in arrays.files if k != "faces"}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as e:
        raise BrokenError("its Draco data cannot be decoded") from e
    if faces.ndim != 2 or faces.shape[1] != 3 or any(a.ndim != 2 for a in found.values()):
        raise BrokenError("its Draco data hold no triangles")
    return faces, found


def _asked(child: subprocess.Popen[bytes], data: bytes, limits: FileLimits) -> bytes:
    """Return the child's answer, empty where there is none; a child that fails is stopped."""
    assert child.stdin is not None
    assert child.stdout is not None
    alarm = threading.Timer(limits.draco_seconds, child.kill)
    alarm.start()
    try:
        child.stdin.write(len(data).to_bytes(8, "little") + data)
        child.stdin.flush()
        head = child.stdout.read(8)
        size = int.from_bytes(head, "little")
        answer = child.stdout.read(size) if size <= limits.decoded_bytes else b""
    except OSError:
        head, size, answer = b"", 1, b""
    finally:
        alarm.cancel()
    if len(head) < 8 or len(answer) < size:
        _stop()
    return answer


def _child() -> subprocess.Popen[bytes]:
    """Return this process's decoder; a forked process starts its own."""
    found = _running.get(os.getpid())
    if found is not None and found.poll() is None:
        return found
    if find_spec("DracoPy") is None:
        raise missing_extra("DracoPy", "build", "Reading a Draco-compressed model")
    child = subprocess.Popen(
        [sys.executable, "-P", str(_CHILD)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    _running[os.getpid()] = child
    return child


@atexit.register
def _stop() -> None:
    child = _running.pop(os.getpid(), None)
    if child is not None and child.stdin is not None and child.stdout is not None:
        child.kill()
        child.wait()
        with contextlib.suppress(OSError):
            child.stdin.close()
        child.stdout.close()

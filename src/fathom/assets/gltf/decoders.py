"""Arrays from packed data, decoded in a process of its own that is started once and killed when it hangs."""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from fathom.assets.gltf.limits import FileLimits

DRACO, KTX2 = b"D", b"K"
"""What can be decoded."""

_CHILD = Path(__file__).with_name("decoder_child.py")
_lock = threading.Lock()
_running: dict[int, subprocess.Popen[bytes]] = {}


def unpacked(
    kind: bytes, data: bytes, limits: FileLimits, level: int = 0
) -> Mapping[str, NDArray[np.generic]]:
    """Return the arrays that packed data hold, by name; none where they cannot be decoded in time."""
    with _lock:
        answer = _asked(_child(), kind + bytes([level]), data, limits)
    try:
        with np.load(io.BytesIO(answer), allow_pickle=False) as arrays:
            return {k: arrays[k] for k in arrays.files}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return {}


def _asked(child: subprocess.Popen[bytes], what: bytes, data: bytes, limits: FileLimits) -> bytes:
    """Return the child's answer, empty where there is none; a child that fails is stopped."""
    assert child.stdin is not None
    assert child.stdout is not None
    alarm = threading.Timer(limits.decoder_seconds, child.kill)
    alarm.start()
    try:
        child.stdin.write(what + len(data).to_bytes(8, "little") + data)
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

"""Which Mitsuba runs: compiled through LLVM where a library proves fit for it, else the scalar one.

An LLVM library that is too old aborts the process it is loaded into, and that cannot be caught. So a
library is tried in a child process first, and the result is remembered a library and version.
"""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from fathom.records import InputError, missing_extra
from fathom.render.prove import FIT
from fathom.store.files import write_json
from fathom.workers import threads

RENDERERS = ("mitsuba", "mitsuba-scalar", "none")
"""What a build can be asked for: the fastest Mitsuba that works here, the scalar one, or the truth alone."""

FAST, SLOW = "llvm_ad_rgb", "scalar_rgb"
OLDEST_LLVM = 16
_TRY_SECONDS = 120

_PLACES = (
    "/usr/lib/*-linux-gnu/libLLVM*.so*",
    "/usr/lib/llvm*/lib/libLLVM*.so*",
    "/usr/lib/llvm*/lib64/libLLVM*.so*",
    "/usr/lib64/libLLVM*.so*",
    "/usr/lib64/llvm*/lib*/libLLVM*.so*",
    "/usr/lib/libLLVM*.so*",
    "/usr/local/lib/libLLVM*.so*",
    "/opt/homebrew/opt/llvm*/lib/libLLVM*.dylib",
    "/usr/local/opt/llvm*/lib/libLLVM*.dylib",
)


@dataclass(frozen=True)
class Engine:
    """The Mitsuba variant that paints, the LLVM library it is compiled with, and why it is this one."""

    variant: str
    library: str = ""
    word: str = ""


def engine(renderer: str = "mitsuba", say: Callable[[str], None] | None = None) -> Engine:
    """Return what paints for the `--renderer` named "mitsuba" or "mitsuba-scalar".

    Where the fast variant cannot run, one sentence that says why, and how to get it, goes to `say`, which
    is standard error when not given.

    Raises InputError for another name, MissingExtraError where Mitsuba is not installed.
    """
    if renderer not in RENDERERS or renderer == "none":
        raise InputError(f"renderer {renderer!r}: expected one of {', '.join(RENDERERS[:2])} for pictures")
    found = _chosen(os.environ.get("DRJIT_LIBLLVM_PATH", "")) if renderer == "mitsuba" else Engine(SLOW)
    if found.word:
        (say or _to_standard_error)(found.word)
    return found


def prepare(chosen: Engine) -> None:
    """Make Mitsuba run as `chosen` from here on in this process."""
    if chosen.library:
        os.environ["DRJIT_LIBLLVM_PATH"] = chosen.library
    mi = mitsuba_module()
    if mi.variant() != chosen.variant:
        mi.set_variant(chosen.variant)
        if some := threads():
            import_module("drjit").set_thread_count(some)


def give_back() -> None:
    """Give back the memory of what has just been rendered.

    It lies in circles of references, and with the compiled Mitsuba, which holds it for what comes next. Only
    young objects are searched: in a process with many scenes all of them take a third of a second.
    """
    gc.collect(1)
    if "drjit" in sys.modules and import_module("mitsuba").variant() == FAST:
        import_module("drjit").flush_malloc_cache()


def mitsuba_module() -> Any:
    """Return Mitsuba. Raises MissingExtraError where it is not installed."""
    try:
        return import_module("mitsuba")
    except ImportError as e:
        raise missing_extra("mitsuba", "build", "Painting pictures") from e


def denoiser_module() -> Any:
    """Return the binding of Open Image Denoise. Raises MissingExtraError where it is not installed.

    It would bring torch along where that is installed: 150 MB in each process that no picture needs.
    """
    if some := threads():
        os.environ.setdefault("OIDN_NUM_THREADS", str(some))
        # Bound to cores, all workers' threads would be bound to the same ones.
        os.environ.setdefault("OIDN_SET_AFFINITY", "0")
    without = "torch" not in sys.modules
    if without:
        sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        return import_module("pyoidn")
    except ImportError as e:
        raise missing_extra("pyoidn", "build", "Painting pictures") from e
    finally:
        if without:
            del sys.modules["torch"]


def llvm_libraries(environment: Mapping[str, str]) -> list[str]:
    """Return the LLVM libraries to try, the most promising first.

    The one that DRJIT_LIBLLVM_PATH names is the only one where it is set; otherwise those in the usual
    places that do not call themselves older than the oldest that can work, the newest first.
    """
    named = environment.get("DRJIT_LIBLLVM_PATH", "")
    if named:
        return [named]
    places = (
        *_PLACES,
        f"{sys.prefix}/lib/libLLVM*",
        f"{environment.get('CONDA_PREFIX', sys.prefix)}/lib/libLLVM*",
    )
    real: dict[str, int] = {}
    for place in places:
        for path in map(str, Path("/").glob(place.lstrip("/"))):
            target = str(Path(path).resolve())
            if re.search(r"\.(so|dylib)", target) and Path(target).is_file():
                real[target] = max(_major(path), _major(target), real.get(target, 0))
    fit = [(v, p) for p, v in real.items() if v == 0 or v >= OLDEST_LLVM]
    return [p for _, p in sorted(fit, key=lambda vp: (-vp[0], vp[1]))]


def proves_fit(library: str, cache_file: Path | None = None) -> bool:
    """Return whether a child process could render with `library`; remembered by path, size and time."""
    try:
        stat = Path(library).stat()
    except OSError:
        return False
    key = f"{Path(library).resolve()}:{stat.st_size}:{stat.st_mtime_ns}:{_mitsuba_version()}"
    file = cache_file or user_cache() / "llvm.json"
    known = _remembered(file)
    if key not in known:
        known[key] = _child_renders(library)
        try:
            write_json(file, known)
        except InputError:
            return known[key]
    return known[key]


def user_cache() -> Path:
    """Return the folder in which Fathom may keep what it can find out again."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if home else Path.home() / ".cache") / "fathom"


@cache
def _chosen(named: str) -> Engine:
    environment = dict(os.environ)
    environment["DRJIT_LIBLLVM_PATH"] = named
    libraries = llvm_libraries(environment)
    for library in libraries:
        if proves_fit(library):
            return Engine(FAST, library)
    if named:
        why = f"the library that DRJIT_LIBLLVM_PATH names ({named}) does not work with Mitsuba"
        mend = f"unset it, or let it name an LLVM of version {OLDEST_LLVM} or later"
    elif libraries:
        why = f"none of the LLVM libraries here works with Mitsuba ({', '.join(libraries)})"
        mend = "install a newer one (Debian and Ubuntu: apt install libllvm19)"
    else:
        why = f"no LLVM library of version {OLDEST_LLVM} or later was found"
        mend = "install one (Debian and Ubuntu: apt install libllvm19)"
    return Engine(
        SLOW, "", f"Pictures are painted by Mitsuba's scalar variant, at half the speed: {why}; {mend}."
    )


def _child_renders(library: str) -> bool:
    environment = dict(os.environ)
    environment["DRJIT_LIBLLVM_PATH"] = library
    try:
        child = subprocess.run(
            [sys.executable, "-m", "fathom.render.prove"],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TRY_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return child.returncode == 0 and child.stdout.decode(errors="replace").strip().endswith(FIT)


def _remembered(file: Path) -> dict[str, bool]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, bool])
    except (OSError, msgspec.MsgspecError):
        return {}


def _major(path: str) -> int:
    """Return the major version that a library's name or folder gives, 0 where it gives none."""
    for pattern in (r"libLLVM[-.](?:so\.)?(\d+)", r"llvm-?(\d+)"):
        match = re.search(pattern, path)
        if match:
            return int(match.group(1))
    return 0


@cache
def _mitsuba_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("mitsuba")
    except PackageNotFoundError as e:
        raise missing_extra("mitsuba", "build", "Painting pictures") from e


def _to_standard_error(word: str) -> None:
    sys.stderr.write(word + "\n")

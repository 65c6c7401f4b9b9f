"""The two Java programs of the COCO caption evaluation: where their archives lie, and how they are run."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from fathom.records import InputError, MissingExtraError, missing_extra

PTB_JAR = "tokenizer/stanford-corenlp-3.4.1.jar"
METEOR_JAR = "meteor/meteor-1.5.jar"

_PACKAGE = "pycocoevalcap"


def jar_path(given: Path | None, inside: str, purpose: str) -> Path:
    """Return the archive that was given, else the one that the extra `java` brings.

    Raises InputError where the given one is no file, MissingExtraError where there is none to be found.
    """
    if given is not None:
        if not given.is_file():
            raise InputError(f"{given}: {purpose} needs this archive, but there is none; check the path")
        return given
    spec = find_spec(_PACKAGE)
    for folder in spec.submodule_search_locations or [] if spec else []:
        if (Path(folder) / inside).is_file():
            return Path(folder) / inside
    raise missing_extra(_PACKAGE, "java", purpose)


def run_java(arguments: Sequence[str], lines: Sequence[str], purpose: str) -> list[str]:
    """Return what the program prints for these lines, as lines.

    Raises MissingExtraError without Java, InputError where the program fails.
    """
    java = shutil.which("java")
    if java is None:
        raise MissingExtraError(
            f"{purpose} needs the program java, which is not on the PATH: install a Java runtime"
        )
    try:
        done = subprocess.run(
            [java, "-Dfile.encoding=UTF-8", *arguments],
            input="".join(f"{line}\n" for line in lines).encode(errors="replace"),
            capture_output=True,
            check=True,
        )
    except subprocess.CalledProcessError as e:
        said = e.stderr.decode(errors="replace").strip().splitlines()
        raise InputError(
            f"the Java program for {purpose} failed ({said[-1] if said else 'without a word'}): "
            f"java {' '.join(arguments)}; check that the archive is whole"
        ) from e
    return done.stdout.decode(errors="replace").split("\n")

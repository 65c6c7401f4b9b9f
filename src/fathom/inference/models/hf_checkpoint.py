"""Which checkpoint a name stands for: a folder, or what the local cache of the model hub holds of it.

Nothing is downloaded unless that was asked for, no code of a checkpoint is run, and nothing is unpickled.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fathom.records import FathomError, InputError, MissingExtraError, missing_extra
from fathom.store.files import sha256_file

KINDS_OF_FILES = ("*.json", "*.jinja", "*.txt", "*.model", "*.safetensors")
"""What is read of a checkpoint, and what its hash covers."""

_CACHED = re.compile(r"models--(?P<name>.+)/snapshots/(?P<commit>[^/]+)/?$")


@dataclass(frozen=True)
class Checkpoint:
    """A checkpoint on disk. `revision` is its commit, or the hash of its files; `sees`: it takes pictures;
    `encodes`: it reads text alone, through an encoder.
    """

    folder: Path
    name: str
    revision: str
    config: Any
    sees: bool
    encodes: bool = False

    @property
    def architecture(self) -> str:
        """What transformers calls the architecture."""
        return str(self.config.model_type)

    @property
    def most_tokens(self) -> int:
        """How long a prompt can be, 0 where the configuration does not say."""
        return int(getattr(self.config.get_text_config(), "max_position_embeddings", 0) or 0)

    @property
    def dtype(self) -> str:
        """The numbers that the weights are stored in."""
        for config in (self.config, self.config.get_text_config()):
            found = getattr(config, "dtype", None)
            if found is not None:
                return str(found).removeprefix("torch.")
        return "float32"


def find_checkpoint(target: str, revision: str, download: bool, environ: Mapping[str, str]) -> Checkpoint:
    """Return the checkpoint in a folder, or the one of this name on the model hub.

    Raises InputError where it is not here and may not be fetched, holds no safetensors, or is of an
    architecture that transformers does not know; MissingExtraError without transformers.
    """
    check_packages()
    folder = Path(target).expanduser()
    if not folder.is_dir():
        folder = _from_hub(target, revision, download, environ)
    elif not (folder / "config.json").is_file():
        raise InputError(
            f"--model hf:{target}: the folder has no config.json; give one that holds a checkpoint"
        )
    if not any(folder.glob("*.safetensors")):
        raise InputError(
            f"--model hf:{target}: {folder} holds no *.safetensors, and weights of other kinds are not read, "
            "because loading them can run code; convert the checkpoint"
        )
    config = _config(folder, target)
    from transformers.models.auto.modeling_auto import (
        MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
        MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES,
        MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
    )

    sees = config.model_type in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES
    writes = sees or config.model_type in MODEL_FOR_CAUSAL_LM_MAPPING_NAMES
    encodes = not writes and config.model_type in MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES
    if not writes and not encodes:
        raise InputError(
            f"--model hf:{target}: expected a model that writes text from pictures or from text, found the "
            f"architecture {config.model_type!r}; choose another checkpoint"
        )
    cached = _CACHED.search(folder.resolve().as_posix())
    name = cached["name"].replace("--", "/") if cached else folder.resolve().name
    if not revision or cached:
        revision = cached["commit"] if cached else folder_hash(folder)
    return Checkpoint(folder, name, revision, config, sees, encodes)


def folder_hash(folder: Path) -> str:
    """Return 16 hexadecimal digits over the names and contents of a checkpoint's files."""
    files = sorted({path for kind in KINDS_OF_FILES for path in folder.glob(kind)})
    with ThreadPoolExecutor(4) as threads:
        hashes = list(threads.map(sha256_file, files))
    lines = "".join(f"{path.name} {found}\n" for path, found in zip(files, hashes, strict=True))
    return hashlib.sha256(lines.encode()).hexdigest()[:16]


def check_packages() -> None:
    """Raise MissingExtraError where a package is not installed, InputError where torchvision is broken.

    A torchvision that does not fit its torch keeps transformers from loading any vision model at all.
    """
    for package in ("torch", "transformers"):
        if not find_spec(package):
            raise missing_extra(package, "hf", "a local model")
    if find_spec("torchvision"):
        try:
            import torchvision  # noqa: F401
        except (ImportError, RuntimeError, OSError) as e:
            raise InputError(
                f"--model hf: torchvision is installed and cannot be imported ({one_line(e)}), so "
                "that no vision model loads; install the version made for the installed torch, or "
                "uninstall it"
            ) from e


def load_error(target: str, error: Exception) -> FathomError:
    """Return what a failure to load a checkpoint means to the user."""
    if isinstance(error, ImportError):
        return MissingExtraError(
            f"--model hf:{target}: its processor needs a package that is not installed ({one_line(error)}): "
            "pip install 'fathom-bench[hf]' brings it"
        )
    if "trust_remote_code" in str(error):
        return InputError(
            f"--model hf:{target}: the checkpoint brings code of its own, which is never run; choose one "
            "whose architecture is part of transformers, or serve it elsewhere and use openai:NAME@URL"
        )
    return InputError(
        f"--model hf:{target}: expected a checkpoint for transformers {version('transformers')}, found one "
        f"that it does not load ({one_line(error)}); install another version, or fix the checkpoint"
    )


def one_line(error: BaseException, most: int = 300) -> str:
    """Return an error's text on one line."""
    return " ".join(str(error).split())[:most] or type(error).__name__


def _config(folder: Path, target: str) -> Any:
    from transformers import AutoConfig

    try:
        return AutoConfig.from_pretrained(folder, trust_remote_code=False, local_files_only=True)
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise load_error(target, e) from e


def _from_hub(target: str, revision: str, download: bool, environ: Mapping[str, str]) -> Path:
    """Return the folder in the local cache of a model of the hub, fetched first where that is asked."""
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", target):
        raise InputError(
            f"--model hf:{target}: expected a folder, or a name as ORGANISATION/MODEL; correct the path"
        )
    from huggingface_hub import constants, snapshot_download

    offline = constants.HF_HUB_OFFLINE or environ.get("HF_HUB_OFFLINE", "").upper() in (
        "1",
        "ON",
        "YES",
        "TRUE",
    )
    try:
        return Path(
            snapshot_download(
                target,
                revision=revision or None,
                local_files_only=not download or offline,
                allow_patterns=list(KINDS_OF_FILES),
            )
        )
    except (OSError, ValueError, RuntimeError) as e:
        if not download:
            remedy = "add download=yes to fetch it, or give the folder that holds it"
        elif offline:
            remedy = "HF_HUB_OFFLINE forbids to fetch it: unset that, or give the folder that holds it"
        else:
            remedy = "check the name, the revision and the network"
        raise InputError(
            f"--model hf:{target}: is no folder, and not in the local cache ({one_line(e)}); {remedy}"
        ) from e

"""A run of a local model in a process of its own, so that a test can kill it: DATASET CHECKPOINT OUT."""

import sys
from pathlib import Path

from fathom import api
from tests.hf.conftest import STUB

if __name__ == "__main__":
    assert STUB in sys.modules
    dataset, checkpoint, out = sys.argv[1:]
    api.run_model(Path(dataset), f"hf:{checkpoint}", Path(out), options={"max_new_tokens": "3", "batch": "2"})

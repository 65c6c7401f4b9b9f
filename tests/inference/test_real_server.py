"""A real server of another project: `transformers serve` with a tiny model of random weights."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from fathom.inference.start import run_plan
from fathom.records import EndpointError, MediaOf, Prompt, UnansweredQuestion, Variant
from fathom.store.datasets import Dataset
from fathom.store.runs import open_run
from tests.inference.folders import make_dataset, plan

NEEDED = ("torch", "transformers", "fastapi", "uvicorn", "openai", "pydantic", "PIL")
STARTS_WITHIN_S = 120.0

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Served:
    """A server that runs, and the model that it serves."""

    url: str
    model: str


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    missing = [name for name in NEEDED if not find_spec(name)]
    command = shutil.which("transformers", path=str(Path(sys.executable).parent))
    if missing or command is None:
        pytest.skip(f"transformers serve needs {', '.join(missing) or 'its command'}: install dev-models")
    folder = tmp_path_factory.mktemp("served")
    (folder / "hub").mkdir()
    # The torchvision here does not load beside torch without CUDA; the server does without it.
    (folder / "sitecustomize.py").write_text('import sys\nsys.modules["torchvision"] = None\n')
    environ = os.environ | {"PYTHONPATH": f"{folder}{os.pathsep}{Path.cwd()}", "HF_HOME": str(folder)}
    environ |= {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    model = folder / "llava"
    make = f"from pathlib import Path; from tests.hf.models import llava; llava(Path({str(model)!r}))"
    subprocess.run([sys.executable, "-c", make], env=environ, check=True, capture_output=True)
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    words = [command, "serve", str(model), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(words, env=environ, stdout=log, stderr=log, cwd=folder)
    try:
        url = f"http://127.0.0.1:{port}"
        if not answers(f"{url}/health", process):
            pytest.skip(f"transformers serve did not start: {(folder / 'log').read_text()[-500:]}")
        yield Served(f"{url}/v1", str(model))
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def answers(url: str, process: subprocess.Popen[bytes]) -> bool:
    """Return whether a server answers before it ends, or time is up."""
    until = time.monotonic() + STARTS_WITHIN_S
    while process.poll() is None and time.monotonic() < until:
        with contextlib.suppress(urllib.error.URLError, OSError), urllib.request.urlopen(url, timeout=5):
            return True
        time.sleep(0.2)
    return False


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return make_dataset(tmp_path / "d", questions=4, per_scene=2)


def test_questions_with_pictures_are_put_to_it_and_answered(
    served: Served, dataset: Dataset, tmp_path: Path
) -> None:
    model = f"openai:{served.model}@{served.url},max_tokens=4"
    words = [sys.executable, "-m", "fathom.cli", "run", str(dataset.path), "--model", model]
    words += ["--out", str(tmp_path / "r"), "--concurrency", "2"]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "4 answered; 4 in all" in ended.stdout
    run = open_run(tmp_path / "r")
    said = list(run.responses())
    assert {r.question for r in said} == {f"q{k}" for k in range(4)}
    for response in said:
        assert response.status == "ok"
        assert response.finish in ("length", "stop")
        assert 0 < response.usage.output_tokens <= 4
        assert response.usage.input_tokens > 100
    assert run.manifest.complete
    again = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "4 were there already" in again.stdout


def test_what_it_is_shown_reaches_the_model(served: Served, tmp_path: Path) -> None:
    """The same question about another picture is answered otherwise, and about the same one alike."""
    texts: list[str] = []
    for seed in ("1", "2" * 200, "1"):  # the plain colour of the picture hangs on the seed's length
        dataset = make_dataset(tmp_path / f"d{len(texts)}", questions=1, seed=seed)
        out = tmp_path / f"r{len(texts)}"
        assert run_plan(plan(dataset, f"openai:{served.model}@{served.url},max_tokens=12", out)).complete
        texts.append(next(open_run(out).responses()).text)
    assert texts[0] == texts[2] != texts[1]


@pytest.mark.parametrize("ranking", ["prompt", "letter"])
def test_likelihoods_that_it_does_not_give_end_the_run_in_one_sentence(
    served: Served, dataset: Dataset, tmp_path: Path, ranking: str
) -> None:
    whole = plan(dataset, f"openai:{served.model}@{served.url},ranking={ranking}", tmp_path / "r")

    def prompt(asked: UnansweredQuestion, variant: Variant, media_of: MediaOf) -> Prompt:
        parts = whole.protocol.prompt(asked, variant, media_of).parts
        return Prompt(parts=parts, continuations=("A", "B"))

    with pytest.raises(EndpointError, match=rf"cannot be asked for likelihoods with ranking={ranking} "):
        run_plan(replace(whole, protocol=replace(whole.protocol, prompt=prompt)))
    assert not list(open_run(tmp_path / "r").responses())


def test_a_model_that_it_does_not_serve_is_said_at_once(
    served: Served, dataset: Dataset, tmp_path: Path
) -> None:
    with pytest.raises(EndpointError, match="HTTP 4"):
        run_plan(plan(dataset, f"openai:another@{served.url}", tmp_path / "r"))

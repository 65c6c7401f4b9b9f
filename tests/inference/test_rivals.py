"""What goes wrong in kits of today, and must not here; docs/runner.md lists each with its test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

import pytest

from fathom import api
from fathom.records import Response
from fathom.store.datasets import Dataset
from fathom.store.journal import FOLDER, shard_paths
from fathom.store.runs import open_run
from tests.inference.endpoints import Reply, completion, right, serving
from tests.inference.folders import make_dataset
from tests.said import scored


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return make_dataset(tmp_path / "d")


def fathom_run(
    dataset: Dataset, model: str, out: Path, *more: str, **environ: str
) -> subprocess.CompletedProcess[str]:
    words = [
        sys.executable,
        "-m",
        "fathom.cli",
        "run",
        str(dataset.path),
        "--model",
        model,
        "--out",
        str(out),
    ]
    env = {k: v for k, v in os.environ.items() if not k.startswith("OPENAI")} | environ
    return subprocess.run([*words, *more], capture_output=True, text=True, check=False, env=env)


def answers(out: Path) -> dict[str, Response]:
    return {r.question: r for r in open_run(out).responses()}


def test_a_run_in_which_all_requests_fail_does_not_end_well(dataset: Dataset, tmp_path: Path) -> None:
    """Elsewhere: exit code 0 and accuracy 0."""
    with serving(lambda before, asked: (500, "boom", {})) as server:
        ended = fathom_run(dataset, f"openai:m@{server.url},attempts=2", tmp_path / "r", "--quiet")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("fathom: http://127.0.0.1")
    assert "Traceback" not in ended.stderr
    assert len(ended.stderr.splitlines()) == 1


def test_an_endpoint_that_dies_ends_the_program_with_2_and_it_carries_on(
    dataset: Dataset, tmp_path: Path
) -> None:
    def dying(before: int, asked: str) -> Reply:
        return right(before, asked) if before < 5 else (401, "gone", {})

    with serving(dying) as server:
        model = f"openai:m@{server.url}"
        ended = fathom_run(dataset, model, tmp_path / "r", "--quiet", "--concurrency", "1")
        assert ended.returncode == 2
        assert "what was answered is kept" in ended.stderr
        manifest = open_run(tmp_path / "r").manifest
        assert (manifest.complete, manifest.counts["done"]) == (False, 5)
        server.behave = right
        again = fathom_run(dataset, model, tmp_path / "r", "--quiet")
        assert again.returncode == 0
        assert "7 answered, 5 were there already" in again.stdout


def test_what_failed_is_said_missing_and_not_scored_as_wrong(dataset: Dataset, tmp_path: Path) -> None:
    """Elsewhere: the error's text is the answer, and is wrong."""

    def half(before: int, asked: str) -> Reply:
        return (400, "bad", {}) if before % 2 else right(before, asked)

    with serving(half) as server:
        ended = fathom_run(dataset, f"openai:m@{server.url}", tmp_path / "r", "--quiet", "--concurrency", "1")
    assert ended.returncode == 1
    assert "6 of 12 requests failed; run the same command again" in ended.stderr
    assert {r.text for r in answers(tmp_path / "r").values() if r.status == "failed"} == {""}
    assert not open_run(tmp_path / "r").manifest.complete


def test_variables_of_the_environment_change_nothing_that_is_asked(dataset: Dataset, tmp_path: Path) -> None:
    """Elsewhere: a score that depends on one of them."""
    odd = {
        "USE_COT": "1",
        "SKIP_ERR": "1",
        "SPLIT_THINK": "True",
        "LMUData": "/x",
        "MODE": "dev",
        "SEED": "7",
    }
    odd |= {"FATHOM_CONCURRENCY": "1", "LANG": "de_DE.UTF-8", "PYTHONHASHSEED": "5", "TZ": "Asia/Tokyo"}
    with serving() as server:
        for name, environ in (("a", {}), ("b", odd)):
            ended = fathom_run(
                dataset, f"openai:m@{server.url}", tmp_path / name, "--quiet", "--concurrency", "1", **environ
            )
            assert ended.returncode == 0
    assert server.bodies[:12] == server.bodies[12:]
    a, b = (open_run(tmp_path / name).manifest for name in "ab")
    assert a == b
    assert [r.key for r in open_run(tmp_path / "a").responses()] == [
        r.key for r in open_run(tmp_path / "b").responses()
    ]


def test_what_a_model_writes_is_never_executed(dataset: Dataset, tmp_path: Path) -> None:
    """Elsewhere: eval() on it."""
    trace = tmp_path / "executed"
    code = f"__import__('os').system('touch {trace}')"
    texts = (code, f'{{"Answer": {code}}}', f"!!python/object/apply:os.system ['touch {trace}']", "{{7*7}}")
    with serving(lambda before, asked: (200, completion(texts[before % 4]), {})) as server:
        api.run_model(dataset.path, f"openai:m@{server.url}", tmp_path / "r")
    scored(tmp_path / "r")
    assert {r.text for r in answers(tmp_path / "r").values()} == set(texts)
    assert not trace.exists()


def test_an_answer_is_added_to_the_end_and_nothing_is_written_again(tmp_path: Path) -> None:
    """Elsewhere: the whole file after each answer, 93 GB for 10,000 of them."""
    dataset = make_dataset(tmp_path / "d", questions=150, per_scene=150)
    seen: list[tuple[int, bytes]] = []

    def look(what: str, done: int, total: int, note: str = "") -> None:
        (shard,) = shard_paths(tmp_path / "r" / FOLDER)
        seen.append((shard.stat().st_ino, shard.read_bytes()))

    with serving(delay_s=0.03) as server:
        api.run_model(dataset.path, f"openai:m@{server.url}", tmp_path / "r", concurrency=4, progress=look)
    assert len(seen) > 3
    assert len({inode for inode, _ in seen}) == 1
    assert all(later.startswith(earlier) for (_, earlier), (_, later) in pairwise(seen))


def test_a_healthy_run_after_an_outage_asks_what_is_missing_and_only_that(
    dataset: Dataset, tmp_path: Path
) -> None:
    """Elsewhere: errors had been kept as answers, nothing is sent, and the score is 0."""
    with serving(lambda before, asked: (503, "outage", {})) as server:
        model = f"openai:m@{server.url},attempts=1"
        assert fathom_run(dataset, model, tmp_path / "r", "--quiet").returncode == 2
        server.bodies.clear()
        server.behave = right
        assert fathom_run(dataset, model, tmp_path / "r", "--quiet").returncode == 0
        assert len(server.bodies) == 12
    assert {r.status for r in answers(tmp_path / "r").values()} == {"ok"}


def test_as_many_are_in_flight_as_were_asked_for_from_the_start(tmp_path: Path) -> None:
    """Elsewhere: 13 of 32, 3 of 32."""
    dataset = make_dataset(tmp_path / "d", questions=96, per_scene=96)
    with serving(delay_s=0.2) as server:
        begun = time.monotonic()
        api.run_model(dataset.path, f"openai:m@{server.url}", tmp_path / "r", concurrency=32)
        assert server.most_in_flight == 32
        assert time.monotonic() - begun < 4 * 0.2 + 2


def test_a_limit_ends_the_program_with_1_and_says_how_to_carry_on(dataset: Dataset, tmp_path: Path) -> None:
    with serving() as server:
        model = f"openai:m@{server.url}"
        ended = fathom_run(dataset, model, tmp_path / "r", "--quiet", "--max-requests", "5")
        assert ended.returncode == 1
        assert ended.stderr == (
            "fathom: ended by --max-requests 5: so many were asked this time; run the same command again "
            "with a higher limit to carry on\n"
        )
        assert len(server.bodies) == 5
        file = tmp_path / "prices.toml"
        file.write_text('"m" = { input = 1000, output = 10000 }\n')
        said = fathom_run(dataset, model, tmp_path / "r", "--dry-run", "--prices", str(file)).stdout
        assert "7 of 12 requests to ask (5 done)" in said
        assert said.endswith("besides $0.85 spent before\n")


def test_the_key_of_a_run_is_the_only_secret_and_stays_one(dataset: Dataset, tmp_path: Path) -> None:
    """Elsewhere: written to a status file and the log."""
    key = "sk-Very-Secret-1234567890"
    with serving(lambda before, asked: (401, json.dumps({"error": f"bad key {key}"}), {})) as server:
        ended = fathom_run(dataset, f"openai:m@{server.url}", tmp_path / "r", OPENAI_API_KEY=key)
        assert server.keys[0] == f"Bearer {key}"
    assert ended.returncode == 2
    written = "".join(p.read_text() for p in (tmp_path / "r").rglob("*") if p.is_file())
    assert key not in written + ended.stdout + ended.stderr
    assert "[key]" in ended.stderr

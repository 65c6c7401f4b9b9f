"""From a file of questions to a report, each verb killed at each of its files until it ends by itself."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Fathom
from tests.dying import contents, killed_at_each_file


def test_import_run_score_and_report(fathom: Fathom, tmp_path: Path) -> None:
    rows = [
        {"question": f"{n} + 1?", "choices": [str(n + k) for k in range(4)], "answer": "B"} for n in range(6)
    ]
    table = tmp_path / "sums.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    log, dataset, run = tmp_path / "log", tmp_path / "killed" / "set", tmp_path / "killed" / "run"
    assert fathom("import", "jsonl", table, "--out", tmp_path / "whole" / "set").code == 0
    assert "manifest.json" in killed_at_each_file(["import", "jsonl", table, "--out", dataset], log)
    assert contents(dataset) == contents(tmp_path / "whole" / "set")
    asked = ["run", dataset, "--model", "random", "--out", run, "--quiet"]
    assert "manifest.json" in killed_at_each_file(asked, log)
    assert "scores.jsonl" in killed_at_each_file(["score", run], log)
    report = tmp_path / "killed" / "report"
    assert "report.html" in killed_at_each_file(["report", run, "--out", report, "--no-figures"], log)
    assert not list((tmp_path / "killed").rglob("*.part"))

"""Work on clips that is killed at each of its files comes to what it comes to undisturbed."""

from __future__ import annotations

from pathlib import Path

from fathom.authoring.review import FILE
from tests.actions.scripted import filled_in, reader, writer
from tests.actions.test_written_options import answers_of
from tests.authoring.answering import answer
from tests.cli.conftest import Fathom
from tests.dying import contents, killed_at_each_file


def test_wrong_options_by_a_model(fathom: Fathom, clips: Path, tmp_path: Path) -> None:
    answers = answers_of(clips)
    killed: list[str] = []
    for name in ("whole", "killed"):
        work = tmp_path / name / "work"

        def go_on(*more: object, work: Path = work) -> None:
            verb = ["write-questions", clips, work, *more]
            if work.parent.name == "killed":
                killed.extend(killed_at_each_file(verb, tmp_path / "log"))
            ended = fathom(*verb)
            assert ended.code == 0, ended.err

        go_on("--set", "most=3")
        go_on("--responses", answer(work, "write", "small", writer))
        runs = [answer(work, "blind", f"r{k}", reader(answers, frozenset(), k)) for k in range(3)]
        go_on(*(word for run in runs for word in ("--responses", run)))
        (work / FILE).write_bytes(filled_in((work / FILE).read_bytes(), answers, frozenset()))
        go_on("--out", work.parent / "set")
    assert {"settings.json", "requests.jsonl", "manifest.json", "runs.json", FILE, "set"} <= set(killed)
    for part in ("work", "set"):
        assert contents(tmp_path / "killed" / part) == contents(tmp_path / "whole" / part)
    assert {p.name for p in (tmp_path / "killed").iterdir()} == {
        p.name for p in (tmp_path / "whole").iterdir()
    }


def test_an_import_with_clips(fathom: Fathom, raw: Path, tmp_path: Path) -> None:
    verb = ["import", "seed-bench", raw / "annotations", "--quiet", "--layout", "annotations"]
    verb += ["--media", raw / "videos", "--set", "predictions=drawn", "--set", "most=2", "--out"]
    assert fathom(*verb, tmp_path / "whole" / "set").code == 0
    killed = killed_at_each_file([*verb, tmp_path / "killed" / "set"], tmp_path / "log")
    assert sum(name.endswith(".mp4") for name in killed) == len(
        list((tmp_path / "whole/set/media").iterdir())
    )
    assert killed.count("manifest.json") == 2
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")

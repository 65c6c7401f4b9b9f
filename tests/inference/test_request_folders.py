"""Requests that a stage wrote down are answered with the same journal, and under keys of their own."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from fathom.inference.plans import RequestsPlan, RunConfig
from fathom.inference.start import run_plan
from fathom.records import (
    InputError,
    Manifest,
    Media,
    MediaPart,
    Prompt,
    Request,
    TextPart,
    UnansweredQuestion,
    Variant,
)
from fathom.store.datasets import MEDIA, SCHEMA_VERSION
from fathom.store.files import write_bytes, write_jsonl
from fathom.store.requests import open_requests, request_key, write_requests
from fathom.store.runs import open_run
from tests.inference.endpoints import Reply, completion, right, serving
from tests.inference.folders import png


def request(number: int, aspect: str = "action", picture: str = "") -> Request:
    shown = (MediaPart(media=picture),) if picture else ()
    made = Request(
        key="",
        asked=UnansweredQuestion(id=f"object {number}", task=f"judge-{aspect}", text=aspect),
        prompt=Prompt(system="You judge.", parts=(*shown, TextPart(text=f"caption {number}, {aspect}"))),
        variant=Variant(name=aspect),
        purpose="judge",
    )
    return msgspec.structs.replace(made, key=request_key(made))


def folder_of(path: Path, requests: list[Request]) -> Path:
    manifest = Manifest(
        kind="requests",
        tool="fathom",
        tool_version="0",
        schema_version=SCHEMA_VERSION,
        command="score",
        settings={"purpose": "judge"},
        benchmark="4d-bench",
    )
    write_requests(path, requests, manifest)
    return path


def asking(folder: Path, model: str, out: Path, **more: object) -> RequestsPlan:
    return RequestsPlan(RunConfig(model, out, **more), open_requests(folder))  # type: ignore[arg-type]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return folder_of(tmp_path / "q", [request(k, a) for k in range(4) for a in ("appearance", "action")])


def test_each_request_is_answered_once_with_its_system_prompt_and_in_order(
    folder: Path, tmp_path: Path
) -> None:
    with serving(lambda before, asked: (200, completion('{"score": 3}'), {})) as server:
        summary = run_plan(asking(folder, f"openai:m@{server.url}", tmp_path / "r", concurrency=1))
        again = run_plan(asking(folder, f"openai:m@{server.url}", tmp_path / "r"))
    assert (summary.ok, summary.complete, again.skipped, len(server.bodies)) == (8, True, 8, 8)
    texts = [body["messages"][1]["content"][0]["text"] for body in server.bodies]  # type: ignore[index]
    assert texts == [r.prompt.parts[0].text for r in open_requests(folder).requests()]  # type: ignore[union-attr]
    assert all(body["messages"][0] == {"role": "system", "content": "You judge."} for body in server.bodies)  # type: ignore[index]
    run = open_run(tmp_path / "r")
    said = list(run.responses())
    assert {(r.question, r.variant.name) for r in said} == {
        (f"object {k}", a) for k in range(4) for a in ("appearance", "action")
    }
    assert {r.purpose for r in said} == {"judge"}
    assert run.manifest.inputs == {"requests": open_requests(folder).manifest.identity}
    assert (run.manifest.complete, run.manifest.counts["done"]) == (True, 8)


def test_the_model_enters_the_key_and_the_request_does(folder: Path, tmp_path: Path) -> None:
    def keys(model: str) -> list[str]:
        plan = asking(folder, model, tmp_path / "none")
        return [r.key for r in plan.requests(plan.open())]

    url = "@http://localhost:1/v1"
    every = keys(f"openai:a{url}") + keys(f"openai:b{url}") + keys(f"openai:a{url},temperature=1")
    assert len(set(every)) == 24
    assert all(len(bytes.fromhex(key)) == 16 for key in every)
    assert keys(f"openai:a{url}") == every[:8]


def test_a_judge_that_fails_is_counted_and_asked_again_and_nothing_is_made_up(
    folder: Path, tmp_path: Path
) -> None:
    def failing(before: int, asked: str) -> Reply:
        return (400, "no", {}) if "caption 2" in asked else (200, completion('{"score": 3}'), {})

    with serving(failing) as server:
        summary = run_plan(asking(folder, f"openai:m@{server.url}", tmp_path / "r"))
        assert (summary.ok, summary.failed, summary.complete) == (6, 2, False)
        said = list(open_run(tmp_path / "r").responses())
        assert {r.text for r in said if r.status == "failed"} == {""}
        server.behave = lambda before, asked: (200, completion('{"score": 1}'), {})
        assert run_plan(asking(folder, f"openai:m@{server.url}", tmp_path / "r")).complete


def test_requests_that_were_written_anew_do_not_mix_into_a_run(folder: Path, tmp_path: Path) -> None:
    with serving(right) as server:
        model = f"openai:m@{server.url}"
        run_plan(asking(folder, model, tmp_path / "r", limit=2))
        folder_of(folder, [request(9)])
        with pytest.raises(InputError, match=r"holds another run .requests identity is"):
            run_plan(asking(folder, model, tmp_path / "r"))


def test_run_and_requests_can_be_moved(folder: Path, tmp_path: Path) -> None:
    with serving(right) as server:
        run_plan(asking(folder, f"openai:m@{server.url}", tmp_path / "r"))
        moved = folder.rename(tmp_path / "elsewhere")
        assert run_plan(asking(moved, f"openai:m@{server.url}", tmp_path / "r")).skipped == 8


def test_a_run_of_requests_is_no_run_of_a_dataset(folder: Path, tmp_path: Path) -> None:
    with serving(right) as server:
        run_plan(asking(folder, f"openai:m@{server.url}", tmp_path / "r"))
    with pytest.raises(InputError, match=r"answers the requests of `fathom score`.*give it with --responses"):
        open_run(tmp_path / "r").dataset()


def test_pictures_lie_beside_the_requests_and_enter_the_key(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "q", [request(0, picture="p")])
    plan = asking(folder, "openai:m@http://localhost:1/v1", tmp_path / "r")
    with pytest.raises(InputError, match=r"shows pictures, and no media\.jsonl lies beside it"):
        list(plan.requests(plan.open()))
    keys = set()
    for color in ((1, 2, 3), (4, 5, 6)):
        data = png(color)
        write_bytes(folder / "p.png", data)
        media = Media(
            id="p", path="p.png", kind="image", size=(4, 3), sha256=hashlib.sha256(data).hexdigest()
        )
        write_jsonl(folder / MEDIA, [media])
        with serving() as server:
            model = f"openai:m@{server.url}"
            run_plan(asking(folder, model, tmp_path / f"r{color[0]}"))
            assert "data:image/png;base64," in json.dumps(server.bodies)
        plan = replace(plan, folder=open_requests(folder))
        keys |= {r.key for r in plan.requests(plan.open())}
    assert len(keys) == 2


def test_the_command_answers_a_folder_of_requests(folder: Path, tmp_path: Path) -> None:
    from fathom import api

    with serving(lambda before, asked: (200, completion('{"score": 3}'), {})) as server:
        model = f"openai:m@{server.url}"
        assert "8 of 8 requests to ask" in api.run_model(folder, model, tmp_path / "r", dry_run=True).text
        assert "8 answered" in api.run_model(folder, model, tmp_path / "r").text
        for more in ({"protocol": "blind"}, {"settings": {"frames": "8"}}, {"repeats": 2}):
            with pytest.raises(InputError, match="holds requests, which are put as they are written"):
                api.run_model(folder, model, tmp_path / "r", **more)

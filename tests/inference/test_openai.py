"""A hosted model: what goes out, what is read in what comes back, and what happens when it fails."""

from __future__ import annotations

import base64
import hashlib
import shutil
import ssl
import subprocess
import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from fathom.inference.models import openai
from fathom.inference.pace import Patience
from fathom.inference.prices import Price
from fathom.inference.start import run_plan
from fathom.inference.summary import Summary
from fathom.records import DataError, EndpointError, InputError, Response
from fathom.store.datasets import Dataset, open_dataset
from fathom.store.runs import open_run
from tests.inference.endpoints import Reply, completion, right, serving
from tests.inference.folders import make_dataset, plan

QUICK = Patience(first_wait_s=0.002, longest_wait_s=0.02, attempts=5)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait milliseconds where a user's run waits seconds."""
    monkeypatch.setattr(openai, "Patience", lambda: QUICK)


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    return make_dataset(tmp_path / "d")


def ask(dataset: Dataset, url: str, out: Path, options: str = "", **more: object) -> Summary:
    whole = plan(dataset, f"openai:m@{url}{options}", out)
    return run_plan(replace(whole, config=replace(whole.config, **more)))  # type: ignore[arg-type]


def answers(out: Path) -> dict[str, Response]:
    return {r.question: r for r in open_run(out).responses()}


def test_pictures_go_out_as_they_came_in(dataset: Dataset, tmp_path: Path) -> None:
    with serving() as server:
        ask(dataset, server.url, tmp_path / "r")
    for number, body in zip(server.asked, server.bodies, strict=True):
        content = body["messages"][0]["content"]  # type: ignore[index]
        assert [part["type"] for part in content] == ["text", "image_url", "text"]
        url = content[1]["image_url"]["url"]
        assert url.startswith("data:image/png;base64,")
        assert base64.b64decode(url.partition(",")[2]) == dataset.media_bytes(f"s{number // 4}")


def test_what_is_sent_is_what_the_protocol_and_the_options_say(dataset: Dataset, tmp_path: Path) -> None:
    with serving() as server:
        ask(dataset, server.url, tmp_path / "r", ",max_completion_tokens=99,seed=3,detail=high", limit=1)
    body = server.bodies[0]
    content = body.pop("messages")[0]["content"]  # type: ignore[index]
    assert body == {"model": "m", "temperature": 0, "max_completion_tokens": 99, "seed": 3}
    assert content[1]["image_url"]["detail"] == "high"


def test_a_limit_on_size_makes_larger_pictures_smaller_and_leaves_the_others(
    dataset: Dataset, tmp_path: Path
) -> None:
    with serving() as server:
        ask(dataset, server.url, tmp_path / "a", ",max_side_px=2", limit=1)
        ask(dataset, server.url, tmp_path / "b", ",max_side_px=4", limit=1)
    urls = [b["messages"][0]["content"][1]["image_url"]["url"] for b in server.bodies]  # type: ignore[index]
    small, same = (base64.b64decode(url.partition(",")[2]) for url in urls)
    assert small[16:24] == (2).to_bytes(4, "big") * 2
    assert same == dataset.media_bytes(f"s{server.asked[1] // 4}")


def test_what_came_back_is_kept_with_its_cost(dataset: Dataset, tmp_path: Path) -> None:
    with serving() as server:
        summary = ask(dataset, server.url, tmp_path / "r")
    assert (summary.ok, summary.input_tokens, summary.output_tokens) == (12, 1200, 84)
    assert summary.cost(Price(2.5, 10.0)) == pytest.approx((1200 * 2.5 + 84 * 10) / 1e6)
    one = answers(tmp_path / "r")["q3"]
    assert (one.status, one.finish, one.model, one.usage.attempts) == ("ok", "stop", "served-1", 1)
    assert one.text == '{"Reasoning": "", "Answer": "1"}'
    run = open_run(tmp_path / "r").manifest
    assert (run.complete, run.counts) == (
        True,
        {"requests": 12, "done": 12, "failed": 0, "input_tokens": 1200, "output_tokens": 84},
    )
    assert run.notes == (f"endpoint {server.url}/chat/completions",)


def test_at_most_so_many_are_in_flight(dataset: Dataset, tmp_path: Path) -> None:
    with serving(delay_s=0.05) as server:
        ask(dataset, server.url, tmp_path / "r", concurrency=5)
    assert server.most_in_flight == 5


def test_an_identical_second_run_sends_nothing(dataset: Dataset, tmp_path: Path) -> None:
    with serving() as server:
        ask(dataset, server.url, tmp_path / "r")
        summary = ask(dataset, server.url, tmp_path / "r")
    assert len(server.bodies) == 12
    assert (summary.asked, summary.skipped, summary.complete) == (0, 12, True)


def test_a_limited_run_is_carried_on_to_the_whole(dataset: Dataset, tmp_path: Path) -> None:
    with serving() as server:
        ask(dataset, server.url, tmp_path / "r", limit=5)
        assert not open_run(tmp_path / "r").manifest.complete
        ask(dataset, server.url, tmp_path / "r")
    assert sorted(server.asked) == list(range(12))


def test_repeats_are_asked_on_top_of_what_is_there_each_with_its_seed(
    dataset: Dataset, tmp_path: Path
) -> None:
    with serving() as server:
        whole = plan(dataset, f"openai:m@{server.url},temperature=0.7,seed=10", tmp_path / "r", limit=2)
        run_plan(whole)
        again = run_plan(replace(whole, repeats=3))
    assert (again.skipped, again.ok, again.complete) == (2, 4, True)
    assert Counter(body["seed"] for body in server.bodies) == {10: 2, 11: 2, 12: 2}
    said = list(open_run(tmp_path / "r").responses())
    assert Counter(r.variant.repeat for r in said) == {0: 2, 1: 2, 2: 2}


def test_other_settings_do_not_mix_into_a_run(dataset: Dataset, tmp_path: Path) -> None:
    with serving() as server:
        ask(dataset, server.url, tmp_path / "r")
        with pytest.raises(InputError, match=r"parameter\.temperature is 0 there, and 0\.7 now"):
            ask(dataset, server.url, tmp_path / "r", ",temperature=0.7")


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_what_passes_is_tried_again(dataset: Dataset, tmp_path: Path, status: int) -> None:
    def stumble(before: int, asked: str) -> Reply:
        return (status, "busy", {}) if before % 3 == 1 else right(before, asked)

    with serving(stumble) as server:
        summary = ask(dataset, server.url, tmp_path / "r")
    assert (summary.ok, summary.complete) == (12, True)
    assert summary.sent == len(server.bodies) > 12


def test_an_endpoint_that_asks_to_wait_is_left_alone_for_so_long(dataset: Dataset, tmp_path: Path) -> None:
    def busy(before: int, asked: str) -> Reply:
        return (429, "slow down", {"Retry-After": "0.3"}) if before < 2 else right(before, asked)

    with serving(busy) as server:
        summary = ask(dataset, server.url, tmp_path / "r", concurrency=2)
    assert summary.ok == 12
    assert summary.seconds > 0.3
    assert len(server.bodies) == 14


def test_too_many_requests_halve_those_in_flight_until_it_goes_well(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=200, per_scene=50)
    lock = threading.Lock()
    seen = {"too many": 0}

    with serving(delay_s=0.004) as server:

        def crowded(before: int, asked: str) -> Reply:
            with lock:
                if server.in_flight > 6:
                    seen["too many"] += 1
                    return 429, "too many", {}
            return right(before, asked)

        server.behave = crowded
        summary = ask(dataset, server.url, tmp_path / "r", ",attempts=8", concurrency=32)
    assert summary.ok == 200
    assert seen["too many"] < 130  # at 32 in flight throughout it would be most of several hundred


def test_retries_are_not_multiplied(dataset: Dataset, tmp_path: Path) -> None:
    """One question fails for ever, the others do not: it is sent as often as the limit says, and no more."""

    def poisoned(before: int, asked: str) -> Reply:
        return (500, "boom", {}) if "(7)" in asked else right(before, asked)

    with serving(poisoned) as server:
        summary = ask(dataset, server.url, tmp_path / "r", concurrency=1)
    sent = Counter(server.asked)
    assert sent.pop(7) == QUICK.attempts
    assert set(sent.values()) == {1}
    assert (summary.ok, summary.failed, summary.complete) == (11, 1, False)
    failed = answers(tmp_path / "r")["q7"]
    assert (failed.status, failed.error, failed.usage.attempts) == ("failed", "HTTP 500: boom", 5)


def test_an_error_is_never_kept_as_an_answer(dataset: Dataset, tmp_path: Path) -> None:
    """After an outage a healthy second run asks what failed, and only that."""

    def half(before: int, asked: str) -> Reply:
        return (400, "bad", {}) if before % 2 else right(before, asked)

    with serving(half) as server:
        first = ask(dataset, server.url, tmp_path / "r", concurrency=1)
        assert (first.ok, first.failed) == (6, 6)
        assert "Start the same command again" in str(first)
        server.behave = right
        second = ask(dataset, server.url, tmp_path / "r")
    assert (second.ok, second.skipped, second.complete) == (6, 6, True)
    assert Counter(server.asked) == Counter({k: 1 + k % 2 for k in range(12)})
    assert all(r.status == "ok" for r in answers(tmp_path / "r").values())


def test_an_endpoint_that_nobody_answers_at_ends_the_run_in_one_sentence(
    dataset: Dataset, tmp_path: Path
) -> None:
    with serving() as server:
        url = server.url
    with pytest.raises(EndpointError, match=r"attempts in a row have failed.*start the same command again"):
        ask(dataset, url, tmp_path / "r")
    assert answers(tmp_path / "r") == {}
    assert not open_run(tmp_path / "r").manifest.complete


def test_an_endpoint_that_goes_down_ends_the_run_and_what_was_answered_is_kept(
    dataset: Dataset, tmp_path: Path
) -> None:
    def dying(before: int, asked: str) -> Reply:
        return right(before, asked) if before < 5 else (503, "gone", {})

    with serving(dying) as server:
        with pytest.raises(EndpointError, match="HTTP 503: gone"):
            ask(dataset, server.url, tmp_path / "r", concurrency=4)
        assert len(server.bodies) <= 5 + (4 + openai.AHEAD) * QUICK.attempts
        assert len(answers(tmp_path / "r")) == 5
        server.behave = right
        summary = ask(dataset, server.url, tmp_path / "r")
    assert (summary.skipped, summary.ok, summary.complete) == (5, 7, True)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_an_endpoint_that_turns_the_first_request_down_is_not_asked_on(
    dataset: Dataset, tmp_path: Path, status: int
) -> None:
    with (
        serving(lambda before, asked: (status, "no such thing", {})) as server,
        pytest.raises(EndpointError, match=f"turned a request down .HTTP {status}: no such thing"),
    ):
        ask(dataset, server.url, tmp_path / "r", concurrency=3)
    assert len(server.bodies) <= 3


def test_a_run_in_which_everything_fails_is_an_error_and_no_score_of_zero(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=3)
    with (
        serving(lambda before, asked: (400, "max_tokens is not supported", {})) as server,
        pytest.raises(EndpointError, match="max_tokens is not supported"),
    ):
        ask(dataset, server.url, tmp_path / "r")


def test_an_account_without_credit_is_told_at_once(dataset: Dataset, tmp_path: Path) -> None:
    body: dict[str, object] = {
        "error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}
    }
    with (
        serving(lambda before, asked: (429, body, {})) as server,
        pytest.raises(EndpointError, match="exceeded your current quota"),
    ):
        ask(dataset, server.url, tmp_path / "r", concurrency=1)
    assert len(server.bodies) == 1


def test_a_refusal_is_an_answer_of_its_own_and_not_asked_again(dataset: Dataset, tmp_path: Path) -> None:
    flagged: dict[str, object] = {"error": {"code": "content_filter", "message": "flagged"}}

    def refusing(before: int, asked: str) -> Reply:
        return (
            (400, flagged, {}),
            (200, completion(None, refusal="I cannot help with that."), {}),
            (200, completion("", finish="content_filter"), {}),
            right(before, asked),
        )[before % 4]

    with serving(refusing) as server:
        summary = ask(dataset, server.url, tmp_path / "r", concurrency=1)
        again = ask(dataset, server.url, tmp_path / "r")
    assert (summary.refused, summary.ok, summary.complete) == (9, 3, True)
    assert again.asked == 0
    texts = {r.text for r in answers(tmp_path / "r").values() if r.status == "refused"}
    assert texts == {"", "I cannot help with that."}


@pytest.mark.parametrize(
    ("reply", "text", "finish"),
    [
        (completion("it is", finish="length", reasoning_content="hm"), "it is", "length"),
        (completion("yes", reasoning="because"), "yes", "stop"),
        ({**completion("yes"), "usage": None}, "yes", "stop"),
        ({"choices": [{"message": {"content": [{"type": "text", "text": "y"}, {"text": "es"}]}}]}, "yes", ""),
    ],
)
def test_replies_of_many_servers_are_understood(
    dataset: Dataset, tmp_path: Path, reply: dict[str, object], text: str, finish: str
) -> None:
    with serving(lambda before, asked: (200, reply, {})) as server:
        ask(dataset, server.url, tmp_path / "r", limit=1)
    (one,) = answers(tmp_path / "r").values()
    assert (one.status, one.text, one.finish) == ("ok", text, finish)


@pytest.mark.parametrize("reply", ["<html>busy</html>", "", '{"error": {"code": 503}}', '{"choices": []}'])
def test_what_is_no_completion_is_tried_again_and_then_fails(
    dataset: Dataset, tmp_path: Path, reply: str
) -> None:
    def odd(before: int, asked: str) -> Reply:
        return (200, reply, {}) if "(2)" in asked else right(before, asked)

    with serving(odd) as server:
        summary = ask(dataset, server.url, tmp_path / "r", concurrency=1)
    assert Counter(server.asked)[2] == QUICK.attempts
    assert (summary.ok, summary.failed) == (11, 1)
    assert answers(tmp_path / "r")["q2"].error.startswith("HTTP 200 text/plain: the reply")


def test_a_reply_that_does_not_come_is_given_up_on(dataset: Dataset, tmp_path: Path) -> None:
    with (
        serving(delay_s=0.5) as server,
        pytest.raises(EndpointError, match="no reply in time"),
    ):
        ask(dataset, server.url, tmp_path / "r", ",timeout_s=0.05")


def test_a_redirect_is_not_followed(dataset: Dataset, tmp_path: Path) -> None:
    with serving() as elsewhere:

        def away(before: int, asked: str) -> Reply:
            return 307, "", {"Location": f"{elsewhere.url}/chat/completions"}

        with serving(away) as server, pytest.raises(EndpointError, match="HTTP 307"):
            ask(dataset, server.url, tmp_path / "r", environ={"OPENAI_API_KEY": "sk-1"})
        assert elsewhere.bodies == []


def test_the_key_is_sent_and_written_nowhere(
    dataset: Dataset, tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    key = "sk-proj-Very+Secret/Key=="
    caplog.set_level("DEBUG")
    said: list[str] = []

    def echoing(before: int, asked: str) -> Reply:
        if before < 3:
            return 401 if before == 2 else 500, f"Incorrect API key provided: {key}", {}
        return 200, completion(f"your key is {key}"), {}

    environ = {"MY_KEY": key}
    with serving(echoing) as server:
        asked = plan(dataset, f"openai:m@{server.url},key_env=MY_KEY", tmp_path / "r", environ=environ)
        for _ in range(2):
            try:
                summary = run_plan(asked, progress=lambda s: said.append(str(s)), say=said.append)
                said.append(str(summary))
            except EndpointError as e:
                said.append(str(e))
    assert set(server.keys) == {f"Bearer {key}"}
    assert any("[key]" in text for text in said)
    written = b"".join(p.read_bytes() for p in (tmp_path / "r").rglob("*") if p.is_file())
    assert len(written) > 1000
    shown = caplog.text + "".join(capfd.readouterr()) + "".join(said) + repr(asked.open()) + repr(asked)
    everything = written.decode() + shown
    assert key not in everything
    assert "Very+Secret" not in everything


def test_a_server_with_a_certificate_of_its_own_making_is_not_talked_to(
    dataset: Dataset, tmp_path: Path
) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl, which makes the certificate, is not installed")
    key, cert = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    made = ["-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", cert]
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
    subprocess.run([openssl, "req", "-x509", *made, *name], check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(cert, key)
    with serving(tls=tls) as server:
        assert server.url.startswith("https://")
        with pytest.raises(EndpointError, match=r"(?i)certificate verify failed"):
            ask(dataset, server.url, tmp_path / "r", environ={"OPENAI_API_KEY": "sk-1"}, concurrency=1)
    assert server.bodies == []


def test_a_stale_picture_ends_the_run_before_it_is_sent(dataset: Dataset, tmp_path: Path) -> None:
    (dataset.path / "media" / "s2.png").write_bytes(dataset.media_bytes("s0"))
    with serving() as server, pytest.raises(DataError, match=r"s2\.png: is not the picture"):
        ask(dataset, server.url, tmp_path / "r", concurrency=1)
    assert server.asked == list(range(len(server.asked)))[:8]  # the first with that picture would be the 9th


def test_a_file_that_is_no_picture_is_named(tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "d", questions=1)
    (dataset.path / "media" / "s0.png").write_text("<svg/>")
    media = dataset.path / "media.jsonl"
    old = dataset.media("s0").sha256
    media.write_text(media.read_text().replace(old, hashlib.sha256(b"<svg/>").hexdigest()))
    with serving() as server, pytest.raises(InputError, match="expected a PNG, JPEG, WebP or GIF"):
        ask(open_dataset(dataset.path), server.url, tmp_path / "r")

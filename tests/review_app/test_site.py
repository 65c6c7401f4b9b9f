"""Who may ask for what, and what is refused: without a browser."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import pytest

from fathom import api
from tests.review_app.setting import NASTY, begun, dataset_of, sent, served

HEADERS = {"Content-Type": "application/json", "X-Fathom": "review"}


class _Stay(HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return dataset_of(tmp_path_factory.mktemp("squares"))


@pytest.fixture
def place(dataset: Path, tmp_path: Path) -> Iterator[tuple[api.Review, dict[str, str], str]]:
    review, links = begun(dataset, tmp_path / "work", overlap=2)
    with served(review) as address:
        yield review, links, address
    review.store.close()


def ask(
    address: str,
    path: str,
    token: str = "",
    body: object = None,
    headers: Mapping[str, str] | None = None,
    raw: bytes | None = None,
) -> tuple[int, bytes]:
    data = raw if raw is not None else None if body is None else json.dumps(body).encode()
    given = {**({"Cookie": f"fathom_review={token}"} if token else {}), **(headers or {})}
    try:
        with build_opener(_Stay).open(Request(address + path, data, given), timeout=20) as found:
            return found.status, found.read()
    except HTTPError as e:
        return e.code, e.read()


def test_nobody_gets_in_without_a_token(place: tuple[api.Review, dict[str, str], str]) -> None:
    _, _, address = place
    paths = ("/", "/api/next", "/api/history", "/api/item/1", "/picture/1/0", "/film/1/0", "/progress")
    for path in (*paths, "/progress/live", "/progress/item/q0", "/join/wrong"):
        status, body = ask(address, path, "wrong")
        assert status in (401, 404), path
        assert len(body) < 60 and b"Ana" not in body


def test_a_wrong_token_is_answered_slowly(dataset: Path, tmp_path: Path) -> None:
    review, links = begun(dataset, tmp_path / "work")
    with served(review, wait_s=0.3) as address:
        before = time.monotonic()
        assert ask(address, "/join/wrong")[0] == 404
        assert time.monotonic() - before >= 0.3
        assert ask(address, f"/join/{links['Ana']}")[0] == 200
        for _ in range(20):
            ask(address, "/api/next", "x") if _ < 2 else review.store.person_of("x")


def test_only_hashes_of_tokens_are_kept(place: tuple[api.Review, dict[str, str], str]) -> None:
    review, links, address = place
    ask(address, "/api/next", links["Ana"])
    kept = b"".join(p.read_bytes() for p in review.work.iterdir())
    assert not any(token.encode() in kept for token in links.values())


def test_a_renewed_link_closes_the_old_one(place: tuple[api.Review, dict[str, str], str]) -> None:
    review, links, address = place
    new = review.renew("Ana")
    assert ask(address, "/api/next", links["Ana"])[0] == 401
    assert ask(address, "/api/next", new)[0] == 200


def test_other_pages_cannot_send_in_a_person_s_name(place: tuple[api.Review, dict[str, str], str]) -> None:
    review, links, address = place
    item = json.loads(ask(address, "/api/next", links["Ana"])[1])["items"][0]
    body = sent(item["id"], "blind", {"picked": 0}, "client-1")
    for headers in (
        {"Content-Type": "application/json"},
        {**HEADERS, "Origin": "http://evil.example"},
        {**HEADERS, "Origin": "null"},
        {**HEADERS, "Sec-Fetch-Site": "cross-site"},
    ):
        assert ask(address, "/api/entry", links["Ana"], body, headers)[0] == 401
    assert ask(address, "/api/next", links["Ana"], headers={"Host": "evil.example"})[0] == 421
    assert list(review.store.entries()) == []
    assert ask(address, "/api/entry", links["Ana"], body, {**HEADERS, "Origin": address})[0] == 200


def test_the_answer_is_not_sent_before_its_stage(place: tuple[api.Review, dict[str, str], str]) -> None:
    _, links, address = place
    item = json.loads(ask(address, "/api/next", links["Ana"])[1])["items"][0]
    assert item["revealed"] == [] and "answer" not in json.dumps(item).replace("answered", "")
    assert (item["title"], "Task" in json.dumps(item)) == (
        "",
        False,
    )  # the task's name may tell what to look for
    body = sent(item["id"], "blind", {"picked": item["options"][1]["value"]}, "client-1")
    reply = json.loads(ask(address, "/api/entry", links["Ana"], body, HEADERS)[1])
    assert reply["next_stage"] == "shown"
    revealed = dict(reply["item"]["revealed"])
    assert revealed["The dataset's answer"] in ("left", "right") and revealed["Task"]


def test_pictures_are_shown_to_whom_the_item_was_given_and_to_managers(
    place: tuple[api.Review, dict[str, str], str],
) -> None:
    _, links, address = place
    item = json.loads(ask(address, "/api/next", links["Ana"])[1])["items"][0]["id"]
    status, data = ask(address, f"/picture/{item}/0", links["Ana"])
    assert status == 200 and data.startswith(b"\x89PNG")
    assert ask(address, f"/picture/{item}/0", links["manager"])[0] == 200
    for path in (
        f"/picture/{item}/9",
        f"/picture/{item}/-1",
        "/picture/999/0",
        "/picture/1/..%2f..%2fmanifest.json",
    ):
        assert ask(address, path, links["Ana"])[0] == 404
    assert ask(address, f"/picture/{item}/0", links["Ben"])[0] == 404, "not given to Ben yet"
    for path in ("/static/../app.py", "/static/..%2fapp.py", "/static/app.py"):
        assert ask(address, path, links["Ana"])[0] == 404


def test_what_is_sent_is_checked_and_bounded(place: tuple[api.Review, dict[str, str], str]) -> None:
    review, links, address = place
    item = json.loads(ask(address, "/api/next", links["Ana"])[1])["items"][0]["id"]
    long = "x" * 11_000
    for values, words in (
        ({"picked": 7}, "cannot be read"),
        ({"picked": "left"}, "cannot be read"),
        ({"picked": True}, "cannot be read"),
        ({"problem": "nonsense"}, "cannot be read"),
        ({"other": 1}, "is not asked here"),
        ({}, "choose an answer"),
    ):
        status, found = ask(
            address, "/api/entry", links["Ana"], sent(item, "blind", values, "client-x"), HEADERS
        )
        assert status == 422 and words in json.loads(found)["error"], values
    ask(address, "/api/entry", links["Ana"], sent(item, "blind", {"picked": 0}, "client-1"), HEADERS)
    body = sent(item, "shown", {"verdict": "wrong", "reason": long}, "client-2")
    status, found = ask(address, "/api/entry", links["Ana"], body, HEADERS)
    assert status == 422 and "10,000 characters" in json.loads(found)["error"]
    assert ask(address, "/api/entry", links["Ana"], raw=b"x" * 300_000, headers=HEADERS)[0] == 413
    for raw in (b"", b"[]", b"{", b'{"item": "1"}', b"\xff\xfe"):
        assert ask(address, "/api/entry", links["Ana"], raw=raw, headers=HEADERS)[0] == 400
    assert len(list(review.store.entries())) == 1


def test_a_page_runs_nothing_but_its_own_script(place: tuple[api.Review, dict[str, str], str]) -> None:
    _, links, address = place
    with build_opener().open(
        Request(address + "/", headers={"Cookie": f"fathom_review={links['Ana']}"})
    ) as page:
        policy = page.headers["Content-Security-Policy"]
        assert "script-src 'self'" in policy and "unsafe" not in policy and "default-src 'none'" in policy
        assert b"<script>" not in page.read()


def test_texts_from_outside_stay_texts(tmp_path: Path) -> None:
    people = (NASTY[:60], "Ben")
    review, links = begun(dataset_of(tmp_path, 2, NASTY), tmp_path / "work", people=people, overlap=2)
    with served(review) as address:
        who = links[NASTY[:60]]
        page = ask(address, "/", who)[1].decode()
        assert "<img src=x" not in page
        item = json.loads(ask(address, "/api/next", who)[1])["items"][0]
        ask(address, "/api/entry", who, sent(item["id"], "blind", {"picked": 0}, "client-1"), HEADERS)
        body = sent(item["id"], "shown", {"verdict": "wrong", "reason": NASTY}, "client-2")
        assert ask(address, "/api/entry", who, body, HEADERS)[0] == 200
        for stage, said in (("blind", {"picked": 0}), ("shown", {"verdict": "right"})):
            ask(address, "/api/next", links["Ben"])
            body = sent(item["id"], stage, said, f"client-{stage}")
            assert ask(address, "/api/entry", links["Ben"], body, HEADERS)[0] == 200
        for path in ("/progress", "/progress/live", f"/progress/item/{item['name']}"):
            status, found = ask(address, path, links["manager"])
            assert status == 200 and b"<img src=x" not in found and b"<script>document" not in found
        disputed = ask(address, "/progress/live", links["manager"])[1].decode().partition("Disputed")[2]
        assert f"/progress/item/{item['name']}" in disputed and "&lt;img src=x" in disputed
        assert ask(address, "/progress", who)[0] == 404, "only managers see what others said"

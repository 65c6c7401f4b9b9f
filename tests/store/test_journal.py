"""The journal keeps what it was given, whatever happens to the process, the disk or the file."""

from __future__ import annotations

import hashlib
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.records import DataError, InputError, Response, Status
from fathom.store.journal import TORN, Journal, read_responses, shard_paths


def key(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:32]


def response(name: str, status: Status = "ok", text: str = "yes") -> Response:
    return Response(key=key(name), question=name, status=status, text=text)


def test_what_was_appended_is_read_back_in_order(tmp_path: Path) -> None:
    given_ = [response(str(k), text="ü\n" * k) for k in range(5)]
    with Journal(tmp_path) as journal:
        for r in given_:
            journal.append(r)
    assert list(read_responses(tmp_path)) == given_


def test_an_answer_is_on_its_way_to_disk_before_append_returns(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal.append(response("a"))
    assert [r.question for r in read_responses(tmp_path)] == ["a"]
    journal.close()


def test_answers_and_refusals_are_done_and_failures_are_not(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        for name, status in (("a", "ok"), ("b", "refused"), ("c", "failed")):
            journal.append(response(name, status))  # type: ignore[arg-type]
        assert [key(n) in journal for n in "abc"] == [True, True, False]
    with Journal(tmp_path) as journal:
        assert [key(n) in journal for n in "abc"] == [True, True, False]
        assert len(journal) == 2
        assert journal.failed == 1


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from(["ok", "refused", "failed"])),
        max_size=12,
    )
)
def test_the_first_answer_counts_else_the_last_failure(
    tmp_path_factory: pytest.TempPathFactory, lines: list[tuple[str, Status]]
) -> None:
    folder = tmp_path_factory.mktemp("journal")
    with Journal(folder) as journal:
        for number, (name, status) in enumerate(lines):
            journal.append(response(name, status, text=str(number)))
    expected: dict[str, tuple[str, str]] = {}
    for number, (name, status) in enumerate(lines):
        if name not in expected or expected[name][0] == "failed":
            expected[name] = (status, str(number))
    assert {r.question: (r.status, r.text) for r in read_responses(folder)} == expected


def test_a_full_shard_is_followed_by_another(tmp_path: Path) -> None:
    with Journal(tmp_path, shard_bytes=300) as journal:
        for k in range(10):
            journal.append(response(str(k)))
    assert len(shard_paths(tmp_path)) > 2
    assert all(p.stat().st_size <= 300 for p in shard_paths(tmp_path))
    with Journal(tmp_path, shard_bytes=300) as journal:
        assert len(journal) == 10
        journal.append(response("more"))
    assert len(list(read_responses(tmp_path))) == 11


@pytest.mark.parametrize("keep", [1, 40, -2])
def test_a_half_written_last_line_is_moved_aside_and_said(tmp_path: Path, keep: int) -> None:
    with Journal(tmp_path) as journal:
        journal.append(response("a"))
        journal.append(response("b"))
    shard = shard_paths(tmp_path)[0]
    whole = shard.read_bytes()
    first, second = whole.splitlines(keepends=True)
    shard.write_bytes(first + second[:keep])
    assert [r.question for r in read_responses(tmp_path)] == ["a"]  # reading changes nothing
    said: list[str] = []
    with Journal(tmp_path, say=said.append) as journal:
        assert (key("a") in journal, key("b") in journal) == (True, False)
        journal.append(response("b"))
    assert len(said) == 1
    assert "half written" in said[0]
    (aside,) = (tmp_path / TORN).iterdir()
    assert aside.read_bytes() == second[:keep]
    assert shard.read_bytes() == whole


def test_a_whole_last_line_without_its_line_break_is_kept(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.append(response("a"))
    shard = shard_paths(tmp_path)[0]
    shard.write_bytes(shard.read_bytes()[:-1])
    assert [r.question for r in read_responses(tmp_path)] == ["a"]
    with Journal(tmp_path) as journal:
        assert key("a") in journal
        journal.append(response("b"))
    assert [r.question for r in read_responses(tmp_path)] == ["a", "b"]


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_cut_anywhere_a_journal_opens_again_with_every_whole_line(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    with Journal(folder) as journal:
        for k in range(4):
            journal.append(response(str(k), text="a ü b" * k))
    shard = shard_paths(folder)[0]
    whole = shard.read_bytes()
    cut = data.draw(st.integers(0, len(whole)))
    shard.write_bytes(whole[:cut])
    kept = (whole[:cut] + b"\n").count(b"}\n")
    with Journal(folder) as journal:
        assert len(journal) == kept
        for k in range(4):
            if key(str(k)) not in journal:
                journal.append(response(str(k), text="a ü b" * k))
    assert shard.read_bytes() == whole


def test_a_broken_line_in_the_middle_is_named_by_file_and_line(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        for name in "abc":
            journal.append(response(name))
    shard = shard_paths(tmp_path)[0]
    lines = shard.read_bytes().splitlines(keepends=True)
    shard.write_bytes(lines[0] + b'{"key": "oops\n' + lines[2])
    with pytest.raises(DataError, match=r"0001\.jsonl:2: .*delete this line"):
        Journal(tmp_path)
    with pytest.raises(DataError, match=r"0001\.jsonl:2: "):
        list(read_responses(tmp_path))


def test_a_line_with_an_unknown_field_is_named_when_it_is_read(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.append(response("a"))
    shard = shard_paths(tmp_path)[0]
    shard.write_bytes(shard.read_bytes().replace(b'"text"', b'"words"'))
    with pytest.raises(DataError, match=r"0001\.jsonl:1: .*words"):
        list(read_responses(tmp_path))


def test_two_processes_do_not_write_one_journal(tmp_path: Path) -> None:
    code = (
        "import sys, pathlib; from fathom.store.journal import Journal; "
        "Journal(pathlib.Path(sys.argv[1])); print('open', flush=True); sys.stdin.read()"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdin is not None
    assert other.stdout.readline() == "open\n"
    with pytest.raises(InputError, match=f"process {other.pid} is writing"):
        Journal(tmp_path)
    other.send_signal(signal.SIGKILL)
    other.wait()
    other.stdin.close()
    other.stdout.close()
    Journal(tmp_path).close()  # the lock of a dead process holds nobody up


def test_a_full_disk_ends_in_one_sentence_and_leaves_whole_lines(tmp_path: Path) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    journal = Journal(tmp_path)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
        with pytest.raises(InputError, match=r"could not be written .*free some space"):
            for k in range(20):
                journal.append(response(str(k)))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
        journal.close()
    kept = list(read_responses(tmp_path))
    assert 0 < len(kept) < 20
    assert not (tmp_path / TORN).exists()
    with Journal(tmp_path) as again:
        assert len(again) == len(kept)


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "0001.jsonl").mkdir()
    with pytest.raises(InputError, match="the journal cannot be opened"):
        Journal(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        Journal(tmp_path / "file" / "journal")

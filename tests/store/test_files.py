"""Files are whole or absent, names give the same numbers, and paths stay inside."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.records import DataError, InputError, Step
from fathom.store.files import inside, read_json, read_jsonl, write_bytes, write_json, write_jsonl
from fathom.store.seeds import digest, rng, short_hash


def test_lines_come_back_as_they_were_written(tmp_path: Path) -> None:
    steps = [Step(op="scene"), Step(op="relate", inputs=(0,), args=("left",))]
    write_jsonl(tmp_path / "a.jsonl", steps)
    assert list(read_jsonl(tmp_path / "a.jsonl", Step)) == steps


def test_a_line_edited_by_hand_is_named_by_file_and_number(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"op":"scene"}\n{"op":"relate","argz":[]}\n')
    with pytest.raises(DataError, match=r"a\.jsonl:2: not a valid Step .*argz"):
        list(read_jsonl(path, Step))


def test_a_missing_and_a_broken_file_each_say_so(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is none"):
        read_json(tmp_path / "no.json", Step)
    (tmp_path / "half.json").write_text('{"op":')
    with pytest.raises(DataError, match=r"half\.json: not a valid Step"):
        read_json(tmp_path / "half.json", Step)


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    write_json(tmp_path / "a.json", Step(op="scene"))
    blocked = tmp_path / "a.json" / "below"
    with pytest.raises(InputError, match="could not be written"):
        write_bytes(blocked, b"x")
    assert read_json(tmp_path / "a.json", Step) == Step(op="scene")
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full to stand for a full disk")
def test_a_full_disk_is_one_sentence_with_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import tempfile

    def full(**_: object) -> tuple[int, str]:
        import os

        name = tmp_path / ".a.part"
        name.touch()
        return os.open("/dev/full", os.O_WRONLY), str(name)

    monkeypatch.setattr(tempfile, "mkstemp", full)
    with pytest.raises(InputError, match=r"No space left on device.*free some space"):
        write_bytes(tmp_path / "a", b"x" * 10)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["../x", "a/../../x", "/etc/passwd", "link/passwd"])
def test_a_path_from_outside_never_leaves_its_folder(tmp_path: Path, path: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "link").symlink_to("/etc")
    with pytest.raises(InputError, match="must stay in"):
        inside(folder, path)


def test_a_path_that_stays_is_returned(tmp_path: Path) -> None:
    assert inside(tmp_path, "a/./b.png") == (tmp_path / "a" / "b.png").resolve()


@given(st.lists(st.text() | st.integers(), max_size=4), st.lists(st.text() | st.integers(), max_size=4))
def test_different_names_give_different_numbers(a: list[str | int], b: list[str | int]) -> None:
    assert (digest(*a) == digest(*b)) == ([(type(v), v) for v in a] == [(type(v), v) for v in b])


def test_the_numbers_that_belong_to_names_never_change() -> None:
    assert rng("0", "scene", 17, "camera").integers(0, 1000, 4).tolist() == GOLDEN
    assert not np.array_equal(rng("0", "scene", 1).random(3), rng("0", "scene", "1").random(3))
    assert short_hash("a", 1) == short_hash("a", 1) != short_hash("a", 2)


GOLDEN = [565, 476, 9, 458]

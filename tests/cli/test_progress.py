"""Progress on standard error, where it is no terminal."""

from __future__ import annotations

import pytest

from fathom.cli import progress


def test_a_line_now_and_then_says_how_far_it_is_and_how_long_it_takes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times = iter([0.0, 5.0, 20.0, 40.0, 41.0])
    monkeypatch.setattr("fathom.cli.progress.time.monotonic", lambda: next(times))
    with progress.shown() as show:
        show("m", 100, 900, "50/s")
        show("m", 150, 900, "not said: too soon")
        show("m", 300, 900, "10/s, 32 in flight, 2 failed, 12k + 1.0k tokens, $0.31")
        show("m", 900, 900, "")
        show("m", 900, 900, "said already")
    assert capsys.readouterr().err.splitlines() == [
        "m: 100 of 900  50/s",
        "m: 300 of 900  about 60 s left  10/s, 32 in flight, 2 failed, 12k + 1.0k tokens, $0.31",
        "m: 900 of 900",
    ]


def test_what_goes_on_after_it_was_done_is_told_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times = iter([0.0, 10.0, 400.0, 410.0, 420.0])
    monkeypatch.setattr("fathom.cli.progress.time.monotonic", lambda: next(times))
    with progress.shown() as show:
        for done, total in ((0, 30), (30, 30), (30, 50), (40, 50), (50, 50)):
            show("worlds", done, total)
    assert capsys.readouterr().err.splitlines() == [
        "worlds: 0 of 30",
        "worlds: 30 of 30",
        "worlds: 30 of 50",
        "worlds: 40 of 50  about 10 s left",
        "worlds: 50 of 50",
    ]


def test_of_what_nobody_knows_how_much_there_is_only_the_number_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    times = iter([0.0, 5.0, 20.0])
    monkeypatch.setattr("fathom.cli.progress.time.monotonic", lambda: next(times))
    with progress.shown() as show:
        for done in (50, 100, 150):
            show("importing", done, 0)
    assert capsys.readouterr().err.splitlines() == ["importing: 50", "importing: 150"]


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.6, "1 s"), (89, "89 s"), (100, "2 min"), (9000, "2 h 30 min")]
)
def test_times_are_as_short_as_it_is_good_to_know(seconds: float, said: str) -> None:
    assert progress._spoken(seconds) == said


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.shown(quiet=True) as show:
        show("m", 1, 2)
    assert capsys.readouterr().err == ""

"""The command line, called in this process."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from fathom.cli import main


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, and what it wrote to standard output and standard error."""

    code: int
    out: str
    err: str

    def sentence(self) -> str:
        """Return the one sentence of an error, checked for being one, and for exit code 2."""
        assert self.code == 2, f"ended with {self.code}: {self.out}{self.err}"
        assert self.out == ""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("fathom: ")
        assert "Traceback" not in lines[0]
        return lines[0].removeprefix("fathom: ")

    def usage_error(self) -> str:
        """Return the one sentence of an error of usage, checked for saying where help is."""
        said = self.sentence()
        assert re.search(r"; `fathom [a-z ]*--help` says what there is$", said), said
        return said


Fathom = Callable[..., Ended]


@pytest.fixture
def fathom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Fathom:
    """Call the command line with words, and return how it ended."""

    def call(*words: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["fathom", *map(str, words)])
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as e:
            code = e.code if isinstance(e.code, int) else 1
        said = capsys.readouterr()
        return Ended(code, said.out, said.err)

    return call

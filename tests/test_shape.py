"""The project keeps its own shape: sizes as a smell, and documents that name only what there is."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import TypeGuard

import pytest

from fathom import cli
from tests.conftest import COLLECTED

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "fathom"

FILE_LINES, FUNCTION_LINES = 350, 40

LONG: dict[str, str] = {
    "assets/props/*.py": "shapes and postures written down as numbers: tables of data",
    "assets/gltf/schema.py": "records of one file format: tables of data",
    "benchmarks/*/templates.py": "templates of questions: tables of data",
    "benchmarks/seedbench/sentences.py": "the grammar of one benchmark's texts: mostly tables",
    "questions/balance.py": "one method, from pools of answers to the weights of candidates",
    "questions/drafting.py": "one search over one grammar; its parts make sense only together",
    "questions/distractors/sources.py": "one source of wrong options a function, all of one form",
    "questions/contexts/animated.py": "one kind of blank a method, all of one form",
    "programs/operators/selecting.py": "operators that choose one of several objects of a video: one topic",
    "programs/rules.py": "numbers of each kind of scene, each with unit and reason: tables of data",
    "programs/state.py": "one record and what fills it",
    "review/store.py": "every transaction on one file, under one lock",
    "settings.py": "one parser of settings and the listing of what it takes",
    "verify/observed/animation.py": "one record and what fills it",
    "programs/views/still.py:_with_objects": "one table a fact, filled side by side",
    "programs/views/still.py": "one fact a function, all of them of one scene",
    "programs/predicates.py": "one reading of one relation word a function",
    "api/building.py:build_dataset": "every option of the verb by name, and the checks of their values",
    "api/running.py:run_model": "every option of the verb by name, and the plan that they come to",
    "api/running.py:run_study": "every option of the verb by name, and the points that they come to",
    "cli/build.py:build": "every option of the verb, with its help",
    "cli/compare.py:compare": "every option of the verb, with its help",
    "cli/importing.py:import_dataset": "every option of the verb, with its help",
    "cli/review.py:review": "every option of the verb, with its help",
    "cli/run.py:run": "every option of the verb, with its help",
    "cli/study.py:study": "every option of the verb, with its help",
    "geometry/visibility.py:object_visibility": "one pass over pairs of silhouettes fills several tables",
}
"""What is longer than the limits, and why; `*` as in file names."""


def is_explained(name: str) -> bool:
    return any(fnmatch(name, known) or fnmatch(name.partition(":")[0], known) for known in LONG)


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield each function's name and its lines without those of its docstring."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0]
            documented = ast.get_docstring(node, clean=False) is not None
            words = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
            yield node.name, (node.end_lineno or 0) - node.lineno + 1 - words


def sources() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def test_files_are_short_or_have_a_reason() -> None:
    lines = {p.relative_to(SOURCE).as_posix(): p.read_text().count("\n") for p in sources()}
    assert not {f: n for f, n in lines.items() if n > FILE_LINES and not is_explained(f)}


def test_functions_are_short_or_have_a_reason() -> None:
    found = {
        f"{p.relative_to(SOURCE).as_posix()}:{name}": n
        for p in sources()
        for name, n in functions(p)
        if n > FUNCTION_LINES
    }
    whole_files = {known for known in LONG if "*" in known}
    named = {known for known in LONG if ":" in known}
    unexplained = {
        f: n
        for f, n in found.items()
        if f not in named and not any(fnmatch(f.partition(":")[0], w) for w in whole_files)
    }
    assert not unexplained


LARGE = [
    "drjit",
    "matplotlib",
    "mitsuba",
    "pandas",
    "scipy",
    "sklearn",
    "torch",
    "torchvision",
    "transformers",
]


def test_a_list_of_tests_waits_for_no_large_package() -> None:
    """Tests import those where they use them: pytest reads every module before it runs one test."""
    found = set()
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            asked = node.value.args[0] if isinstance(node, ast.Expr) and is_import(node.value) else None
            names += [str(asked.value)] if isinstance(asked, ast.Constant) else []
            found |= {(path.name, n) for n in names if n.partition(".")[0] in LARGE}
    assert not found


def is_import(node: ast.expr) -> TypeGuard[ast.Call]:
    """Is this `pytest.importorskip(…)`, which imports what it looks for? `tests.needed.needs` does not."""
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.importorskip"


def documents() -> list[Path]:
    return [p for p in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))] if p.is_file()]


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words of every fathom command in a document: in blocks of code, and between backticks."""
    blocks = re.findall(r"^```[^\n]*\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    for line in [*lines, *re.findall(r"`(fathom [^`]*)`", text)]:
        if re.match(r"\s*(\$ )?fathom ", line):
            yield shlex.split(line.replace("…", ""), comments=True)[1:]


@pytest.mark.parametrize("document", documents(), ids=lambda p: p.name)
def test_every_command_in_a_document_exists(document: Path) -> None:
    for words in commands(document.read_text(encoding="utf-8")):
        check_command(words)


def check_command(words: list[str]) -> None:
    command = cli.command()
    while words and hasattr(command, "commands"):
        verb = words.pop(0)
        if verb.isupper() or verb.startswith("-"):  # a word that stands for any verb
            return
        assert verb in command.commands, f"there is no fathom {verb}"
        command = command.commands[verb]
    known = {name for p in command.params for name in (*p.opts, *p.secondary_opts)} | {"--help"}
    given = {w.partition("=")[0] for w in words if w.startswith("--")}
    assert given <= known, f"{command.name} does not know {given - known}"


def test_the_readme_shows_the_verbs_from_build_to_report() -> None:
    verbs = [words[0] for words in commands((ROOT / "README.md").read_text(encoding="utf-8"))]
    assert {"build", "run", "score", "report", "check"} <= set(verbs)


@pytest.mark.parametrize("document", documents(), ids=lambda p: p.name)
def test_every_file_that_a_document_links_to_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        if not re.match(r"[a-z]+:", target):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"


def test_every_make_target_in_the_readme_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\S+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), f"there is no make {target}"


def test_pytest_collects_every_file_of_tests(request: pytest.FixtureRequest) -> None:
    """By what it really collected: a folder whose name pytest leaves out goes unnoticed for months."""
    if [Path(a).resolve() for a in request.config.args] != [ROOT / "tests"]:
        pytest.skip("only some of the tests were asked for")
    wanted = {str(p.relative_to(ROOT)) for p in (ROOT / "tests").rglob("test_*.py")}
    collected: set[str] = request.config.stash[COLLECTED]
    assert wanted - collected == set()

"""How the code is built: sizes, engines, cycles, names that stand twice, and what nothing reaches.

    python tools/structure.py            # the figures, and every rule that is broken
    python tools/structure.py --names    # also which names stand twice, and what is reached by nothing
    python tools/structure.py --check    # quiet where no rule is broken; exit code 1 where one is

What is reached is told by names: from the command line and the Python interface on, every definition whose
name stands in a definition that is reached. This finds too little rather than too much.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "fathom"

ENTRIES = ("fathom", "fathom.__main__", "fathom.api", "fathom.cli")
"""Where everything begins: the command line and the Python interface."""

STARTED = (
    "fathom.assets.blender.script",
    "fathom.assets.gltf.decoder_child",
    "fathom.formats.export_inspect_task",
    "fathom.formats.export_lmms_utils",
)
"""What runs elsewhere: in a process of its own, in Blender's Python, in another kit that an export is for."""

BY_NAME = tuple(f"fathom.questions.contexts.animated{n}" for n in ("", "_growths", "_limbs"))
"""Modules whose functions are called by names that stand in templates."""

OUTSIDE = {"find_class", "lemmas", "readinto"}
"""Methods that the standard library or another package calls."""

AWAITED = ("fathom.formats.recordings.", "fathom.scenes.clevr")
"""Readers of recordings and of other kits' scenes, which nothing is built from yet."""

GENERAL = ("benchmarks", "cli", "api")
"""The packages that may name a benchmark; all others are general."""

BENCHMARK_NAMES = re.compile(
    r"\b(4d-?bench|fourdbench|seed-?bench|pulse-?check(457)?|spatial457|sti-?bench|3dsr-?bench|threedsrbench)\b",
    re.IGNORECASE,
)

LIMITS: dict[str, int] = {}
"""Rule → how many breaches there may be at most; 0 where it is not named. A number here only ever falls."""


@dataclass
class Definition:
    """A function, a class or a method: where it stands, and the names in its body.

    What a decorator with arguments enters into a table is reached with its module (`registered`).
    """

    module: str
    name: str
    lines: int
    public: bool
    is_class: bool = False
    registered: bool = False
    uses: set[str] = field(default_factory=set)


@dataclass
class Module:
    """A module: its imports from the project, its definitions, and the names that stand outside of them."""

    name: str
    lines: int
    tree: ast.Module
    imports: set[str] = field(default_factory=set)
    definitions: list[Definition] = field(default_factory=list)
    uses: set[str] = field(default_factory=set)


def module_name(path: Path, source: Path) -> str:
    """Return the dotted name of a file of the source folder."""
    parts = path.relative_to(source.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def names_in(node: ast.AST) -> set[str]:
    """Return the names, attributes, and "module:attribute" texts of a piece of code."""
    found: set[str] = set()
    for n in ast.walk(node):
        if isinstance(n, ast.Name):
            found.add(n.id)
        elif isinstance(n, ast.Attribute):
            found.add(n.attr)
        elif isinstance(n, ast.alias):
            found.add(n.name.rpartition(".")[2])
        elif isinstance(n, ast.keyword) and n.arg:
            found.add(n.arg)
        elif isinstance(n, ast.Constant) and isinstance(n.value, str) and len(n.value) < 200:
            found |= set(re.findall(r"[A-Za-z_]\w*", n.value))
    return found


def _defined(module: Module) -> Iterator[ast.AST]:
    """Fill a module's definitions; yield what stands outside of them."""
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            module.definitions.append(_definition(module.name, node))
        elif isinstance(node, ast.ClassDef):
            rest = _definition(module.name, node, of_class=True)
            module.definitions.append(rest)
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                    if inner.name.startswith("__") or inner.decorator_list:
                        rest.uses |= names_in(inner)
                    else:
                        module.definitions.append(_definition(module.name, inner))
                else:
                    rest.uses |= names_in(inner)
        elif not isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def _definition(
    module: str, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, of_class: bool = False
) -> Definition:
    lines = (node.end_lineno or 0) - node.lineno + 1
    found = Definition(module, node.name, lines, not node.name.startswith("_"), of_class)
    if of_class:
        assert isinstance(node, ast.ClassDef)
        for part in (*node.bases, *node.decorator_list, *node.keywords):
            found.uses |= names_in(part)
    else:
        found.uses = names_in(node)
        found.registered = any(isinstance(d, ast.Call) for d in node.decorator_list)
    return found


def read_modules(source: Path = SOURCE) -> dict[str, Module]:
    """Return every module of the source folder by name."""
    paths = {module_name(p, source): p for p in sorted(source.rglob("*.py"))}
    modules = {}
    for name, path in paths.items():
        text = path.read_text(encoding="utf-8")
        module = Module(name, text.count("\n"), ast.parse(text))
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("fathom"):
                below = {f"{node.module}.{a.name}" for a in node.names}
                module.imports |= (below & set(paths)) or {node.module}
            elif isinstance(node, ast.Import):
                module.imports |= {a.name for a in node.names if a.name in paths}
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                module.imports |= {node.value.partition(":")[0]} & set(paths)
        for rest in _defined(module):
            module.uses |= names_in(rest)
        module.imports.discard(name)
        modules[name] = module
    return modules


def unreached(modules: Mapping[str, Module]) -> list[Definition]:
    """Return the definitions whose names stand in nothing that the command line or the interface reaches."""
    by_name: dict[str, list[Definition]] = defaultdict(list)
    for m in modules.values():
        for d in m.definitions:
            by_name[d.name].append(d)
    entries = (*ENTRIES, *STARTED, *BY_NAME)
    live, names, seen = set(entries), set[str](), set(OUTSIDE)
    live |= {m for m in modules if m.startswith(("fathom.cli.", "fathom.api."))}
    queue: list[str] = []

    def enter(module: str) -> None:
        queue.extend(modules[module].uses)
        queue.extend(n for d in modules[module].definitions if d.registered for n in (d.name, *d.uses))
        # Importing a module runs the packages above it, and what it imports.
        parent = module.rpartition(".")[0]
        for other in {parent} & set(modules) | modules[module].imports:
            if other not in live:
                live.add(other)
                enter(other)

    for module in sorted(live & set(modules)):
        enter(module)
        if module in entries or module.startswith(("fathom.cli.", "fathom.api.")):
            for d in modules[module].definitions:
                queue.extend(d.uses)
                seen.add(d.name)
    while queue:
        name = queue.pop()
        if name in names:
            continue
        names.add(name)
        for d in by_name.get(name, ()):
            if d.module in live:
                queue.extend(d.uses)
    return [
        d
        for m in modules.values()
        for d in m.definitions
        if (d.module not in live or d.name not in names | seen) and not f"{d.module}.".startswith(AWAITED)
    ]


def folder_cycles(modules: Mapping[str, Module]) -> list[tuple[str, ...]]:
    """Return the groups of folders of one package that import one another in a circle."""
    found = []
    packages = sorted({m.rpartition(".")[0] for m in modules if "." in m})
    for package in packages:
        graph: dict[str, set[str]] = defaultdict(set)
        for m in modules.values():
            if not m.name.startswith(package + "."):
                continue
            here = m.name[len(package) + 1 :].split(".")[0]
            for other in m.imports:
                if other.startswith(package + "."):
                    there = other[len(package) + 1 :].split(".")[0]
                    if there != here:
                        graph[here].add(there)
        found += [tuple(f"{package}.{n}" for n in g) for g in _circles(graph)]
    return found


def _circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    reach: dict[str, set[str]] = {}
    for start in graph:
        seen: set[str] = set()
        queue = list(graph[start])
        while queue:
            n = queue.pop()
            if n not in seen:
                seen.add(n)
                queue.extend(graph.get(n, ()))
        reach[start] = seen
    groups = {tuple(sorted(n for n in reach[a] if a in reach.get(n, ()))) for a in graph if a in reach[a]}
    return [list(g) for g in sorted(groups)]


def class_names_twice(modules: Mapping[str, Module]) -> dict[str, list[str]]:
    """Return the public classes that stand in more than one module, with those modules."""
    where: dict[str, list[str]] = defaultdict(list)
    for m in modules.values():
        for d in m.definitions:
            if d.is_class and d.public:
                where[d.name].append(m.name)
    return {name: places for name, places in sorted(where.items()) if len(places) > 1}


def benchmarks_named(modules: Mapping[str, Module]) -> list[str]:
    """Return "module: name" for every benchmark that the code of a general module names."""
    found = []
    for m in modules.values():
        part = m.name.split(".")[1] if "." in m.name else ""
        if part in GENERAL or not part:
            continue
        documented = {id(n.value) for n in ast.walk(m.tree) if isinstance(n, ast.Expr)}
        for n in ast.walk(m.tree):
            if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in documented:
                hit = BENCHMARK_NAMES.search(n.value)
                if hit:
                    found.append(f"{m.name}:{n.lineno}: {hit.group()}")
        found += [f"{m.name}: {i}" for i in m.imports if i.startswith("fathom.benchmarks.")]
    return found


def called_once(modules: Mapping[str, Module]) -> tuple[int, int]:
    """Return how many private functions there are, and how many of them are short and named once."""
    private, small = 0, 0
    for m in modules.values():
        for d in m.definitions:
            if d.public or d.is_class:
                continue
            private += 1
            count = sum(
                (isinstance(n, ast.Name) and n.id == d.name)
                or (isinstance(n, ast.Attribute) and n.attr == d.name)
                for n in ast.walk(m.tree)
            )
            small += count == 1 and d.lines <= 4
    return private, small


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--names", action="store_true", help="print every name, not only how many")
    words.add_argument("--check", action="store_true", help="print only what breaks a rule")
    given = words.parse_args()
    modules = read_modules()
    importers: dict[str, set[str]] = defaultdict(set)
    for m in modules.values():
        for other in m.imports:
            importers[other].add(m.name)
    lost = [d for d in unreached(modules) if not d.name.startswith("__")]
    twice = class_names_twice(modules)
    cycles, named = folder_cycles(modules), benchmarks_named(modules)
    rules = {
        "folders that import one another in a circle": [" <-> ".join(c) for c in cycles],
        "public class names in more than one module": [f"{n}: {', '.join(p)}" for n, p in twice.items()],
        "names of benchmarks in general layers": named,
        "definitions that nothing reaches": [f"{d.module}.{d.name} ({d.lines} lines)" for d in lost],
    }
    if not given.check:
        private, small = called_once(modules)
        once = sum(len(importers[m]) == 1 for m in modules)
        print(f"{sum(m.lines for m in modules.values())} lines in {len(modules)} modules")
        for name in ("Kind", "Operator", "Trace", "Stop", "Plan", "Candidate"):
            count = sum(d.name == name and d.is_class for m in modules.values() for d in m.definitions)
            print(f"{count} classes called {name}")
        print(f"{once} modules are imported by exactly one module")
        print(f"{private} private functions, of which {small} have at most four lines and are named once")
        print(f"{sum(d.lines for d in lost)} lines in definitions that nothing reaches")
    broken = False
    for rule, breaches in rules.items():
        most = LIMITS.get(rule, 0)
        over = len(breaches) > most
        broken = broken or over
        if over or not given.check:
            print(f"{rule}: {len(breaches)}, at most {most}{' <-- too many' if over else ''}")
        if given.names or (over and given.check):
            print("".join(f"    {b}\n" for b in breaches), end="")
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())

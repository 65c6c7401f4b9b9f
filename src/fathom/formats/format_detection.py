"""Which files of a source hold the questions, and in which layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from fathom.formats.import_findings import one_line
from fathom.formats.layouts import Layout
from fathom.formats.rows import SUFFIXES, FileShape, TableRow, read_rows, shape_of
from fathom.formats.sources import Source
from fathom.records import InputError, MissingExtraError

_MAX_FILES = 2000
_COLUMNS_SAID = 12


@dataclass(frozen=True)
class QuestionFile:
    """A file of questions, where it lies on disk, and how it is written."""

    name: str
    path: Path
    layout: Layout
    label: str = ""
    """Its own path, as it is called in messages."""
    columns: str = ""
    """Its columns in words."""


def question_files(source: Source, layouts: Sequence[Layout], wanted: str, work: Path) -> list[QuestionFile]:
    """Return the files that one of the layouts fits, in the order of their names; all of one layout.

    `work` is where members of an archive are put for reading. Raises InputError where no file fits, or where
    it has to be said which of several layouts or files is meant.
    """
    known = [layout for layout in layouts if not wanted or layout.name == wanted]
    if not known:
        names = ", ".join(dict.fromkeys(layout.name for layout in layouts))
        raise InputError(f"--layout {wanted}: there is {names}")
    found: list[tuple[QuestionFile, FileShape]] = []
    passed_over: list[str] = []
    damaged: list[str] = []
    for name in _candidates(source):
        path = _on_disk(source, name, work)
        try:
            shape = shape_of(path, name)
        except MissingExtraError:
            raise
        except (InputError, OSError) as e:
            damaged.append(str(e))
            passed_over.append(str(e))
            continue
        layout = next((layout for layout in known if layout.fits(shape)), None)
        if layout is None:
            columns = columns_in_words(shape)
            passed_over.append(f"{name} with the columns {columns}" if columns else f"{name} without rows")
        else:
            knows = replace(layout.learned(path, name), strict=layout.strict) if layout.learned else layout
            file = QuestionFile(name, path, knows, source.called(name), columns_in_words(shape))
            found.append((file, shape))
    if not found and len(damaged) == len(passed_over) == 1:
        raise InputError(damaged[0])
    if not found:
        raise _none(source, known, passed_over)
    _check_one_layout(source, [file for file, _ in found])
    _check_one_set(source, found)
    return [file for file, _ in found]


def base_of(file: QuestionFile, notes: list[str]) -> int:
    """Return whether the numbers of options in a file count from 0 or from 1, and say it.

    A 0 among the answers says the one, a number as large as there are options says the other; where the
    data have both or neither, the layout's own way is taken.
    """
    number = file.layout.number
    if number is None:
        return file.layout.base
    zero = last = any_number = False
    for row in _rows(file):
        found = number(row)
        if found is None:
            if not any_number and row.ordinal >= 100:
                break  # letters, as nearly always
            continue
        any_number = True
        answer, options = found
        zero |= answer == 0
        last |= bool(options) and answer == options
    if not any_number:
        return file.layout.base
    base = file.layout.base if zero == last else int(last)
    said = "the first is taken for 0" if file.layout.open_tasks else "the benchmark says so"
    why = {
        (True, False): "a 0 is among them, and none is as large as there are options",
        (False, True): "none is 0, and some are as large as there are options",
        (True, True): f"the data have both, and {said}",
        (False, False): f"the data have neither, and {said}",
    }[zero, last]
    notes.append(f"answers count from {base}: {why}")
    return base


def _rows(file: QuestionFile) -> Iterator[TableRow]:
    return (row for row in read_rows(file.path, file.name) if not row.broken)


def _candidates(source: Source) -> list[str]:
    names = [n for n in source.names if PurePosixPath(n).suffix.lower() in SUFFIXES]
    # Tables lie near the top; what lies with thousands of others belongs to the media.
    names.sort(key=lambda n: (n.count("/"), n))
    return sorted(names[:_MAX_FILES])


def _on_disk(source: Source, name: str, work: Path) -> Path:
    path = source.path(name)
    if path is not None:
        return path
    work.mkdir(parents=True, exist_ok=True)
    target = work / f"{len(list(work.iterdir())):04d}{PurePosixPath(name).suffix.lower()}"
    source.copy(name, target)
    return target


def columns_in_words(shape: FileShape) -> str:
    """Return the columns of a file in its order of names, the first twelve and how many more; "" for none."""
    names = sorted(shape.columns)
    more = f" and {len(names) - _COLUMNS_SAID} more" if len(names) > _COLUMNS_SAID else ""
    return one_line(", ".join(names[:_COLUMNS_SAID])) + more


def _none(source: Source, layouts: Sequence[Layout], passed_over: list[str]) -> InputError:
    """Return the refusal of files of which none is one of the benchmark's, with what each layout holds."""
    held: dict[str, list[str]] = {}
    for layout in layouts:
        held.setdefault(layout.holds, []).append(layout.name)
    expected = "; ".join(
        f"{' or '.join(dict.fromkeys(names))}: {holds}" if holds else " or ".join(dict.fromkeys(names))
        for holds, names in held.items()
    )
    found = "; ".join(passed_over[:3]) or f"no file that ends in {', '.join(SUFFIXES)}"
    if len(passed_over) > 3:
        found += f"; and {len(passed_over) - 3} more files"
    return InputError(
        f"{source.label}: expected questions of {layouts[0].benchmark} ({expected}), found {found}; "
        f"{layouts[0].remedy}"
    )


def _check_one_layout(source: Source, files: Sequence[QuestionFile]) -> None:
    by_name: dict[str, str] = {}
    for file in files:
        by_name.setdefault(file.layout.name, file.name)
    if len(by_name) > 1:
        said = ", ".join(f"{layout} ({name})" for layout, name in by_name.items())
        raise InputError(f"{source.label}: holds several layouts: {said}; choose one with --layout")


def _check_one_set(source: Source, found: Sequence[tuple[QuestionFile, FileShape]]) -> None:
    sets: dict[str, str] = {}
    for file, shape in found:
        what = file.layout.same_set(shape)
        if what and what in sets:
            raise InputError(
                f"{source.label}: {sets[what]} and {file.name} hold the same questions ({what}); give one of "
                "the files"
            )
        if what:
            sets[what] = file.name

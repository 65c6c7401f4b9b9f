"""A thousand broken cases for every importer: a dataset with a report, or one sentence; never a traceback."""

from __future__ import annotations

import io
import json
import os
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fathom.api.exchange import formats_of, layouts_named
from fathom.formats.imported_media import Inspection, VideoFacts
from fathom.formats.importing import ImportPlan, import_files
from fathom.formats.run_import import RunImportPlan, import_predictions
from fathom.media.images import inspect_image, mirror_image
from fathom.records import FathomError, InputError
from fathom.store.datasets import open_dataset
from fathom.store.runs import open_run
from fathom.store.seeds import rng
from tests.importing import predicted, shapes
from tests.importing.breaking import Files, as_bytes, broken, workbook

CASES = 1000 if os.environ.get("HYPOTHESIS_PROFILE") == "search" else 400
"""Of each form; `make search` has more."""
EXCEL_CASES = CASES // 4
"""Of VLMEvalKit's predictions in Excel's form, which is slow to read; its other forms have them all."""
VIDEO = b"a video of twelve frames" * 4


def look(path: Path) -> VideoFacts:
    """Look into what stands for a video here: by its first bytes alone, which takes no time."""
    if path.read_bytes()[:12] != VIDEO[:12]:
        raise InputError(f"{path}: expected a video, found something else; fetch it again")
    return VideoFacts(12, 6.0, 32, 24)


def image(data: bytes, where: str) -> tuple[str, int, int]:
    info = inspect_image(data, where)
    return info.mime, info.width, info.height


INSPECT = Inspection(image=image, video=look, mirrored=mirror_image)

Make = Callable[[Path], Path]
DATASETS: dict[str, tuple[str, tuple[Make, ...]]] = {
    "4d-bench": (
        "4d-bench",
        (lambda f: shapes.fourd(f, VIDEO), lambda f: shapes.fourd_captions(f, VIDEO)),
    ),
    "seed-bench": ("seed-bench", (lambda f: shapes.seed(f, VIDEO), shapes.seed2)),
    "pulsecheck457": ("pulsecheck457", (shapes.spatial457,)),
    "sti-bench": ("sti-bench", (lambda f: shapes.sti(f, VIDEO),)),
    "3dsrbench": ("3dsrbench", (shapes.threed,)),
    "vlmevalkit": (
        "3dsrbench",
        (shapes.threed_kit, lambda f: shapes.threed_kit(f, circular=True)),
    ),
    "vlmevalkit videos": ("sti-bench", (lambda f: shapes.sti_kit(f, VIDEO),)),
    "lmms-eval": (
        "seed-bench",
        (lambda f: shapes.parquet(f / "data" / "test-00000.parquet", shapes.lmms_rows()).parent.parent,),
    ),
}
QUESTIONS = (".json", ".csv", ".tsv", ".parquet")


@pytest.fixture(autouse=True)
def _no_waiting_for_disks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda handle: None)


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Path]:
    """A folder that costs little to fill and empty: in memory, where the machine has such a place."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(dir=memory)) if os.access(memory, os.W_OK) else tmp_path
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def taken(folder: Path) -> Files:
    found = {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    shutil.rmtree(folder)
    return found


class Input:
    """A folder whose files are written only where they differ from those of the case before."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._there: Files = {}

    def put(self, files: Files) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in self._there.keys() - files.keys():
            (self.folder / name).unlink()
        for name, data in files.items():
            if self._there.get(name) != data:
                path = self.folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        self._there = files


def check_sentence(error: FathomError, folder: Path) -> None:
    said = str(error)
    assert "\n" not in said, said
    assert "; " in said, f"no remedy: {said}"
    places = (".json", ".tsv", ".csv", ".parquet", ".xlsx", str(folder))
    assert any(place in said for place in places), f"no place: {said}"


@pytest.mark.parametrize("importer", list(DATASETS))
def test_broken_files_become_a_dataset_with_a_report_or_one_sentence(importer: str, quick: Path) -> None:
    benchmark, makes = DATASETS[importer]
    layouts = layouts_named(benchmark)
    starts = [taken(make(quick / "start")) for make in makes]
    imported, given = 0, [Input(quick / f"in{i}") for i in range(len(starts))]
    for case in range(CASES):
        files = starts[case % len(starts)]
        questions = tuple(sorted(n for n in files if n.endswith(QUESTIONS) and "scenes" not in n))
        folder = given[case % len(starts)]
        folder.put(broken(files, questions, rng("fuzz", importer, case)))
        out = quick / "out"
        shutil.rmtree(out, ignore_errors=True)
        try:
            report = import_files(ImportPlan(folder.folder, out, layouts, INSPECT), lambda *said: None)
        except FathomError as e:
            check_sentence(e, quick)
            continue
        except Exception as e:
            raise AssertionError(f"{importer}, case {case}: {e!r}") from e
        imported += 1
        dataset = open_dataset(out)
        assert sum(1 for _ in dataset.questions()) == report.imported > 0
        assert report.read == report.imported + report.folded + report.left_out
        assert (out / "import.json").is_file() and not (out / ".importing").exists()
    assert imported > CASES / 5, "the cases are so broken that they say nothing of mending"


@pytest.mark.parametrize("form", predicted.FORMS)
def test_broken_predictions_become_a_run_with_a_report_or_one_sentence(form: str, quick: Path) -> None:
    dataset, files, columns = predicted.start(form, quick, INSPECT, VIDEO)
    opened = open_dataset(dataset)
    asked, own = [q.id for q in opened.questions()], formats_of(opened.manifest.benchmark)
    imported, given = 0, Input(quick / "in")
    cases = EXCEL_CASES if form.endswith("xlsx") else CASES
    for case in range(cases):
        given.put(broken(files, tuple(files), rng("fuzz", "run", form, case)))
        out = quick / "run"
        shutil.rmtree(out, ignore_errors=True)
        path = quick / "in" if len(files) > 1 else quick / "in" / next(iter(files))
        try:
            report = import_predictions(
                RunImportPlan(opened, path, out, columns=columns, model="m", formats=own), lambda *said: None
            )
        except FathomError as e:
            check_sentence(e, quick)
            continue
        except Exception as e:
            raise AssertionError(f"{form}, case {case}: {e!r}") from e
        imported += 1
        responses = list(open_run(out).responses())
        assert {r.question for r in responses} == set(asked), "every question has an answer or a failure"
        assert report.read == report.imported + report.left_out
        assert sum(r.status == "ok" for r in responses) <= report.imported
    assert imported > cases / 5


def test_the_generator_breaks_the_same_way_again() -> None:
    files: Files = {"a.json": json.dumps([{"question": "x", "n": i} for i in range(9)]).encode()}
    twice = [[broken(files, ("a.json",), rng("fuzz", case)) for case in range(50)] for _ in range(2)]
    assert twice[0] == twice[1]
    assert sum(one != files for one in twice[0]) > 40
    assert workbook([{"a": 1}])


@pytest.mark.parametrize("name", ["in.zip", "in.tar", "in.tar.gz"])
def test_broken_archives_become_a_dataset_with_a_report_or_one_sentence(name: str, quick: Path) -> None:
    pack = packed(shapes.spatial457(quick / "start"), name)
    layouts = layouts_named("pulsecheck457")
    for case in range(CASES // 3 + 1):
        chance = rng("fuzz", name, case)
        data = bytearray(pack)
        for _ in range(int(chance.integers(1, 20))):
            data[int(chance.integers(len(data)))] = int(chance.integers(256))
        path = quick / name
        path.write_bytes(as_bytes(bytes(data), chance) if chance.random() < 0.3 else data)
        out = quick / "out"
        shutil.rmtree(out, ignore_errors=True)
        try:
            report = import_files(ImportPlan(path, out, layouts, INSPECT), lambda *said: None)
        except FathomError as e:
            assert "\n" not in str(e) and "; " in str(e), str(e)
        except Exception as e:
            raise AssertionError(f"{name}, case {case}: {e!r}") from e
        else:
            assert sum(1 for _ in open_dataset(out).questions()) == report.imported
        assert not (out / ".importing").exists()


def packed(folder: Path, name: str) -> bytes:
    out = io.BytesIO()
    if name.endswith("zip"):
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(p for p in folder.rglob("*") if p.is_file()):
                archive.write(file, file.relative_to(folder).as_posix())
    else:
        with tarfile.open(fileobj=out, mode="w:gz" if name.endswith("gz") else "w") as tar:
            tar.add(folder, arcname=".")
    return out.getvalue()

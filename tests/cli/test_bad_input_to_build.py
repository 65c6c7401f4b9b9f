"""Whatever is wrong with what `fathom build` is given: one clear sentence, exit code 2, nothing torn."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fathom.datasets.generators.stills import StillSettings
from fathom.datasets.pipeline import build
from fathom.datasets.plan import DatasetPlan
from fathom.datasets.registry import GENERATORS
from fathom.records import InputError, UnfitError
from fathom.scenes.scatter_settings import Scatter
from fathom.settings import MOVED
from fathom.store.datasets import open_dataset
from fathom.store.files import write_bytes, write_text
from tests.cli.conftest import Fathom
from tests.datasets.killing import check_equal, contents

BUILD = ("build", "pulsecheck457", "--renderer", "none", "--workers", "1", "--quiet")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        (
            "seedbench",
            "'seedbench': no such benchmark; did you mean seed-bench? There is 4d-bench, seed-bench, ",
        ),
        ("unheard", "'unheard': no such benchmark; there is 4d-bench, "),
        ("jsonl", "jsonl: can be imported and run, but not built"),
        ("no.such:THING", "'no.such:THING': cannot be imported (No module named 'no'); check the module"),
        (":THING", "':THING': cannot be imported (Empty module name); check the module"),
        ("os.path:nothing", "'os.path:nothing': cannot be imported (module 'posixpath' has no attribute"),
        ("os.path:sep", "'os.path:sep': expected a fathom.records.Benchmark, found a str"),
    ],
)
def test_a_benchmark_that_there_is_not(fathom: Fathom, tmp_path: Path, name: str, said: str) -> None:
    out = tmp_path / "d"
    assert fathom("build", name, "--out", out).sentence().startswith(said)
    assert not out.exists()


@pytest.mark.parametrize(
    ("option", "known"),
    [
        (("--set", "rules=best"), "fathom, paper"),
        (("--renderer", "best"), "mitsuba"),
        (("--quality", "best"), "preview, final"),
    ],
)
def test_a_setting_that_there_is_not(
    fathom: Fathom, tmp_path: Path, option: tuple[str, str], known: str
) -> None:
    out = tmp_path / "d"
    sentence = fathom("build", "pulsecheck457", "--out", out, *option).sentence()
    assert "best" in sentence
    assert known in sentence
    assert not out.exists()


@pytest.mark.parametrize("option", sorted(MOVED))
def test_an_option_that_is_a_setting_now_says_which(fathom: Fathom, tmp_path: Path, option: str) -> None:
    sentence = fathom(*BUILD, "--out", tmp_path / "d", f"--{option}", "x").sentence()
    assert f"--{option}: is a setting now; use --set {MOVED[option]}=VALUE" in sentence


def test_an_option_that_was_renamed_says_its_name_of_today(fathom: Fathom, tmp_path: Path) -> None:
    words = (
        "curate",
        "train",
        tmp_path,
        "--clip",
        tmp_path,
        "--out",
        tmp_path / "f",
        "--verdicts",
        "v.jsonl",
    )
    assert "--clip: is called --clip-model now" in fathom(*words).sentence()


def test_the_help_of_a_benchmark_lists_its_settings_and_no_others(fathom: Fathom) -> None:
    still, videos = (fathom("build", name, "--help").out for name in ("pulsecheck457", "sti-bench"))
    assert "Settings of pulsecheck457" in still and "focal_px=700" in still and "[number in pixels]" in still
    assert "desktop.most=10" not in still and "desktop.most=10" in videos and "rules=fathom" not in videos


@pytest.mark.parametrize("scenes", ["0", "-3", "many"])
def test_a_number_of_scenes_that_is_none(fathom: Fathom, tmp_path: Path, scenes: str) -> None:
    said = fathom(*BUILD, "--out", tmp_path / "d", "--scenes", scenes).usage_error()
    assert "--scenes" in said and "Input should" not in said
    assert scenes != "many" or "expected a whole number, found 'many'" in said
    assert not (tmp_path / "d").exists()


def test_a_seed_that_is_a_training_splits(fathom: Fathom, tmp_path: Path) -> None:
    sentence = fathom(*BUILD, "--out", tmp_path / "d", "--seed", "0/train").sentence()
    assert sentence.startswith("--seed 0/train: ")
    assert not (tmp_path / "d").exists()


def test_a_folder_that_holds_something_else(fathom: Fathom, tmp_path: Path) -> None:
    write_text(tmp_path / "thesis.tex", "")
    sentence = fathom(*BUILD, "--out", tmp_path).sentence()
    assert sentence == f"{tmp_path}: is not empty, and not a dataset; choose another folder with --out"
    assert contents(tmp_path) == ["thesis.tex"]


def test_a_file_where_the_folder_should_be(fathom: Fathom, tmp_path: Path) -> None:
    write_text(tmp_path / "d", "text")
    assert "is a file" in fathom(*BUILD, "--out", tmp_path / "d").usage_error()
    with pytest.raises(InputError, match="expected a folder, found a file"):
        build(_plan(tmp_path / "d", Scatter()))


def test_a_file_above_the_folder(fathom: Fathom, tmp_path: Path) -> None:
    write_text(tmp_path / "file", "text")
    sentence = fathom(*BUILD, "--out", tmp_path / "file" / "d").sentence()
    assert "cannot be written (Not a directory)" in sentence


def test_another_build_in_the_folder(fathom: Fathom, small_dataset: Path) -> None:
    sentence = fathom(*BUILD, "--out", small_dataset, "--scenes", "4", "--seed", "8").sentence()
    assert "holds another build (seed 'walk' there, '8' wanted)" in sentence
    sentence = fathom(*BUILD, "--out", small_dataset, "--scenes", "5", "--seed", "walk").sentence()
    assert "holds another build (scenes 4 there, 5 wanted)" in sentence
    assert "give the same arguments to carry it on, or another folder with --out" in sentence


def test_a_run_in_the_folder(fathom: Fathom, small_dataset: Path, tmp_path: Path) -> None:
    assert fathom("run", small_dataset, "--model", "random", "--out", tmp_path / "r", "--quiet").code == 0
    sentence = fathom(*BUILD, "--out", tmp_path / "r").sentence()
    assert "holds another build (kind 'run' there, 'dataset' wanted)" in sentence


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("12\nnorth\n", "expected headings in degrees, one a line; found could not convert string to float"),
        ("", "expected headings in degrees, one a line; found none"),
        ("1\ninf\n", "expected headings in degrees, one a line; found none, or one not finite"),
    ],
)
def test_a_file_of_headings_that_is_none(fathom: Fathom, tmp_path: Path, text: str, said: str) -> None:
    """Said before anything is built: it is only needed at the very end."""
    file = tmp_path / "nuscenes.txt"
    write_text(file, text)
    out = tmp_path / "d"
    assert (
        fathom(*BUILD, "--out", out, "--set", f"reference_headings={file}")
        .sentence()
        .startswith(f"{file}: {said}")
    )
    assert not out.exists()


def test_a_file_of_headings_that_is_not_there(fathom: Fathom, tmp_path: Path) -> None:
    out = tmp_path / "d"
    sentence = fathom(*BUILD, "--out", out, "--set", f"reference_headings={tmp_path / 'no.txt'}").sentence()
    assert sentence.startswith(f"{tmp_path / 'no.txt'}: expected a text file of headings in degrees")
    assert not out.exists()


def test_light_probes_that_are_none(fathom: Fathom, tmp_path: Path) -> None:
    out, folder = tmp_path / "d", tmp_path / "probes"
    words = (*BUILD, "--out", out, "--set", f"environment={folder}")
    assert fathom(*words).sentence().startswith(f"{folder}: expected a folder of light probes")
    folder.mkdir()
    assert "but it holds none" in fathom(*words).sentence()
    write_bytes(folder / "sunset.hdr", b"\x89PNG and not a light probe")
    assert "sunset.hdr" in fathom(*words).sentence()
    write_bytes(folder / "sunset.hdr", b"")
    assert "sunset.hdr" in fathom(*words).sentence()
    assert not out.exists()


def test_a_folder_of_models_without_one_that_can_be_used(fathom: Fathom, tmp_path: Path) -> None:
    out, folder = tmp_path / "d", tmp_path / "models"
    words = (*BUILD, "--out", out, "--assets", folder)
    assert str(folder) in fathom(*words).sentence()
    write_text(folder / "readme.txt", "no models here")
    assert str(folder) in fathom(*words).sentence()
    assert not out.exists()


def test_a_world_that_no_scene_can_be(tmp_path: Path) -> None:
    crowded = Scatter(fewest=10, half_extent_m=0.5, tries=2)
    plan = _plan(tmp_path / "d", crowded)
    with pytest.raises(UnfitError, match="scene-000000: 10 objects of these sizes would cover"):
        build(plan, workers=1)
    with pytest.raises(InputError, match="the dataset is unfinished"):
        open_dataset(plan.out)


def test_scenes_of_which_nothing_can_be_asked(tmp_path: Path) -> None:
    plan = _plan(tmp_path / "d", Scatter(fewest=1, most=1))
    with pytest.raises(UnfitError, match="not one question could be asked of 1 scenes"):
        build(plan, workers=1)
    with pytest.raises(InputError, match="the dataset is unfinished"):
        open_dataset(plan.out)


def _plan(out: Path, world: Scatter) -> DatasetPlan[StillSettings]:
    recipe, own = "fathom.benchmarks.pulsecheck457.construction:recipe", StillSettings(world=world)
    made_by = GENERATORS["stills"]
    return DatasetPlan(out, "pulsecheck457", "1", made_by, recipe, 1, "0", own, renderer="none")


def test_a_strict_build_that_keeps_a_promise_not_says_which_and_where(
    fathom: Fathom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The smallest chance that still passes for uniform is raised until nothing passes."""
    monkeypatch.setattr("fathom.datasets.generators.stills_checks.UNIFORM_FROM_P", 2.0)
    out = tmp_path / "d"
    words = (*BUILD, "--out", out, "--scenes", "2")
    sentence = fathom(*words, "--strict").sentence()
    assert "these checks are not met: " in sentence
    assert "attributes and headings are uniform" in sentence
    assert (out / "checks.json").is_file()
    with pytest.raises(InputError, match="the dataset is unfinished"):
        open_dataset(out)
    assert fathom(*words).code == 0
    assert open_dataset(out).manifest.complete


def test_a_full_disk_ends_a_build_with_2_and_it_carries_on(small_dataset: Path, tmp_path: Path) -> None:
    """The limit on the size of a file stands in for a disk that is full."""
    resource = pytest.importorskip("resource", reason="limits are Unix's")
    out = tmp_path / "dataset"
    words = (*BUILD, "--out", str(out), "--scenes", "4", "--seed", "walk")
    code = (
        "import resource, sys; from fathom.cli import main; "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, resource.RLIM_INFINITY)); main()"
    )
    assert resource.RLIMIT_FSIZE >= 0
    full = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert full.returncode == 2, full.stderr
    assert full.stderr.count("\n") == 1
    assert "could not be written (File too large); free some space" in full.stderr
    with pytest.raises(InputError, match="the dataset is unfinished"):
        open_dataset(out)
    assert not list(out.rglob("*.part"))
    subprocess.run([sys.executable, "-m", "fathom.cli", *words], check=True, stdout=subprocess.DEVNULL)
    check_equal(open_dataset(small_dataset), out)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own of 300 kB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "none", str(place)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a disk of its own cannot be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_disk_that_is_full_and_then_one_that_cannot_be_written(fathom: Fathom, tiny_disk: Path) -> None:
    words = (*BUILD, "--out", tiny_disk / "d", "--scenes", "8")
    sentence = fathom(*words).sentence()
    assert "could not be written (No space left on device); free some space" in sentence
    assert not list(tiny_disk.rglob("*.part"))
    with pytest.raises(InputError, match="the dataset is unfinished"):
        open_dataset(tiny_disk / "d")
    subprocess.run(["mount", "-o", "remount,ro", str(tiny_disk)], check=True)
    assert "cannot be written (Read-only file system)" in fathom(*words).sentence()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written(fathom: Fathom, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "cannot be written (Permission denied)" in fathom(*BUILD, "--out", tmp_path / "d").sentence()

"""A build of films: the same bytes however it was made, and a dataset that is run and scored as any other."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from fathom import api
from fathom.curation.curate import Curation
from fathom.curation.measuring import MeasuredObject
from fathom.records import Manifest, Verdict
from fathom.store.datasets import MANIFEST, open_dataset
from fathom.store.files import read_json, read_jsonl, write_jsonl
from fathom.store.locks import FolderLock
from fathom.store.seeds import digest
from tests.builds import contents, killed
from tests.cli.conftest import Fathom
from tests.films_built.conftest import SEED
from tests.films_built.made import SET, SMALL

BUILD = ("build", "4d-bench", "--renderer", "none", "--quiet", "--scenes", "3", "--seed", SEED, *SET)


OTHER = "3"
"""The seed of what a prior learns from."""


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="kills need process groups")
def test_a_build_killed_again_and_again_with_two_workers_gives_the_bytes_of_one(
    films: Path, tmp_path: Path
) -> None:
    out = tmp_path / films.name
    assert killed(BUILD, out, "work/drawn/*.json", 1)
    assert killed(BUILD, out, "work/observed/*.json", 2)
    assert killed(BUILD, out, "work/proved/*.json", 1)
    assert not read_json(out / MANIFEST, Manifest).complete
    api.build_dataset("4d-bench", out, scenes=3, seed=SEED, renderer="none", settings=SMALL, workers=2)
    assert contents(out) == contents(films)


def test_everything_that_was_drawn_is_measured_and_shown(films: Path) -> None:
    found = read_json(films / "curation.json", Curation)
    measured = list(read_jsonl(films / "measured.jsonl", MeasuredObject))
    assert len(measured) == 3
    assert {m.name for m in measured} == {*found.kept, *(d.name for d in found.dropped)}
    assert {p.stem for p in (films / "previews").glob("*.png")} == {m.name for m in measured}
    assert [s.id for s in open_dataset(films).scenes()] == [m.name for m in measured if m.name in found.kept]
    assert all((films / "figures" / f"composition.{kind}").is_file() for kind in ("svg", "pdf", "png"))
    steps = found.agreement[0]
    assert steps.true > 0
    assert (steps.precision or 0) > 0.9
    assert (steps.recall or 0) > 0.9


def test_the_same_command_again_changes_nothing_and_another_one_is_refused(
    fathom: Fathom, films: Path
) -> None:
    before = contents(films)
    assert fathom(*BUILD, "--out", films).code == 0
    assert (
        "holds another build (scenes 3 there, 4 wanted)"
        in fathom(*BUILD[:6], "4", *BUILD[7:], "--out", films).sentence()
    )
    assert (
        "(curate 'on' there, 'off' wanted)"
        in fathom(*BUILD, "--set", "curate=off", "--out", films).sentence()
    )
    said = fathom(*BUILD, "--set", "curate.most=1", "--out", films).sentence()
    assert "(curate.most 0 there, 1 wanted)" in said
    assert contents(films) == before


def test_a_second_build_of_a_folder_is_refused_while_the_first_goes_on(
    fathom: Fathom, tmp_path: Path
) -> None:
    with FolderLock(tmp_path / "d" / "work" / "lock", "dataset"):
        assert "is writing this dataset now" in fathom(*BUILD, "--out", tmp_path / "d").sentence()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--set", "curate=perhaps"), "--set curate=perhaps: expected on, off or curate.NAME=VALUE"),
        (("--set", "curate.most=many"), "curate.most=many: expected a whole number of at least 0"),
        (
            ("--set", "curate.floors.beauty=3"),
            "there is no setting 'curate.floors.beauty' of films of animated objects; there are questions",
        ),
        (
            ("--set", "beauty=3"),
            "there is no setting 'beauty' of films of animated objects; there are questions, shown, films",
        ),
        (("--set", "film=3"), "there is no setting 'film' of films of animated objects; did you mean films?"),
        (("--environment", "sunset.json"), "--environment: is a setting now; use --set environment=VALUE"),
        (("--set", "quality_filter=x"), "--set quality_filter and clip_model: expected both or none"),
        (("--set", "verdicts=none.jsonl"), "none.jsonl: the verdicts cannot be read"),
        (("--set", "lexicon=none.json"), "none.json: the lexicon cannot be read"),
        (("--assets", "nowhere"), "nowhere: expected a folder of animated models"),
        (("--set", "questions=31"), "--set questions: expected a number from 0 to 30, found 31"),
        (("--set", "shown=everything"), "--set shown=everything: there is protocol, studies"),
    ],
)
def test_what_there_is_not_is_said_before_anything_is_built(
    fathom: Fathom, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    assert said in fathom(*BUILD, *words, "--out", tmp_path / "d").sentence()
    assert not (tmp_path / "d").exists()


def test_curations_words_are_for_films_alone(fathom: Fathom, tmp_path: Path) -> None:
    sentence = fathom("build", "pulsecheck457", "--out", tmp_path / "d", "--set", "lexicon=x.json").sentence()
    assert "--set lexicon=x.json: is for films of animated objects, and pulsecheck457 has none" in sentence


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Three films of another seed, of which people rejected one and one is left over, and what was said."""
    folder = tmp_path_factory.mktemp("judged")
    first = digest(OTHER, "story", 0).hex()[:32]
    decided = [
        Verdict(question=first, reviewer="ana", decision="reject", reason="dull"),
        Verdict(question="f" * 32, reviewer="ana", decision="keep"),
    ]
    write_jsonl(folder / "verdicts.jsonl", decided)
    settings = {**SMALL, "curate.most": "1", "verdicts": folder / "verdicts.jsonl"}
    checks = api.build_dataset(
        "4d-bench", folder / "films", scenes=3, seed=OTHER, renderer="none", settings=settings, workers=1,
    )  # fmt: skip
    return folder / "films", str(checks)


def test_verdicts_and_a_smaller_mix_take_objects_out_and_say_so(judged: tuple[Path, str]) -> None:
    out, said = judged
    found = read_json(out / "curation.json", Curation)
    stages = {d.name: d.stage for d in found.dropped}
    assert stages[digest(OTHER, "story", 0).hex()[:32]] == "verdict"
    assert sorted(stages.values()) == ["balance", "verdict"]
    assert "rejected by 1 (ana: dull)" in said
    assert f"{'f' * 32}: a verdict on it, but there is no such object" in said
    assert [s.id for s in open_dataset(out).scenes()] == list(found.kept)
    assert len(list((out / "truth").iterdir())) == 1
    assert len(list((out / "previews").iterdir())) == 3


def test_a_built_set_is_run_and_scored(
    fathom: Fathom, films: Path, judged: tuple[Path, str], tmp_path: Path
) -> None:
    for model in ("random", f"prior:{judged[0]}", "oracle"):
        run = tmp_path / model.partition(":")[0]
        assert fathom("run", films, "--model", model, "--out", run, "--quiet").code == 0
        said = fathom("score", run)
        assert said.code == 0
    every = tmp_path / "every"
    shown = ("--set", "views=6", "--set", "frames=24")
    assert fathom("run", films, "--model", "oracle", "--out", every, *shown, "--quiet").code == 0
    assert re.search(r"All questions +100\.0", fathom("score", every).out)


def test_a_damaged_part_is_named(fathom: Fathom, films: Path, tmp_path: Path) -> None:
    out = tmp_path / films.name
    shutil.copytree(films, out)
    (out / "measured.jsonl").write_bytes(b"")
    with pytest.raises(Exception, match=r"measured\.jsonl: was changed"):
        open_dataset(out).verify()

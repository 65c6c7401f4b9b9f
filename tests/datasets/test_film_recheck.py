"""`fathom check` of films: every answer again, from the stored play and from the stored cells."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from fathom import api
from fathom.api.building import Checked
from fathom.authoring.captions.book import FILE as BOOK
from fathom.authoring.captions.book import CaptionBook
from fathom.authoring.captions.claims import Caption
from fathom.cli import main
from fathom.datasets.findings import Checks
from fathom.datasets.generator import NO_MODELS
from fathom.datasets.generators.animated_proofs import VISIBILITY_FOLDER, from_the_cells
from fathom.datasets.generators.animated_settings import library_of
from fathom.datasets.parts import CHECKS, UNTRUE
from fathom.datasets.recheck import CAPTIONS
from fathom.records import DataError, InputError, Manifest, Question, UnfitError
from fathom.scenes import animated_scenes
from fathom.store.datasets import MANIFEST, open_dataset
from fathom.store.files import read_json, write_json
from tests.datasets.test_recheck import edit_questions, forge_manifest

SMALL = {
    "stage": "props",
    "views": "6",
    "frames": "24",
    "size_px": "192",
    "truth_step": "1",
    "curate": "off",
}


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole dataset of two small films that nobody painted."""
    out = tmp_path_factory.mktemp("films") / "dataset"
    api.build_dataset("4d-bench", out, scenes=2, seed="walk", renderer="none", workers=1, settings=SMALL)
    return out


@pytest.fixture(scope="module")
def fresh(films: Path) -> Checked:
    """What a check of it says."""
    return api.check_dataset(films, blind=False)


@pytest.fixture
def copied(films: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return Path(shutil.copytree(films, tmp_path / "dataset"))


def decided(folder: Path) -> Question:
    """A question of which the cells are enough."""
    dataset = open_dataset(folder)
    for q in dataset.questions():
        scene = dataset.scene(q.scene)
        if q.program and from_the_cells(dataset, scene, [q], library_of(None)) == [q.answer]:
            return q
    raise AssertionError("the cells decide nothing")


def rows(text: str, which: str) -> list[list[str]]:
    """The numbers of each row of a derivation."""
    return [line.split(which)[1].split() for line in text.splitlines() if which in line]


def test_fresh_films_pass_and_every_answer_is_derived_twice(films: Path, fresh: Checked) -> None:
    assert fresh.passed
    asked = sum(bool(q.program) for q in open_dataset(films).questions())
    for which in ("from the scene", "from the pixels"):
        agree, disagree, undecided, no_scene = (
            sum(map(int, c)) for c in zip(*rows(fresh.text, which), strict=True)
        )
        assert (agree + undecided, disagree, no_scene) == (asked, 0, 0)
    assert "of 2 objects captions are asked" in fresh.text


def test_a_planted_answer_is_found_by_both_derivations(
    copied: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    q = decided(copied)
    wrong = next(c for c in q.choices if c != q.answer)
    edit_questions(copied, lambda x: msgspec.structs.replace(x, answer=wrong) if x.id == q.id else x)
    forge_manifest(copied)
    monkeypatch.setattr(sys, "argv", ["fathom", "check", str(copied), "--no-blind", "--quiet"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    text = capsys.readouterr().out
    for which in ("from the scene", "from the pixels"):
        assert f"{q.id}: the answer is {wrong!r}, and {q.answer!r} {which}" in text
        assert sum(int(r[1]) for r in rows(text, f", {which} ")) == 1


def test_a_play_that_was_changed_is_found(copied: Path) -> None:
    visibility = next((copied / VISIBILITY_FOLDER).iterdir())
    visibility.write_bytes(visibility.read_bytes() + b" ")
    with pytest.raises(DataError, match=f"{visibility.name}: was changed after the dataset was made"):
        api.check_dataset(copied)


def test_without_the_models_the_play_alone_answers(copied: Path) -> None:
    manifest = read_json(copied / MANIFEST, Manifest)
    others = dict.fromkeys(manifest.inputs, "0" * 64)
    write_json(copied / MANIFEST, msgspec.structs.replace(manifest, inputs=others))
    found = api.check_dataset(copied, blind=False)
    assert found.passed
    assert NO_MODELS in found.text
    assert "name their folder with --assets" in found.text
    assert sum(int(r[0]) for r in rows(found.text, "from the pixels")) == 0


def test_other_models_than_those_of_the_films_are_refused(films: Path, assets_folder: Path) -> None:
    with pytest.raises(InputError, match=r"the model .* of the dataset .* is not there"):
        api.check_dataset(films, blind=False, assets=assets_folder / "animated")


def test_the_second_check_of_captions_is_a_row_of_the_build_and_of_the_check(
    films: Path, fresh: Checked
) -> None:
    checks = read_json(films / CHECKS, Checks)
    table = next(t for t in checks.tables if t.title == "Second derivation")
    assert next(r for r in table.rows if r[0] == "captions") == ("captions", "10", "0", "0")
    assert [v.passed for v in checks.verdicts if v.name == "every caption is true"] == [True]
    assert [r[:3] for r in rows(fresh.text, CAPTIONS)] == [["10", "0", "0"]]


def test_a_caption_that_is_no_longer_true_is_found(copied: Path) -> None:
    def lied(q: Question) -> Question:
        texts = tuple(t.replace(".", " backward.") if k == 0 else t for k, t in enumerate(q.references))
        return msgspec.structs.replace(q, references=texts) if q.task == "caption" else q

    edit_questions(copied, lied)
    forge_manifest(copied)
    found = api.check_dataset(copied, blind=False)
    assert not found.passed
    assert [r[:2] for r in rows(found.text, CAPTIONS)] == [["8", "2"]]
    assert "nothing says what it claims" in found.text


def rewritten(folder: Path, change: Callable[[Caption], Caption]) -> None:
    """Change captions with their claims, and the references that say them."""
    book = read_json(folder / BOOK, CaptionBook)
    new = {(c.object, c.text): change(c) for c in book.captions}
    write_json(folder / BOOK, msgspec.structs.replace(book, captions=tuple(new.values())))

    def said(q: Question) -> Question:
        texts = tuple(new[q.scene, t].text if (q.scene, t) in new else t for t in q.references)
        return msgspec.structs.replace(q, references=texts)

    edit_questions(folder, said)
    forge_manifest(folder)


@pytest.mark.parametrize(
    ("kind", "lie"), [("noun", "unicorn"), ("does", "yodel"), ("group", "kiosk"), ("of nobody", "")]
)
def test_a_lie_that_a_caption_also_claims_is_found(copied: Path, kind: str, lie: str) -> None:
    done: list[str] = []

    def lied(caption: Caption) -> Caption:
        for k, claim in enumerate(caption.claims):
            if done or claim.kind not in (kind, "noun" if kind == "of nobody" else kind):
                continue
            done.append(caption.text)
            wrong = msgspec.structs.replace(claim, words=(lie, *claim.words[1:])) if lie else None
            wrong = wrong or msgspec.structs.replace(claim, objects=("nobody",))
            claims = (*caption.claims[:k], wrong, *caption.claims[k + 1 :])
            return msgspec.structs.replace(caption, text=caption.text, claims=claims)
        return caption

    rewritten(copied, lied)
    assert done
    found = api.check_dataset(copied, blind=False)
    assert not found.passed
    assert [r[:2] for r in rows(found.text, CAPTIONS)] == [["9", "1"]]


def test_a_dataset_from_before_claims_were_kept_is_still_checked(copied: Path) -> None:
    manifest = read_json(copied / MANIFEST, Manifest)
    (copied / BOOK).unlink()
    files = {k: v for k, v in manifest.files.items() if k != BOOK}
    write_json(copied / MANIFEST, msgspec.structs.replace(manifest, files=files))
    found = api.check_dataset(copied, blind=False)
    assert found.passed
    assert [r[:3] for r in rows(found.text, CAPTIONS)] == [["0", "0", "10"]]


def test_a_build_stops_where_its_captions_are_not_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A fault that gives actors a color that they do not have: only the pictures can tell.
    monkeypatch.setattr(animated_scenes, "whole_color", lambda asset, colors: "purple")
    with pytest.raises(UnfitError, match=r"second check of captions disagrees \(color 'purple' .* is not so"):
        api.build_dataset(
            "4d-bench", tmp_path / "out", scenes=2, seed="walk", renderer="none", workers=1, settings=SMALL
        )
    assert (tmp_path / "out" / UNTRUE).is_file()

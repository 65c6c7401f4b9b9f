"""The study of encoders: several models in one table, told apart by labels, beside the published rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fathom import api
from fathom.benchmarks.threedsrbench.paper import ENCODERS
from fathom.benchmarks.threedsrbench.studies import MODEL_STUDIES
from fathom.records import InputError
from fathom.scoring.model_study import read_models
from tests.cli.conftest import Fathom
from tests.cli.conftest import fathom as run_fathom
from tests.hf.conftest import one_thread
from tests.wiring.made import MAKERS

__all__ = ["one_thread", "run_fathom"]

STUDY = MODEL_STUDIES[0]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return MAKERS["3dsrbench"](tmp_path_factory.mktemp("encoders") / "set")


def models_at(path: Path, *rows: str) -> Path:
    path.write_text("\n".join(("name,model,vision,connector", *rows)) + "\n", encoding="utf-8")
    return path


def test_rows_of_ours_have_labels_and_stand_below_the_published(dataset: Path, tmp_path: Path) -> None:
    models = models_at(
        tmp_path / "models.csv",
        "always A,scripted:always-a,CLIP,MLP",
        "all right,scripted:perfect,CLIP + DINOv2,SVA",
    )
    out = tmp_path / "out"
    found = api.run_model_study("encoders", dataset, models, out)
    lines = (out / "encoders.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].split(",")[1:] == ["vision", "connector", *ENCODERS.columns]
    published = [line for line in lines if ", published" in line or "published" in line.split(",")[0]]
    assert len(published) == len(ENCODERS.rows) and "27.9" in next(x for x in published if "SAM" in x)
    (ours,) = [line for line in lines if line.startswith("all right")]
    assert ours.split(",")[1:3] == ["CLIP + DINOv2", "SVA"] and ours.count("100.0") >= 2
    (other,) = [line for line in lines if line.startswith("always A")]
    assert ours.count("100.0") > other.count("100.0") == 0
    (row,) = (out / "encoders-compared.csv").read_text(encoding="utf-8").splitlines()[1:]
    assert row.startswith("all right,CLIP + DINOv2,SVA,")
    assert found.requests and {p.suffix for p in found.files} == {
        ".json",
        ".csv",
        ".tex",
        ".svg",
        ".pdf",
        ".png",
    }
    kept = json.loads((out / "encoders.json").read_text())
    assert [m["labels"] for m in kept["models"]] == [
        {"vision": "CLIP", "connector": "MLP"}, {"vision": "CLIP + DINOv2", "connector": "SVA"},
    ]  # fmt: skip
    first, second = (m["scores"][0]["value"] for m in kept["models"])
    assert second == 1.0 and kept["differences"][0]["difference"]["value"] == pytest.approx(1 - first)


def test_started_again_it_asks_nothing_and_a_dry_run_makes_nothing(dataset: Path, tmp_path: Path) -> None:
    models = models_at(tmp_path / "models.csv", "one,scripted:perfect,CLIP,MLP")
    out = tmp_path / "out"
    estimated = api.run_model_study("encoders", dataset, models, out, dry_run=True)
    assert "one" in estimated.text and not (out / "runs" / "one").exists()
    api.run_model_study("encoders", dataset, models, out)
    journal = {p: p.read_bytes() for p in (out / "runs" / "one" / "journal").iterdir()}
    api.run_model_study("encoders", dataset, models, out)
    assert {p: p.read_bytes() for p in (out / "runs" / "one" / "journal").iterdir()} == journal
    assert not (out / "encoders-compared.csv").exists()


def test_two_checkpoints_that_see_with_different_encoders_are_put_side_by_side(
    dataset: Path, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    from tests.hf.models import llava, llava_dinov2

    options = "device=cpu,dtype=float32,max_new_tokens=2"
    models = models_at(
        tmp_path / "models.csv",
        f'clip,"hf:{llava(tmp_path / "clip")},{options}",CLIP,MLP',
        f'dino,"hf:{llava_dinov2(tmp_path / "dino")},{options}",DINOv2,MLP',
    )
    found = api.run_model_study("encoders", dataset, models, tmp_path / "out", limit=4)
    assert found.failed == 0
    rows = {m["name"]: m for m in json.loads((tmp_path / "out" / "encoders.json").read_text())["models"]}
    assert rows["dino"]["labels"] == {"vision": "DINOv2", "connector": "MLP"}
    said = {
        name: b"".join(p.read_bytes() for p in (tmp_path / "out" / "runs" / name / "journal").iterdir())
        for name in ("clip", "dino")
    }
    assert said["clip"] and said["dino"] and said["clip"] != said["dino"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name,model\na,b\n", "expected the columns name, model, vision, connector"),
        ("name,model,vision,connector\n", "names no model"),
        ("name,model,vision,connector\na,random,,MLP\n", "vision is empty"),
        ("name,model,vision,connector\na,random,x,y\na,random,x,z\n", "two models are called 'a'"),
    ],
)
def test_a_file_of_models_that_is_wrong_is_one_sentence(text: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "models.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=says):
        read_models(path, STUDY)


def test_the_command_line_says_what_is_missing(dataset: Path, tmp_path: Path, run_fathom: Fathom) -> None:
    models = models_at(tmp_path / "models.csv", "one,scripted:perfect,CLIP,MLP")
    out = ("--out", tmp_path / "out")
    assert "give one of both" in run_fathom("study", "encoders", dataset, *out).sentence()
    both = run_fathom("study", "encoders", dataset, *out, "--models", models, "--model", "random")
    assert "give one of both" in both.sentence()
    other = run_fathom("study", "views", dataset, *out, "--models", models)
    assert "there is encoders" in other.sentence()
    right = run_fathom("study", "encoders", dataset, *out, "--models", models, "--quiet")
    assert right.code == 0 and "LLaVA-v1.5-7B" in right.out and "Vision encoders" in right.out

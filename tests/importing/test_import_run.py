"""Predictions made elsewhere become runs that are scored like our own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fathom import api
from fathom.formats.import_findings import ImportReport
from fathom.records import InputError, Response
from fathom.store.datasets import open_dataset
from fathom.store.files import read_json, read_jsonl
from fathom.store.runs import open_run
from tests.importing import predicted, shapes
from tests.importing.breaking import workbook
from tests.said import scored


def dataset_for(benchmark: str, tmp_path: Path, video: bytes) -> Path:
    source = tmp_path / "source"
    if benchmark == "3dsrbench":
        shapes.threed_kit(source)
    elif benchmark == "seed-bench":
        shapes.seed(source, video)
    elif benchmark == "4d-bench":
        shapes.fourd(source, video)
    else:
        shapes.fourd_captions(source, video)
    api.import_dataset(benchmark.partition(" ")[0], source, tmp_path / "set")
    return tmp_path / "set"


def responses(run: Path) -> dict[str, Response]:
    return {r.question: r for r in open_run(run).responses()}


def report_of(run: Path) -> ImportReport:
    return read_json(run / "import.json", ImportReport)


@pytest.mark.parametrize("form", predicted.FORMS)
def test_every_form_becomes_a_run(form: str, tmp_path: Path, video: bytes) -> None:
    benchmark, files, columns = predicted.files_of(form)
    dataset = dataset_for(benchmark, tmp_path, video)
    for name, data in files.items():
        shapes.write(tmp_path / "said" / name, data)
    path = tmp_path / "said" if len(files) > 1 else tmp_path / "said" / next(iter(files))
    api.import_run(dataset, path, tmp_path / "run", columns=columns, model="somebody")
    run = open_run(tmp_path / "run")
    found = responses(tmp_path / "run")
    assert found.keys() == {q.id for q in open_dataset(dataset).questions()}
    assert {r.status for r in found.values()} == {"ok"}
    assert (run.manifest.name, run.manifest.complete) == ("somebody", True)
    assert run.manifest.settings["source"] == form.removesuffix("-tsv").removesuffix("-xlsx").removesuffix(
        "-json"
    )
    assert run.manifest.inputs["dataset"] == open_dataset(dataset).manifest.identity


def right(run: Path, extractor: str = "fathom") -> dict[str, float]:
    from fathom.records import SampleScore

    scored(run, extractor=extractor)
    return {
        m.question: m.value for m in read_jsonl(run / "scores" / extractor / "samples.jsonl", SampleScore)
    }


def test_predictions_of_vlmevalkit_are_scored(tmp_path: Path, video: bytes) -> None:
    dataset = dataset_for("3dsrbench", tmp_path, video)
    rows = predicted.vlmevalkit_rows()
    rows[1]["prediction"] = "A"
    shapes.write(tmp_path / "m_3DSRBench.xlsx", workbook(rows))
    api.import_run(dataset, tmp_path / "m_3DSRBench.xlsx", tmp_path / "run")
    assert right(tmp_path / "run") == {"AB12CD34": 1.0, "AB12CD34-flip": 0.0, "EF56GH78": 1.0}


def test_predictions_for_circular_copies_keep_the_order_that_was_shown(tmp_path: Path, video: bytes) -> None:
    dataset = dataset_for("3dsrbench", tmp_path, video)
    rows = predicted.vlmevalkit_rows(circular=True)
    shapes.table(tmp_path / "m.tsv", rows)
    report = api.import_run(dataset, tmp_path / "m.tsv", tmp_path / "run")
    assert report.imported == len(rows) == 8
    found = list(open_run(tmp_path / "run").responses())
    assert {r.variant.name for r in found} == {"circular"}
    orders = {r.variant.option_order for r in found if r.question == "EF56GH78"}
    assert orders == {(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)}
    assert open_run(tmp_path / "run").manifest.settings["protocol"] == "circular"
    assert set(right(tmp_path / "run").values()) == {1.0}


def test_a_circular_copy_of_four_options_without_them_is_not_guessed(tmp_path: Path, video: bytes) -> None:
    dataset = dataset_for("3dsrbench", tmp_path, video)
    rows = [{"qid": q, "prediction": "A"} for q in ("EF56GH78", "EF56GH78-1", "AB12CD34-1")]
    shapes.table(tmp_path / "m.csv", rows)
    report = api.import_run(dataset, tmp_path / "m.csv", tmp_path / "run", partial=True)
    assert report.imported == 2
    assert [f.reason for f in report.findings] == ["a circular copy that does not list its options"]
    two = responses(tmp_path / "run")["AB12CD34"]
    assert two.variant.option_order == (1, 0)


def test_a_question_without_a_prediction_is_a_failure_that_is_counted(tmp_path: Path, video: bytes) -> None:
    dataset = dataset_for("seed-bench", tmp_path, video)
    lines = predicted.seed_lines().splitlines()
    shapes.write(tmp_path / "m.json", "\n".join(lines[:3]))
    report = api.import_run(dataset, tmp_path / "m.json", tmp_path / "run")
    found = responses(tmp_path / "run")
    assert [q for q, r in found.items() if r.status == "failed"] == ["v11", "v12"]
    assert open_run(tmp_path / "run").manifest.counts == {"requests": 5, "done": 3, "failed": 2}
    assert next(f.count for f in report.findings if f.reason == "questions without a prediction") == 2
    assert len(right(tmp_path / "run")) == 5


def test_with_partial_only_what_was_answered_is_scored(tmp_path: Path, video: bytes) -> None:
    dataset = dataset_for("seed-bench", tmp_path, video)
    shapes.write(tmp_path / "m.json", "\n".join(predicted.seed_lines().splitlines()[:3]))
    api.import_run(dataset, tmp_path / "m.json", tmp_path / "run", partial=True)
    assert len(right(tmp_path / "run")) == 3


def test_a_failure_of_the_other_kit_is_a_failure_and_no_wrong_answer(tmp_path: Path, video: bytes) -> None:
    dataset = dataset_for("3dsrbench", tmp_path, video)
    rows = predicted.vlmevalkit_rows()
    rows[0]["prediction"] = "Failed to obtain answer via API. "
    shapes.table(tmp_path / "m.tsv", rows)
    api.import_run(dataset, tmp_path / "m.tsv", tmp_path / "run")
    assert responses(tmp_path / "run")["AB12CD34"].status == "failed"


def test_answers_that_could_not_be_read_elsewhere_stay_unread(tmp_path: Path, video: bytes) -> None:
    dataset = dataset_for("4d-bench", tmp_path, video)
    key = f"{shapes.UIDS[0]}_motion"
    said = {k: {"answer": -1 if k == key else 3, "correctness": -1} for k in shapes.fourd_questions()}
    shapes.write(tmp_path / "m_results.json", json.dumps(said))
    api.import_run(dataset, tmp_path / "m_results.json", tmp_path / "run")
    found = responses(tmp_path / "run")
    assert (found[key].status, found[key].text) == ("ok", "")
    assert found[f"{shapes.UIDS[0]}_object_counting"].text == "(C)"


def test_log_probabilities_of_options_are_kept(tmp_path: Path, video: bytes) -> None:
    dataset = dataset_for("seed-bench", tmp_path, video)
    lines = predicted.lmms_lines()
    for line in lines:
        line["resps"] = [[[-4.0, False]], [[-1.5, True]], [[-3.0, False]], [[-9.0, False]]]
    shapes.write(tmp_path / "samples.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    api.import_run(dataset, tmp_path / "samples.jsonl", tmp_path / "run")
    assert responses(tmp_path / "run")["7"].option_logprobs == (-4.0, -1.5, -3.0, -9.0)


def test_samples_without_ids_go_by_their_place(tmp_path: Path, video: bytes) -> None:
    dataset = dataset_for("seed-bench", tmp_path, video)
    lines = [{**line, "doc": {}, "resps": [[f"said {line['doc_id']}"]]} for line in predicted.lmms_lines()]
    shapes.write(tmp_path / "samples.jsonl", "".join(json.dumps(line) + "\n" for line in reversed(lines)))
    api.import_run(dataset, tmp_path / "samples.jsonl", tmp_path / "run")
    assert {q: r.text for q, r in responses(tmp_path / "run").items()} == {
        "7": "said 0", "8": "said 1", "v10": "said 2", "v11": "said 3", "v12": "said 4",
    }  # fmt: skip


def test_predictions_for_another_dataset_are_refused(tmp_path: Path, video: bytes) -> None:
    dataset = dataset_for("seed-bench", tmp_path, video)
    rows = [{"index": q, "prediction": "A", "answer": "A"} for q in ("7", "v10", "v11", "v12")]
    shapes.table(tmp_path / "m.tsv", rows)
    with pytest.raises(InputError, match=r"differ from those of .* in 4 of 4 rows"):
        api.import_run(dataset, tmp_path / "m.tsv", tmp_path / "run")
    shapes.table(tmp_path / "n.tsv", [{"index": "x", "prediction": "A"}])
    with pytest.raises(InputError, match="none of 1 rows is a prediction"):
        api.import_run(dataset, tmp_path / "n.tsv", tmp_path / "run")


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ("question=which", "expected question=NAME,text=NAME"),
        ("question=which,text=", "expected question=NAME,text=NAME"),
        ("question=which,text=other", "has no column 'other'"),
        ("", "say which hold them with --columns"),
    ],
)
def test_columns_that_are_not_there_are_named(tmp_path: Path, video: bytes, columns: str, said: str) -> None:
    dataset = dataset_for("seed-bench", tmp_path, video)
    shapes.table(tmp_path / "m.csv", [{"which": "7", "said": "B"}])
    with pytest.raises(InputError, match=said):
        api.import_run(dataset, tmp_path / "m.csv", tmp_path / "run", columns=columns)


def test_importing_again_adds_nothing(tmp_path: Path, video: bytes) -> None:
    dataset = dataset_for("seed-bench", tmp_path, video)
    shapes.write(tmp_path / "m.json", "\n".join(predicted.seed_lines().splitlines()[:3]))
    for _ in range(2):
        api.import_run(dataset, tmp_path / "m.json", tmp_path / "run")
    assert (tmp_path / "run" / "journal" / "0001.jsonl").read_text().count("\n") == 5


def test_the_published_submission_scores_as_published(tmp_path: Path, samples_folder: Path) -> None:
    published = samples_folder / "seed-bench" / "GPT-4V.json"
    truth: dict[str, str] = {}
    for line in published.read_text().splitlines():
        record = json.loads(line.rstrip(", "))
        truth.setdefault(record["question_id"], record["gt_answer"])
    questions = [
        shapes.seed_questions()[0] | {"question_id": name, "answer": letter, "data_id": "x"}
        for name, letter in truth.items()
    ]
    shapes.write(tmp_path / "in" / "SEED-Bench.json", json.dumps({"questions": questions}))
    shapes.write(tmp_path / "in" / "x.png", shapes.png())
    api.import_dataset("seed-bench", tmp_path / "in", tmp_path / "set")
    report = api.import_run(tmp_path / "set", published, tmp_path / "run")
    assert (report.read, report.imported, report.left_out) == (17_997, 17_989, 8)
    values = right(tmp_path / "run")
    assert round(100 * sum(values.values()) / len(values), 2) == 67.28
    videos = [v for q, v in values.items() if q.startswith("v")]
    pictures = [v for q, v in values.items() if not q.startswith("v")]
    assert round(100 * sum(videos) / len(videos), 2) == 60.50
    assert round(100 * sum(pictures) / len(pictures), 2) == 69.07

"""What goes wrong in some architectures without a sign, and what cannot be loaded or shown at all."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fathom.inference.models import open_model, parse_model
from fathom.inference.models.hf import HFBackend
from fathom.inference.models.hf_checkpoint import find_checkpoint, folder_hash, load_error
from fathom.inference.models.hf_families import FAMILIES, family_of
from fathom.inference.models.hf_prompts import encode
from fathom.inference.models.hf_ranking import rank, rank_one_by_one
from fathom.inference.pictures import PromptImages
from fathom.records import DataError, InputError, MediaPart, MissingExtraError, Prompt
from fathom.store.datasets import Dataset
from tests.hf.shown import LETTERS, OPTIONS, answers, clip, make_dataset, opened, request
from tests.needed import needs

pytestmark = needs("torch", "transformers")

Find = Callable[[str], Path]
LONG = "Which way does the car face? Say left, right, front or back, and nothing else."


def encoded(backend: HFBackend, dataset: Dataset, *prompts: Prompt) -> dict[str, Any]:
    family = family_of(backend._checkpoint.architecture)
    return encode(prompts, backend._processor, family, PromptImages(dataset).pixels).inputs


def test_the_first_token_is_not_written_twice_where_the_template_writes_it(
    checkpoint: Find, shown: Dataset
) -> None:
    ids = encoded(opened(checkpoint("gemma3"), shown), shown, request().prompt)["input_ids"]
    assert ids[0].tolist().count(1) == 1


def test_pictures_of_one_prompt_are_cut_up_as_several_whatever_stands_beside_it(
    checkpoint: Find, shown: Dataset
) -> None:
    backend = opened(checkpoint("llava_onevision"), shown)
    three, one = request(pictures=("p0", "p1", "p2")), request(pictures=("p3",))
    image = backend._processor.image_token_id
    alone = [int((encoded(backend, shown, r.prompt)["input_ids"] == image).sum()) for r in (three, one)]
    both = encoded(backend, shown, three.prompt, one.prompt)["input_ids"] == image
    assert [int(n) for n in both.sum(dim=1)] == alone
    assert alone[0] < 3 * alone[1], "a picture among several is not cut into tiles"


def test_no_frame_of_a_clip_is_dropped(checkpoint: Find, shown: Dataset) -> None:
    backend = opened(checkpoint("qwen3_vl"), shown)
    counts = [
        int(
            encoded(backend, shown, request(pictures=(), clip=clip(frames=range(n))).prompt)[
                "video_grid_thw"
            ][0, 0]
        )
        for n in (4, 8, 16)
    ]
    assert counts == [2, 4, 8], "two frames make one step in time"


def test_the_times_of_a_clip_are_told(checkpoint: Find, shown: Dataset) -> None:
    backend = opened(checkpoint("qwen3_vl"), shown)
    slow, fast = (
        encoded(backend, shown, request(pictures=(), clip=clip(fps=fps)).prompt)["input_ids"]
        for fps in (0.5, 4)
    )
    text = backend._processor.tokenizer.decode(slow[0])
    assert "<1.0 seconds>" in text, "frames at 0 s and 2 s make one step, which is at 1 s on average"
    assert text != backend._processor.tokenizer.decode(fast[0])


def test_clips_of_two_lengths_never_share_a_batch(checkpoint: Find, shown: Dataset) -> None:
    asked = [request(pictures=(), clip=clip(frames=range(n))) for n in (8, 8, 4)]
    backend = opened(checkpoint("llava_onevision"), shown, batch=4)
    assert [len(group) for group in backend._groups(asked)] == [2, 1]
    answers(backend, *asked)


@pytest.mark.parametrize("name", ["blip2", "instructblip_t5", "instructblip_llama"])
def test_a_model_that_cannot_do_without_a_picture_says_so(
    name: str, checkpoint: Find, shown: Dataset
) -> None:
    none, one = opened(checkpoint(name), shown).answer_all([request(pictures=()), request()])
    assert (none.status, one.status) == ("failed", "ok")
    assert "cannot do without a picture" in none.error


def test_padding_that_goes_wrong_is_found_out_on_the_first_batch(
    checkpoint: Find, shown: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [request(LONG, ("p0",)), request("Left?", ("p1",)), request("Where?", ("p2",))]
    single = answers(opened(checkpoint("instructblip_llama"), shown), *asked)
    careless = replace(FAMILIES["instructblip"], batches=True)
    monkeypatch.setattr("fathom.inference.models.hf.family_of", lambda name: careless)
    backend = opened(checkpoint("instructblip_llama"), shown, batch=4)
    found = answers(backend, *asked)
    assert [r.text for r in found] == [r.text for r in single]
    assert "one prompt at a time: what stands beside it moved a log-probability" in backend.notes[-1]


def test_a_shared_prompt_that_goes_wrong_is_found_out_on_the_first_ranking(
    checkpoint: Find, shown: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [request(LONG, ("p0", "p1"), options=OPTIONS), request("Left?", ("p2",), options=OPTIONS)]
    right = answers(opened(checkpoint("qwen2_5_vl"), shown), *asked)
    monkeypatch.setattr(
        "fathom.inference.models.hf_ranking._next_positions", lambda model, mask: mask.sum(dim=1) * 0
    )
    backend = opened(checkpoint("qwen2_5_vl"), shown, batch=2)
    found = answers(backend, *asked)
    for one, other in zip(found, right, strict=True):
        assert one.option_logprobs == pytest.approx(other.option_logprobs, abs=1e-4)
    assert "options ranked one by one" in backend.notes[-1]


ALL = (
    "llava",
    "gemma3",
    "idefics3",
    "qwen2_5_vl",
    "qwen3_vl",
    "llava_onevision",
    "paligemma",
    "mllama",
    "blip2",
)


@pytest.mark.parametrize("name", [*ALL, "instructblip_llama", "instructblip_t5", "llama"])
def test_a_shared_prompt_is_used_once_it_was_proven_and_is_proven_where_it_works(
    name: str, checkpoint: Find, shown: Dataset
) -> None:
    # One by one on any device: a batch of both would be proven as a whole.
    backend = opened(checkpoint(name), shown, batch=1)
    pictures = () if name == "llama" else ("p1",)
    letters, words = (request(pictures=pictures, options=o) for o in (LETTERS, OPTIONS))
    answers(backend, letters, words, words)
    assert set(backend._proofs._shared.values()) == {True}
    assert len(backend._proofs._shared) == 2, "options of one token prove nothing of longer ones"


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("fails", [0, 1])
def test_a_shared_prompt_that_was_not_proven_is_never_used(
    batch: int, fails: int, checkpoint: Find, shown: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [request(LONG, (f"p{k}",), options=OPTIONS) for k in range(4)]
    right = answers(opened(checkpoint("mllama"), shown), *asked)
    calls: list[int] = []

    def wrong(model: Any, family: Any, inputs: Any, options: Any) -> Any:
        return [[-1.0 for _ in of_item] for of_item in options]

    def slow(*given: Any) -> Any:
        calls.append(1)
        if len(calls) <= fails:
            raise IndexError("no place for a mask")
        return rank_one_by_one(*given)

    monkeypatch.setattr("fathom.inference.models.hf.rank", wrong)
    monkeypatch.setattr("fathom.inference.models.hf_proofs.rank", wrong)
    monkeypatch.setattr("fathom.inference.models.hf_proofs.rank_one_by_one", slow)
    backend = opened(checkpoint("mllama"), shown, batch=batch)
    found = list(backend.answer_all(asked))
    good = [(a, b) for a, b in zip(found, right, strict=True) if a.status == "ok"]
    assert len(good) >= len(asked) - fails
    for one, other in good:
        assert one.option_logprobs == pytest.approx(other.option_logprobs, abs=1e-4)


def test_an_architecture_whose_options_cannot_be_ranked_fails_in_one_clear_sentence(
    checkpoint: Find, shown: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: Any) -> Any:
        raise RuntimeError("The size of tensor a (7) must match the size of tensor b (5)")

    monkeypatch.setattr("fathom.inference.models.hf_proofs.rank_one_by_one", broken)
    found = list(opened(checkpoint("mllama"), shown).answer_all([request(options=OPTIONS)] * 3))
    assert [r.status for r in found] == ["failed"] * 3
    assert "mllama cannot rank options here: let it write, with --set answer=generation" in found[2].error


def test_what_a_prompt_leaves_on_the_model_is_not_read_by_the_next(checkpoint: Find, shown: Dataset) -> None:
    backend = opened(checkpoint("qwen2_5_vl"), shown)
    asked = request(pictures=(), options=OPTIONS)
    before = answers(backend, asked)[0].option_logprobs
    answers(backend, request(LONG, ("p0", "p1", "p2"), options=LETTERS))
    assert answers(backend, asked)[0].option_logprobs == pytest.approx(before, abs=1e-5)


@pytest.mark.parametrize("name", ["gemma3", "qwen2_5_vl", "llava"])
def test_half_precision_ranks_behind_a_shared_prompt_too(name: str, checkpoint: Find, shown: Dataset) -> None:
    backend = opened(checkpoint(name), shown, dtype="bfloat16")
    (found,) = answers(backend, request(options=OPTIONS))
    assert set(backend._proofs._shared.values()) == {True}
    encoded_ = backend._encode([request(options=OPTIONS)])
    assert not isinstance(encoded_, Exception)
    inputs = backend._moved(encoded_.inputs)
    slow = rank_one_by_one(backend._model, backend._family, inputs, encoded_.options)[0]
    fast = rank(backend._model, backend._family, inputs, encoded_.options)[0]
    assert fast == pytest.approx(slow, abs=0.5)
    assert all(math.isfinite(value) for value in found.option_logprobs)


def test_a_prompt_that_cannot_be_shown_fails_and_the_others_of_its_batch_do_not(
    checkpoint: Find, shown: Dataset
) -> None:
    backend = opened(checkpoint("blip2"), shown, batch=4)
    endless = request("again " * 4000)
    good, long, last = backend.answer_all([request(), endless, request("Left?")])
    assert (good.status, long.status, last.status) == ("ok", "failed", "ok")
    assert "the model reads 512 at most" in long.error


def test_a_batch_that_memory_does_not_hold_is_answered_one_by_one(
    checkpoint: Find, shown: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    asked = [request(pictures=(f"p{k}",)) for k in range(3)]
    backend = opened(checkpoint("llava"), shown, batch=4)
    expected = [r.text for r in answers(backend, *asked)]
    generate = backend._model.generate

    def tight(**inputs: Any) -> Any:
        if len(inputs["input_ids"]) > 1:
            raise torch.OutOfMemoryError("out of memory")
        return generate(**inputs)

    monkeypatch.setattr(backend._model, "generate", tight)
    assert [r.text for r in answers(backend, *asked)] == expected
    monkeypatch.setattr(backend._model, "generate", lambda **inputs: tight(input_ids=[0, 0]))
    assert [r.error for r in backend.answer_all(asked)] == ["out of memory"] * 3


def test_a_picture_that_is_gone_ends_the_run(checkpoint: Find, tmp_path: Path) -> None:
    dataset = make_dataset(tmp_path / "dataset", pictures=4)
    (dataset.path / "media" / "p2.png").unlink()
    responses = opened(checkpoint("llava"), dataset).answer_all(
        [request(pictures=(f"p{k}",)) for k in range(4)]
    )
    assert next(responses).status == "ok"
    with pytest.raises(DataError, match=r"p2\.png: cannot be read"):
        list(responses)


def test_an_empty_continuation_has_no_likelihood(checkpoint: Find, shown: Dataset) -> None:
    (found,) = opened(checkpoint("llava"), shown).answer_all([request(options=("left", ""))])
    assert found.status == "failed"
    assert "'' has no tokens" in found.error


def test_a_log_probability_that_is_not_a_number_is_a_failure(checkpoint: Find, shown: Dataset) -> None:
    backend = opened(checkpoint("llava"), shown)
    answers(backend, request())
    for weights in backend._model.parameters():
        weights.data.mul_(math.nan)
    (found,) = backend.answer_all([request(options=OPTIONS)])
    assert found.status == "failed"
    assert "a log-probability is nan" in found.error


def test_a_model_without_eyes_is_shown_no_pictures(checkpoint: Find, shown: Dataset) -> None:
    (found,) = opened(checkpoint("llama"), shown).answer_all([request()])
    assert found.status == "failed"
    assert "use a blind protocol" in found.error


def test_the_seed_and_the_batch_are_no_part_of_a_greedy_answer(checkpoint: Find, shown: Dataset) -> None:
    one, other = (opened(checkpoint("llava"), shown, batch=b, seed=s) for b, s in ((1, 1), (4, 2)))
    assert one.parameters == other.parameters
    assert one.parameters == {
        "max_tokens": 8,
        "temperature": 0.0,
        "dtype": "float32",
        "image_processor": "CLIPImageProcessor",
    }
    assert any(note.startswith("transformers ") and "torch" in note for note in one.notes)


def test_what_a_checkpoint_sets_for_generation_is_recorded_and_never_made_random(
    checkpoint: Find, shown: Dataset, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(checkpoint("llava"), tmp_path / "penalised"))
    settings = json.loads((folder / "generation_config.json").read_text())
    settings |= {"do_sample": True, "temperature": 5.0, "top_k": 3, "repetition_penalty": 1.05}
    (folder / "generation_config.json").write_text(json.dumps(settings))
    one, other = (answers(opened(folder, shown), request())[0].text for _ in range(2))
    assert one == other
    assert opened(folder, shown).parameters["repetition_penalty"] == 1.05


def test_a_folder_is_known_by_the_hash_of_its_files(checkpoint: Find, shown: Dataset, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(checkpoint("llava"), tmp_path / "copied"))
    (folder / "README.md").write_text("Nothing that counts.")
    assert opened(folder, shown).revision == folder_hash(checkpoint("llava"))
    weights = bytearray((folder / "model.safetensors").read_bytes())
    weights[-1] ^= 1
    (folder / "model.safetensors").write_bytes(weights)
    assert opened(folder, shown).revision != folder_hash(checkpoint("llava"))
    assert opened(folder, shown, revision="mine").revision == "mine"


def test_a_cached_download_is_known_by_its_name_and_commit(
    checkpoint: Find, shown: Dataset, tmp_path: Path
) -> None:
    cached = tmp_path / "models--someone--tiny" / "snapshots" / "0123abc"
    shutil.copytree(checkpoint("llava"), cached)
    backend = opened(cached, shown)
    assert (backend.name, backend.revision) == ("someone/tiny", "0123abc")


@pytest.mark.parametrize(
    ("environ", "download", "remedy"),
    [({}, False, "add download=yes"), ({"HF_HUB_OFFLINE": "1"}, True, "HF_HUB_OFFLINE forbids to fetch it")],
)
def test_nothing_is_fetched_unasked(
    environ: dict[str, str], download: bool, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(InputError, match=remedy):
        find_checkpoint("nobody/no-such-model", "", download, environ)


def test_a_path_that_is_not_there_is_never_taken_for_a_name() -> None:
    with pytest.raises(InputError, match="expected a folder, or a name as ORGANISATION/MODEL"):
        find_checkpoint("./models/tiny/llava", "", False, {})


def spoiled(folder: Path, tmp_path: Path, change: Callable[[Path], None]) -> Path:
    copied = Path(shutil.copytree(folder, tmp_path / "spoiled"))
    change(copied)
    return copied


def pickled(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def of_unknown_kind(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": "never-heard-of"}')


def with_code(folder: Path) -> None:
    (folder / "config.json").write_text(
        '{"model_type": "own", "auto_map": {"AutoConfig": "own.Config", "AutoModel": "own.Model"}}'
    )
    (folder / "own.py").write_text("raise SystemExit")


def for_labels(folder: Path) -> None:
    (folder / "config.json").write_text('{"model_type": "vit"}')


def without_configuration(folder: Path) -> None:
    (folder / "config.json").unlink()


def broken_json(folder: Path) -> None:
    (folder / "config.json").write_text("{")


def without_processor(folder: Path) -> None:
    for name in ("processor_config.json", "tokenizer.json", "tokenizer_config.json"):
        (folder / name).unlink()


def cut_off(folder: Path) -> None:
    data = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(data[: len(data) // 2])


def lacking_a_weight(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    weights.pop(next(name for name in sorted(weights) if "mlp" in name))
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (pickled, "holds no \\*.safetensors"),
        (of_unknown_kind, "that it does not load"),
        (with_code, "brings code of its own, which is never run"),
        (for_labels, "architecture 'vit'"),
        (without_configuration, "has no config.json"),
        (broken_json, "that it does not load"),
        (without_processor, "that it does not load"),
        (cut_off, "that it does not load"),
        (lacking_a_weight, "lacks 1 of the model's weights"),
    ],
)
def test_a_checkpoint_that_does_not_load_says_why(
    change: Callable[[Path], None], words: str, checkpoint: Find, shown: Dataset, tmp_path: Path
) -> None:
    folder = spoiled(checkpoint("llava"), tmp_path, change)
    with pytest.raises(InputError, match=words) as e:
        list(opened(folder, shown).answer_all([request()]))
    assert "\n" not in str(e.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dtype": "int4"}, "expected a dtype of float32, bfloat16, float16, found 'int4'"),
        ({"device": "cuda:99"}, "the device 'cuda:99' cannot be used here"),
        ({"batch": 0}, "batch expects 1 or more, found 0"),
        ({"max_new_tokens": 0}, "max_new_tokens expects 1 or more"),
        ({"download": "maybe"}, "download expects yes or no"),
        ({"trust_remote_code": "True"}, "there is no option 'trust_remote_code'"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(
    options: dict[str, object], words: str, checkpoint: Find, shown: Dataset
) -> None:
    with pytest.raises(InputError, match=words):
        opened(checkpoint("llava"), shown, **options)


def test_a_package_that_a_processor_misses_is_named() -> None:
    error = load_error("x", ImportError("Package `num2words` is required to run SmolVLM processor."))
    assert isinstance(error, MissingExtraError)
    assert "num2words" in str(error)
    assert "fathom-bench[hf]" in str(error)


def test_a_torchvision_that_does_not_import_is_named(
    checkpoint: Find, shown: Dataset, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import sys

    (tmp_path / "torchvision").mkdir()
    (tmp_path / "torchvision" / "__init__.py").write_text(
        "raise RuntimeError('operator torchvision::nms does not exist')"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in [n for n in sys.modules if n.split(".")[0] == "torchvision"]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(InputError, match="torchvision is installed and cannot be imported"):
        opened(checkpoint("llava"), shown)


def test_the_command_line_finds_it(checkpoint: Find, shown: Dataset) -> None:
    from fathom.inference.backend import Context

    spec = parse_model(f"hf:{checkpoint('llava')},batch=2,max_new_tokens=3")
    backend = open_model(spec, Context(write_answer=str, parameters={"max_tokens": 9}))
    assert backend.parameters["max_tokens"] == 3
    with pytest.raises(InputError, match="expected a folder or a name"):
        open_model(parse_model("hf"), Context(write_answer=str))


def test_frames_are_shown_exactly_as_the_video_holds_them(checkpoint: Find, shown: Dataset) -> None:
    import numpy as np

    from fathom.media.video import read_frames

    pixels = PromptImages(shown).pixels([MediaPart(media="v0", frame=7), MediaPart(media="p1")])
    held = read_frames(shown.media_path(shown.media("v0")), [7])[0]
    assert np.array_equal(pixels[0], held)

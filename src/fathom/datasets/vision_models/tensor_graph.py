"""A convolutional network from a graph of TensorFlow.js: one JSON file of nodes, and one of weights.

Only what such networks are made of is known: convolutions, sums, products, means, activations, resizing.
Tensors are channels first here, (1, C, H, W), and channels last in the file.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fathom.records import InputError

Node = Mapping[str, Any]

CONVOLUTIONS = ("Conv2D", "_FusedConv2D", "DepthwiseConv2dNative", "FusedDepthwiseConv2dNative")


@dataclass(frozen=True)
class TensorGraph:
    """A network: its nodes by name, and its weights as tensors, channels last."""

    nodes: Mapping[str, Node]
    weights: Mapping[str, Any]

    def run(self, image: Any, wanted: Sequence[str]) -> list[Any]:
        """Return the named nodes' values of one image, a tensor (1, 3, H, W). Raises InputError."""
        values: dict[str, Any] = {}
        waiting = list(wanted)
        while waiting:
            name = waiting[-1]
            node = self._node(name)
            missing = [s for s in _inputs(node) if s not in values and s not in self.weights]
            if name in values or not missing:
                waiting.pop()
                if name not in values:
                    values[name] = self._value(node, image, values)
            else:
                waiting += missing
        return [values[name] for name in wanted]

    def _node(self, name: str) -> Node:
        if name not in self.nodes:
            raise InputError(f"a network's graph has no node {name!r}; fetch its package again")
        return self.nodes[name]

    def _value(self, node: Node, image: Any, values: Mapping[str, Any]) -> Any:
        op = node["op"]
        if op == "Placeholder":
            return image
        given = [values[s] if s in values else self.weights[s] for s in _inputs(node)]
        if op in CONVOLUTIONS:
            return _convolved(node, given)
        if op not in _SIMPLE:
            raise InputError(f"a network's graph has a node of kind {op}, which is not known here")
        return _SIMPLE[op](given)


def read_graph(path: Path) -> TensorGraph:
    """Return the network of a JSON file with its weights beside it. Raises InputError."""
    import torch

    try:
        told = json.loads(path.read_bytes())
        (group,) = told["weightsManifest"]
        data = b"".join((path.parent / name).read_bytes() for name in group["paths"])
        arrays = _arrays(group["weights"], data)
        nodes = {n["name"]: n for n in told["modelTopology"]["node"] if n["op"] != "Const"}
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise InputError(f"{path}: expected a graph of TensorFlow.js with its weights beside it ({e})") from e
    return TensorGraph(nodes, {name: torch.from_numpy(a) for name, a in arrays.items()})


def _arrays(entries: Sequence[Node], data: bytes) -> dict[str, NDArray[Any]]:
    """Return the weights by name, floats as float32. Raises ValueError where bytes lack or are left."""
    kinds = [np.dtype(e.get("quantization", e)["dtype"]) for e in entries]
    sizes = [k.itemsize * int(np.prod(e["shape"], dtype=int)) for k, e in zip(kinds, entries, strict=True)]
    if sum(sizes) != len(data):
        raise ValueError(f"{sum(sizes)} bytes of weights are expected and {len(data)} found")
    ends = [0, *np.cumsum(sizes).tolist()]
    return {
        e["name"]: np.frombuffer(data[a:b], kind).reshape(e["shape"]).astype(e["dtype"])
        for e, kind, (a, b) in zip(entries, kinds, pairwise(ends), strict=True)
    }


def _inputs(node: Node) -> list[str]:
    return list(node.get("input", ()))


def _words(node: Node, name: str) -> list[str]:
    """Return the words of an attribute, which stand in base 64."""
    told = node["attr"].get(name, {})
    found = told.get("list", {}).get("s", []) if "list" in told else [told["s"]] if "s" in told else []
    return [base64.b64decode(w).decode() for w in found]


def _convolved(node: Node, given: Sequence[Any]) -> Any:
    from torch.nn import functional

    x, kernel = given[0], given[1]
    apart = "Depthwise" in node["op"]
    height, width = kernel.shape[0], kernel.shape[1]
    step = int(node["attr"]["strides"]["list"]["i"][1])
    if _words(node, "padding") == ["SAME"]:
        x = functional.pad(x, _around(x.shape[3], width, step) + _around(x.shape[2], height, step))
    taken = kernel.permute(2, 3, 0, 1) if apart else kernel.permute(3, 2, 0, 1)
    if apart:
        taken = taken.reshape(-1, 1, height, width)
    after = _words(node, "fused_ops")
    bias = given[2] if "BiasAdd" in after else None
    found = functional.conv2d(x, taken, bias, stride=step, groups=x.shape[1] if apart else 1)
    return functional.relu(found) if "Relu" in after else found


def _around(size: int, kernel: int, step: int) -> list[int]:
    """Return how much is laid before and behind a side, so that each `step`th place keeps its neighbours."""
    lacking = max((-(-size // step) - 1) * step + kernel - size, 0)
    return [lacking // 2, lacking - lacking // 2]


def _resized(given: Sequence[Any]) -> Any:
    """Return a tensor at another size, weighted between the places at or before and after each one."""
    x, size = given[0], [int(v) for v in given[1]]
    for axis, wanted in zip((2, 3), size, strict=True):
        x = _stretched(x, axis, wanted)
    return x


def _stretched(x: Any, axis: int, wanted: int) -> Any:
    import torch

    at = torch.arange(wanted, dtype=torch.float32) * (x.shape[axis] / wanted)
    low = at.floor().long()
    high = (low + 1).clamp(max=x.shape[axis] - 1)
    share = (at - low).reshape([-1 if k == axis else 1 for k in range(4)])
    return x.index_select(axis, low) * (1 - share) + x.index_select(axis, high) * share


def _joined(given: Sequence[Any]) -> Any:
    import torch

    return torch.cat(list(given[:-1]), dim=1)


_SIMPLE: Mapping[str, Callable[[Sequence[Any]], Any]] = {
    "Add": lambda given: given[0] + given[1],
    "Mul": lambda given: given[0] * given[1],
    "Relu": lambda given: given[0].clamp(min=0),
    "Relu6": lambda given: given[0].clamp(0, 6),
    "Sigmoid": lambda given: given[0].sigmoid(),
    "Identity": lambda given: given[0],
    "Mean": lambda given: given[0].mean((2, 3), keepdim=True),
    "ConcatV2": _joined,
    "ResizeBilinear": _resized,
}
"""Kind of node → what it does. Means are over the picture, and what is joined is joined along channels."""

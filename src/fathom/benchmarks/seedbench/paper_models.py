"""What SEED-Bench's tables are about: its twelve dimensions, and 18 models.

Ref: SEED-Bench §3.1, §4.1, Table 3.
"""

from __future__ import annotations

from types import MappingProxyType

TASKS = (
    "scene_understanding",
    "instance_identity",
    "instance_attributes",
    "instance_location",
    "instances_counting",
    "spatial_relation",
    "instance_interaction",
    "visual_reasoning",
    "text_understanding",
    "action_recognition",
    "action_prediction",
    "procedure_understanding",
)
"""The twelve dimensions in the order of their numbers, 1 to 12; the last three are on videos."""

LLM, IMAGE, VIDEO = "LLM", "ImageLLM", "VideoLLM"

_MODELS = MappingProxyType(
    {
        "Flan-T5": (LLM, "Flan-T5-XL"),
        "Vicuna": (LLM, "Vicuna-7B"),
        "LLaMA": (LLM, "LLaMA-7B"),
        "BLIP-2": (IMAGE, "Flan-T5-XL"),
        "InstructBLIP": (IMAGE, "Flan-T5-XL"),
        "InstructBLIP Vicuna": (IMAGE, "Vicuna-7B"),
        "LLaVA": (IMAGE, "LLaMA-7B"),
        "MiniGPT-4": (IMAGE, "Flan-T5-XL"),
        "VPGTrans": (IMAGE, "LLaMA-7B"),
        "MultiModal-GPT": (IMAGE, "LLaMA-7B"),
        "Otter": (IMAGE, "LLaMA-7B"),
        "OpenFlamingo": (IMAGE, "LLaMA-7B"),
        "LLaMA-Adapter V2": (IMAGE, "LLaMA-7B"),
        "GVT": (IMAGE, "Vicuna-7B"),
        "mPLUG-Owl": (IMAGE, "LLaMA-7B"),
        "VideoChat": (VIDEO, "Vicuna-7B"),
        "Video-ChatGPT": (VIDEO, "LLaMA-7B"),
        "Valley": (VIDEO, "LLaMA-13B"),
    }
)
MODELS = tuple(_MODELS)
LABELS = MappingProxyType(
    {name: {"type": kind, "language model": language} for name, (kind, language) in _MODELS.items()}
)


def of_type(*kinds: str) -> tuple[str, ...]:
    """Return the models of some types, in the order of Table 3."""
    return tuple(name for name, (kind, _) in _MODELS.items() if kind in kinds)


def title_of(task: str) -> str:
    """Return how a dimension is called in tables, such as "instance location"."""
    return task.replace("_", " ")

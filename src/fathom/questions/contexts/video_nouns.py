"""What is known of objects by what they are called: their sides, fronts, faces, and usual sizes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

EXTRAS: Mapping[str, str] = MappingProxyType(
    {
        "mug": ", its handle included",
        "beer mug": ", its handle included",
        "teacup": ", its handle included",
        "cup": ", its handle included",
        "teapot": ", its handle and spout included",
        "kettle": ", its handle and spout included",
        "pan": ", its handle included",
        "frying pan": ", its handle included",
        "pot": ", its handles included",
        "jug": ", its handle included",
    }
)
"""What belongs to the longer side of an object and might be left out by somebody."""

FRONTLESS = frozenset(
    {
        "bin", "bollard", "bush", "coat rack", "coffee table", "desk lamp", "dining table",
        "fire hydrant", "floor lamp", "globe lamp", "lamp", "lamp post", "plant", "planter",
        "potted plant", "robot vacuum", "round table", "rubbish bin", "rug", "side table", "stool",
        "street lamp", "table", "table lamp", "traffic light", "tree",
    }
)  # fmt: skip
"""Nouns of objects whose front nobody would agree on, whatever their models say."""

ROUND = frozenset(
    {
        "apple", "beer mug", "bell pepper", "bin", "bollard", "bottle", "bowl", "bowl of soup",
        "broccoli", "burger", "bush", "cactus", "can", "candle", "coat rack", "cookie", "cup", "donut",
        "fir tree", "fire hydrant", "floor cushion", "floor lamp", "frying pan", "globe lamp",
        "honey jar", "jug", "ketchup bottle", "kettle", "lemon", "muffin", "mug", "mushroom",
        "oil bottle", "onion", "orange", "pan", "peanut butter jar", "pear", "pineapple", "pizza",
        "planter", "plate", "pot", "potted plant", "potted tree", "pouf", "pumpkin", "robot vacuum",
        "round table", "rubbish bin", "side table", "soda bottle", "soda can", "stool", "table lamp",
        "teacup", "teapot", "tomato", "traffic cone", "tree", "vase", "watermelon", "wine bottle",
        "wine glass",
    }
)  # fmt: skip
"""Nouns of objects that are round, or nearly, seen from above, but for handles and spouts."""

UPRIGHT = frozenset({"coat rack", "fan", "globe lamp", "lamp post", "street lamp", "traffic light"})
"""Nouns of what is a post with something at its top: nobody asks how long or wide it is."""

SHAPELESS = frozenset({"banana", "basket", "knife block", "sandwich", "taco"})
"""Nouns of things with ears, corners or a bend, whose sides one person or another would measure elsewhere."""

FACED = ("sign",)
"""How the nouns end of objects that nobody can name from behind."""

USUAL = frozenset(
    {
        "mug", "cup", "can", "plate", "credit card", "banana", "apple", "orange", "pen",
        "pencil", "spoon", "fork", "knife", "keyboard", "computer mouse", "playing card", "alarm clock",
        "chair", "armchair", "office chair", "stool", "sofa", "bed", "table", "desk", "door", "toilet",
        "sink", "refrigerator", "bathtub", "monitor", "bookshelf",
        "car", "van", "sedan", "suv", "hatchback", "minivan", "truck", "bus", "taxi", "pickup", "bicycle",
        "motorcycle", "pedestrian", "cyclist", "person", "traffic light",
    }
)  # fmt: skip
"""Nouns of objects whose usual size everybody knows about: they give a picture its scale."""

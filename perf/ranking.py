"""What ranking four options behind a long prompt costs, beside one pass over the prompt.

    python perf/ranking.py [--prefix 1000] [--options 4] [--repeat 5]

The model is a small Qwen2.5 made here with random weights (its text side alone: what is saved is the same).
Tokens are counted where they enter the model.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

import torch

from fathom.inference.models.hf_families import Family
from fathom.inference.models.hf_ranking import rank, rank_one_by_one

# A torchvision made for CUDA does not load without it beside a torch without CUDA: see tests/hf/conftest.py.
STUB = "torchvision._meta_registrations"

OPTION_TOKENS = (3, 8, 5, 12)


class Counter:
    """How many tokens went into a model."""

    def __init__(self, model: Any) -> None:
        self.tokens = 0
        model.get_input_embeddings().register_forward_hook(self._count)

    def _count(self, module: Any, given: tuple[Any, ...], out: Any) -> None:
        self.tokens += given[0].numel()


def small_model() -> Any:
    """Return a model of 13 million weights."""
    sys.modules.setdefault(STUB, ModuleType(STUB))
    from transformers import Qwen2Config, Qwen2ForCausalLM

    torch.manual_seed(0)
    sizes = {"hidden_size": 256, "intermediate_size": 1024, "num_hidden_layers": 8, "num_attention_heads": 8}
    return Qwen2ForCausalLM(Qwen2Config(vocab_size=8000, num_key_value_heads=2, **sizes)).eval()


def measured(call: Callable[[], Any], counter: Counter, repeat: int) -> tuple[Any, int, float]:
    """Return the result, the tokens read, and the median CPU seconds of a call."""
    times = []
    for _ in range(repeat):
        counter.tokens = 0
        begun = time.process_time()
        result = call()
        times.append(time.process_time() - begun)
    return result, counter.tokens, statistics.median(times)


def one_pass(model: Any, inputs: dict[str, Any]) -> None:
    """Read the prompt once, as any answer must."""
    with torch.inference_mode():
        model(**inputs, use_cache=True, logits_to_keep=1)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--prefix", type=int, default=1000)
    parser.add_argument("--options", type=int, default=4)
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    model = small_model()
    counter = Counter(model)
    ids = torch.randint(8000, (1, arguments.prefix))
    inputs = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    lengths = [OPTION_TOKENS[k % len(OPTION_TOKENS)] for k in range(arguments.options)]
    options = [[torch.randint(8000, (n,)).tolist() for n in lengths]]

    _, base, base_s = measured(lambda: one_pass(model, inputs), counter, arguments.repeat)
    fast, shared, shared_s = measured(
        lambda: rank(model, Family(), inputs, options), counter, arguments.repeat
    )
    slow, each, each_s = measured(
        lambda: rank_one_by_one(model, Family(), inputs, options), counter, arguments.repeat
    )
    apart = max(abs(a - b) for a, b in zip(fast[0], slow[0], strict=True))
    print(f"{arguments.options} options of {lengths} tokens behind {arguments.prefix}; one thread\n")
    print("| | tokens read | × one pass | CPU s | × one pass |")
    print("|---|--:|--:|--:|--:|")
    for name, tokens, seconds in (
        ("one pass over the prompt", base, base_s),
        ("options behind one prompt", shared, shared_s),
        ("option by option", each, each_s),
    ):
        print(f"| {name} | {tokens:,} | {tokens / base:.2f} | {seconds:.3f} | {seconds / base_s:.2f} |")
    print(f"\nLargest difference between the two: {apart:.1e} nats. Limit: 1.3 × the tokens of one pass.")


if __name__ == "__main__":
    main()

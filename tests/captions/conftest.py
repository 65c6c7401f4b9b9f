"""Tools for caption metrics: where they lie on this machine, and small ones made on the spot."""

import os
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from fathom.scoring.metrics.captions.captions import VARIABLES


def from_environment(field: str) -> Path:
    """Return the file or folder that a variable names; the test is skipped without it."""
    found = os.environ.get(VARIABLES[field])
    if not found:
        pytest.skip(f"{VARIABLES[field]} does not name a file")
    return Path(found)


@pytest.fixture
def ptb_jar() -> Path | None:
    return _jar("ptb_jar")


@pytest.fixture
def meteor_jar() -> Path | None:
    return _jar("meteor_jar")


def _jar(field: str) -> Path | None:
    if shutil.which("java") is None:
        pytest.skip("there is no java on the PATH")
    if os.environ.get(VARIABLES[field]):
        return Path(os.environ[VARIABLES[field]])
    if find_spec("pycocoevalcap") is None:
        pytest.skip(f"the package pycocoevalcap is not installed, and {VARIABLES[field]} is not set")
    return None


@pytest.fixture(scope="session")
def small_wordnet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A WordNet of two meanings: boat or small_vessel; walk or stroll."""
    folder = tmp_path_factory.mktemp("wordnet")
    notice = "  1 a notice, as the files begin with one\n"
    end = f"1 0 {len(notice):08d}  \n"
    noun = f"{len(notice):08d} 06 n 02 boat 0 small_vessel 0 000 | a thing that floats\n"
    verb = f"{len(notice):08d} 38 v 02 walk 0 stroll(p) 0 000 01 + 02 00 | go on foot\n"
    texts = {
        "data.noun": notice + noun,
        "index.noun": f"{notice}boat n 1 0 {end}small_vessel n 1 0 {end}",
        "data.verb": notice + verb,
        "index.verb": f"{notice}stroll v 1 1 @ {end}walk v 1 1 @ {end}",
        "verb.exc": "wolk walk\n",
    }
    for part in ("noun", "verb", "adj", "adv"):
        for name in (f"data.{part}", f"index.{part}", f"{part}.exc"):
            (folder / name).write_text(texts.get(name, notice if not name.endswith("exc") else ""))
    return folder


WORDS = "a the knight robot dog dragon raises turns its his sword head left twice and flies"


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BERT of two layers with random weights, and a tokenizer that knows a few words."""
    pytest.importorskip("torch", reason="the package torch is not installed")
    # A torchvision without its compiled half breaks the import of models that never use it.
    sys.modules.setdefault("torchvision._meta_registrations", ModuleType("torchvision._meta_registrations"))
    transformers = pytest.importorskip("transformers", reason="the package transformers is not installed")
    tokenizers = pytest.importorskip("tokenizers", reason="the package tokenizers is not installed")
    import torch

    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = [chr(c) for c in range(97, 123)]
    known = dict.fromkeys([*special, *WORDS.split(), *letters, *(f"##{c}" for c in letters)])
    vocabulary = {word: i for i, word in enumerate(known)}
    made = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )
    config = transformers.BertConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=48, max_position_embeddings=64,
    )  # fmt: skip
    torch.manual_seed(7)
    model = transformers.BertModel(config)
    for weights in model.parameters():
        if weights.dim() > 1:
            torch.nn.init.normal_(weights, std=0.3)
    folder = tmp_path_factory.mktemp("bert")
    tokenizer.save_pretrained(str(folder))
    model.save_pretrained(str(folder))
    return folder

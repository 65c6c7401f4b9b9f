"""Tiny checkpoints of real architectures that say something of pictures, with random weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.hf.models import VOCABULARY, save, tokenizer

PX = 32
LABELS = {0: "cat", 1: "bench", 2: "traffic light"}
_NAMED = {"id2label": LABELS, "label2id": {v: k for k, v in LABELS.items()}}
_SIZES: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
}
_EYES: dict[str, Any] = {**_SIZES, "image_size": PX, "patch_size": 8}
_SQUARE = {"height": PX, "width": PX}


def git(folder: Path) -> Path:
    """GIT: a captioner that reads what it wrote beside the picture."""
    from transformers import CLIPImageProcessor, GitConfig, GitForCausalLM, GitProcessor

    config = GitConfig(
        vision_config=dict(_EYES),
        **_SIZES,
        vocab_size=VOCABULARY,
        max_position_embeddings=64,
        bos_token_id=1,
        eos_token_id=2,
        pad_token_id=0,
    )
    pictures = CLIPImageProcessor(size=_SQUARE, crop_size=_SQUARE)
    return save(folder, GitForCausalLM(config), GitProcessor(pictures, tokenizer()))


def vit(folder: Path) -> Path:
    """A classifier."""
    from transformers import ViTConfig, ViTForImageClassification, ViTImageProcessor

    return _seen(
        folder, ViTForImageClassification(ViTConfig(**_EYES, **_NAMED)), ViTImageProcessor(size=_SQUARE)
    )


def yolos(folder: Path) -> Path:
    """A detector of three classes."""
    from transformers import YolosConfig, YolosForObjectDetection, YolosImageProcessor

    eyes = {**_EYES, "image_size": [PX, PX]}
    config = YolosConfig(**eyes, **_NAMED, num_detection_tokens=6, use_mid_position_embeddings=False)
    return _seen(folder, YolosForObjectDetection(config), YolosImageProcessor(size=_SQUARE))


def owlv2(folder: Path) -> Path:
    """A detector of any words."""
    from transformers import Owlv2Config, Owlv2ForObjectDetection, Owlv2ImageProcessor, Owlv2Processor

    config = Owlv2Config(
        text_config={
            **_SIZES,
            "vocab_size": VOCABULARY,
            "max_position_embeddings": 16,
            "bos_token_id": 1,
            "eos_token_id": 2,
            "pad_token_id": 0,
        },
        vision_config=dict(_EYES),
        projection_dim=32,
    )
    words = tokenizer(eos=True)
    words.model_max_length, words.padding_side = 16, "right"
    processor = Owlv2Processor(Owlv2ImageProcessor(size=_SQUARE), words)
    return _seen(folder, Owlv2ForObjectDetection(config), processor)


def grounding_dino(folder: Path) -> Path:
    """A detector of any words that reads all of them as one text, with BERT's numbers of its stops."""
    from transformers import (
        BertTokenizerFast,
        GroundingDinoConfig,
        GroundingDinoForObjectDetection,
        GroundingDinoImageProcessor,
        GroundingDinoProcessor,
    )

    words = [f"[unused{k}]" for k in range(1100)]
    for place, word in {0: "[PAD]", 100: "[UNK]", 101: "[CLS]", 102: "[SEP]", 1012: ".", 1029: "?"}.items():
        words[place] = word
    words[200:205] = ["cat", "traffic", "light", "dog", "fence"]
    config = GroundingDinoConfig(
        backbone_config={
            "model_type": "swin",
            "image_size": 64,
            "patch_size": 4,
            "embed_dim": 16,
            "depths": [1, 1, 1, 1],
            "num_heads": [2, 2, 2, 2],
            "window_size": 2,
            "out_indices": [2, 3, 4],
        },
        text_config={
            **_SIZES,
            "model_type": "bert",
            "vocab_size": len(words),
            "max_position_embeddings": 256,
        },
        num_queries=8,
        encoder_layers=1,
        decoder_layers=2,
        encoder_ffn_dim=48,
        decoder_ffn_dim=48,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        d_model=32,
        disable_custom_kernels=True,
    )
    reader = BertTokenizerFast(vocab={word: k for k, word in enumerate(words)})
    processor = GroundingDinoProcessor(
        GroundingDinoImageProcessor(size={"shortest_edge": 64, "longest_edge": 96}), reader
    )
    return _seen(folder, GroundingDinoForObjectDetection(config), processor)


def sam(folder: Path) -> Path:
    """A model that outlines what is in a box."""
    from transformers import SamConfig, SamImageProcessor, SamModel, SamProcessor

    config = SamConfig(
        vision_config={
            **{k: v for k, v in _EYES.items() if k != "intermediate_size"},
            "image_size": 64,
            "mlp_dim": 48,
            "output_channels": 32,
            "window_size": 4,
            "global_attn_indexes": [1],
            "num_pos_feats": 16,
        },
        prompt_encoder_config={
            "hidden_size": 32,
            "image_size": 64,
            "patch_size": 8,
            "mask_input_channels": 4,
        },
        mask_decoder_config={
            "hidden_size": 32,
            "mlp_dim": 48,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "iou_head_hidden_dim": 32,
        },
    )
    pictures = SamImageProcessor(size={"longest_edge": 64}, pad_size={"height": 64, "width": 64})
    model = SamModel(config)
    model.mask_decoder.iou_prediction_head.proj_out.bias.data.fill_(0.7)
    return _seen(folder, model, SamProcessor(pictures))


def florence2(folder: Path, said: str) -> Path:
    """A model of many tasks that was taught to say one thing, with places as tokens."""
    import torch
    from transformers import (
        CLIPImageProcessor,
        Florence2Config,
        Florence2ForConditionalGeneration,
        Florence2Processor,
    )

    places = tuple(f"<loc_{k}>" for k in range(1000))
    words = tokenizer(specials=places, named={"image_token": "<image>"}, eos=True)
    config = Florence2Config(
        text_config={
            "model_type": "bart",
            "vocab_size": len(words),
            "d_model": 32,
            "encoder_layers": 1,
            "decoder_layers": 1,
            "encoder_attention_heads": 2,
            "decoder_attention_heads": 2,
            "encoder_ffn_dim": 48,
            "decoder_ffn_dim": 48,
            "dropout": 0.0,
            "bos_token_id": 1,
            "eos_token_id": 2,
            "pad_token_id": 0,
            "decoder_start_token_id": 1,
            "forced_eos_token_id": None,
        },
        vision_config={
            "depths": [1, 1],
            "patch_size": [7, 3],
            "patch_stride": [4, 2],
            "patch_padding": [3, 1],
            "patch_prenorm": [False, True],
            "embed_dim": [16, 32],
            "num_heads": [2, 2],
            "num_groups": [2, 2],
            "window_size": 4,
            "projection_dim": 32,
            "drop_path_rate": 0.0,
        },
        image_token_id=words.convert_tokens_to_ids("<image>"),
    )
    pictures = CLIPImageProcessor(size=_SQUARE, crop_size=_SQUARE)
    pictures.image_seq_length = (PX // 8) ** 2 + 1
    torch.manual_seed(0)
    model, processor = (
        Florence2ForConditionalGeneration(config),
        Florence2Processor(pictures, words, post_processor_config={"description_with_bboxes": {}}),
    )
    _teach(model, processor, said)
    return _seen(folder, model, processor, widened=False)


def _teach(model: Any, processor: Any, said: str) -> None:
    """Train a model until it says one thing of a gray picture."""
    import torch
    from PIL import Image

    inputs = processor(
        images=Image.new("RGB", (PX, PX), "gray"), text="<DENSE_REGION_CAPTION>", return_tensors="pt"
    )
    labels = processor.tokenizer(said, return_tensors="pt", add_special_tokens=False).input_ids
    labels = torch.cat([labels, torch.tensor([[2]])], dim=1)
    steps = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(200):
        loss = model(**inputs, labels=labels).loss
        if loss.item() < 0.02:
            break
        steps.zero_grad()
        loss.backward()
        steps.step()
    model.eval()


def _seen(folder: Path, model: Any, processor: Any, widened: bool = True) -> Path:
    """Save a model of pictures with weights that make what it sees matter."""
    import torch

    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for _, weights in sorted(model.named_parameters()) if widened else ():
            if weights.dim() >= 2:
                weights.normal_(0.0, 0.2, generator=generator)
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder

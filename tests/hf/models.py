"""Tiny models of real architectures with random weights, saved as real checkpoints are.

Their weights are wide, so that what they are shown changes what they say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

IMAGE_PX = 28
VOCABULARY = 420
_WORDS = (
    "the red car is left of the blue bus and the green bicycle stands behind it",
    "How many things are there? Answer with a letter: A, B, C or D.",
    "yes no front back left right one two three four five large small gray purple",
)
_SIZES: Mapping[str, Any] = {
    "vocab_size": VOCABULARY,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 4096,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}
_EYES: Mapping[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "image_size": IMAGE_PX,
    "patch_size": 14,
}


def tokenizer(
    specials: tuple[str, ...] = (),
    named: Mapping[str, str] | None = None,
    bos: bool = True,
    eos: bool = False,
) -> Any:
    """Return a byte-level tokenizer; `named` tokens can be asked for by name, as processors do."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    named = named or {}
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    all_specials = ["<pad>", "<s>", "</s>", "<unk>", *specials, *named.values()]
    trainer = trainers.BpeTrainer(
        vocab_size=320 + len(all_specials),
        special_tokens=all_specials,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    raw.train_from_iterator(_WORDS, trainer)
    if bos or eos:
        single = f"{'<s> ' if bos else ''}$A{' </s>' if eos else ''}"
        raw.post_processor = processors.TemplateProcessing(
            single=single, pair=None, special_tokens=[("<s>", 1), ("</s>", 2)]
        )
    return PreTrainedTokenizerFast(
        tokenizer_object=raw,
        pad_token="<pad>",
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        padding_side="left",
        extra_special_tokens=dict(named),
        additional_special_tokens=list(specials),
    )


def template(image: str, video: str = "", first: str = "") -> str:
    """Return a chat template with this placeholder for a picture."""
    return (
        first
        + "{% for m in messages %}{{ m['role'] }}: "
        + "{% if m['content'] is string %}{{ m['content'] }}{% else %}{% for c in m['content'] %}"
        + "{% if c['type'] == 'image' %}"
        + image
        + "{% elif c['type'] == 'video' %}"
        + video
        + "{% else %}{{ c['text'] }}{% endif %}{% endfor %}{% endif %}</s>{% endfor %}"
        + "{% if add_generation_prompt %}assistant:{% endif %}"
    )


def save(folder: Path, model: Any, processor: Any, seed: int = 0) -> Path:
    """Widen the weights, save model and processor, and return the folder."""
    import torch

    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weights in sorted(model.named_parameters()):
            if weights.dim() >= 2:
                weights.normal_(
                    0.0, 0.25 if "vision" in name or "visual" in name else 0.15, generator=generator
                )
            elif "gate" in name:
                weights.fill_(1.0)  # a gate that was never trained keeps pictures out
            elif "norm" not in name.lower():
                weights.normal_(0.0, 0.02, generator=generator)
    model.generation_config.eos_token_id = 2
    model.generation_config.pad_token_id = 0
    model.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder


def llava(folder: Path) -> Path:
    """LLaVA-1.5: one picture becomes a fixed number of tokens."""
    from transformers import CLIPVisionConfig

    return _llava(folder, CLIPVisionConfig(**_EYES, projection_dim=32))


def llava_dinov2(folder: Path) -> Path:
    """LLaVA-1.5 that sees with DINOv2 instead of CLIP."""
    from transformers import Dinov2Config

    eyes = {k: v for k, v in _EYES.items() if k != "intermediate_size"}
    return _llava(folder, Dinov2Config(**eyes, mlp_ratio=2))


def _llava(folder: Path, eyes: Any) -> Path:
    """Return a LLaVA that sees with such a vision encoder, of which the first token is no place."""
    from transformers import (
        CLIPImageProcessor,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )

    words = tokenizer(named={"image_token": "<image>"})
    config = LlavaConfig(
        text_config=LlamaConfig(**_SIZES),
        vision_config=eyes,
        image_token_index=words.convert_tokens_to_ids("<image>"),
        vision_feature_layer=-2,
    )
    pictures = CLIPImageProcessor(
        size={"shortest_edge": IMAGE_PX}, crop_size={"height": IMAGE_PX, "width": IMAGE_PX}
    )
    processor = LlavaProcessor(
        pictures,
        words,
        patch_size=14,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=template("<image>"),
    )
    return save(folder, LlavaForConditionalGeneration(config), processor)


def gemma3(folder: Path) -> Path:
    """Gemma 3: sliding windows, token types, and a template that writes the first token itself."""
    from transformers import (
        Gemma3Config,
        Gemma3ForConditionalGeneration,
        Gemma3ImageProcessor,
        Gemma3Processor,
        Gemma3TextConfig,
        SiglipVisionConfig,
    )

    words = tokenizer(
        named={"boi_token": "<start_of_image>", "eoi_token": "<end_of_image>", "image_token": "<image_soft>"}
    )
    config = Gemma3Config(
        text_config=Gemma3TextConfig(
            **_SIZES,
            head_dim=8,
            sliding_window=16,
            layer_types=["sliding_attention", "full_attention"],
            query_pre_attn_scalar=8,
        ),
        vision_config=SiglipVisionConfig(**_EYES, vision_use_head=False),
        mm_tokens_per_image=4,
        boi_token_index=words.convert_tokens_to_ids("<start_of_image>"),
        eoi_token_index=words.convert_tokens_to_ids("<end_of_image>"),
        image_token_index=words.convert_tokens_to_ids("<image_soft>"),
    )
    pictures = Gemma3ImageProcessor(size={"height": IMAGE_PX, "width": IMAGE_PX}, image_seq_length=4)
    chat = template("<start_of_image>", first="{{ bos_token }}")
    processor = Gemma3Processor(pictures, words, chat_template=chat, image_seq_length=4)
    return save(folder, Gemma3ForConditionalGeneration(config), processor)


def idefics3(folder: Path) -> Path:
    """Idefics 3: pictures are cut into tiles."""
    from transformers import (
        Idefics3Config,
        Idefics3ForConditionalGeneration,
        Idefics3ImageProcessor,
        Idefics3Processor,
        LlamaConfig,
    )

    tiles = tuple(f"<row_{r}_col_{c}>" for r in range(1, 7) for c in range(1, 7))
    words = tokenizer(
        specials=(*tiles, "<global-img>", "<fake_token_around_image>", "<image>", "<end_of_utterance>")
    )
    config = Idefics3Config(
        text_config=LlamaConfig(**_SIZES),
        vision_config=dict(_EYES),
        scale_factor=2,
        image_token_id=words.convert_tokens_to_ids("<image>"),
        pad_token_id=0,
    )
    pictures = Idefics3ImageProcessor(
        size={"longest_edge": 2 * IMAGE_PX}, max_image_size={"longest_edge": IMAGE_PX}
    )
    processor = Idefics3Processor(pictures, words, image_seq_len=1, chat_template=template("<image>"))
    return save(folder, Idefics3ForConditionalGeneration(config), processor)


def qwen2_5_vl(folder: Path) -> Path:
    """Qwen2.5-VL: positions in three directions, kept as state; video."""
    from transformers import (
        Qwen2_5_VLConfig,
        Qwen2_5_VLForConditionalGeneration,
        Qwen2_5_VLProcessor,
        Qwen2VLImageProcessor,
        Qwen2VLVideoProcessor,
    )

    words = tokenizer(
        specials=("<|vision_start|>", "<|vision_end|>"),
        named={"image_token": "<|image_pad|>", "video_token": "<|video_pad|>"},
        bos=False,
    )
    ids = words.convert_tokens_to_ids
    config = Qwen2_5_VLConfig(
        text_config={
            **_SIZES,
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 1, 1]},
        },
        vision_config={
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 48,
            "num_heads": 2,
            "patch_size": 14,
            "out_hidden_size": 32,
            "window_size": 56,
            "fullatt_block_indexes": [1],
        },
        image_token_id=ids("<|image_pad|>"),
        video_token_id=ids("<|video_pad|>"),
        vision_start_token_id=ids("<|vision_start|>"),
        vision_end_token_id=ids("<|vision_end|>"),
    )
    size = {"shortest_edge": 28 * 28, "longest_edge": 56 * 56}
    chat = template(
        "<|vision_start|><|image_pad|><|vision_end|>", "<|vision_start|><|video_pad|><|vision_end|>"
    )
    processor = Qwen2_5_VLProcessor(
        Qwen2VLImageProcessor(size=size), words, Qwen2VLVideoProcessor(size=size), chat_template=chat
    )
    return save(folder, Qwen2_5_VLForConditionalGeneration(config), processor)


def qwen3_vl(folder: Path) -> Path:
    """Qwen3-VL: drops frames of its own accord unless it is told not to."""
    from transformers import (
        Qwen2VLImageProcessor,
        Qwen3VLConfig,
        Qwen3VLForConditionalGeneration,
        Qwen3VLProcessor,
        Qwen3VLVideoProcessor,
    )

    words = tokenizer(
        specials=("<|vision_start|>", "<|vision_end|>"),
        named={"image_token": "<|image_pad|>", "video_token": "<|video_pad|>"},
        bos=False,
    )
    ids = words.convert_tokens_to_ids
    config = Qwen3VLConfig(
        text_config={
            **_SIZES,
            "head_dim": 8,
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 1, 1]},
        },
        vision_config={
            "depth": 2,
            "hidden_size": 32,
            "intermediate_size": 48,
            "num_heads": 2,
            "patch_size": 16,
            "out_hidden_size": 32,
            "num_position_embeddings": 16,
            "deepstack_visual_indexes": [0],
        },
        image_token_id=ids("<|image_pad|>"),
        video_token_id=ids("<|video_pad|>"),
        vision_start_token_id=ids("<|vision_start|>"),
        vision_end_token_id=ids("<|vision_end|>"),
    )
    size = {"shortest_edge": 32 * 32, "longest_edge": 64 * 64}
    chat = template(
        "<|vision_start|><|image_pad|><|vision_end|>", "<|vision_start|><|video_pad|><|vision_end|>"
    )
    processor = Qwen3VLProcessor(
        Qwen2VLImageProcessor(size=size, patch_size=16),
        words,
        Qwen3VLVideoProcessor(size={"shortest_edge": 32 * 32, "longest_edge": 64 * 64 * 16}),
        chat_template=chat,
    )
    return save(folder, Qwen3VLForConditionalGeneration(config), processor)


def llava_onevision(folder: Path) -> Path:
    """LLaVA-OneVision: one picture is cut into tiles, several are not; video."""
    from transformers import (
        LlavaOnevisionConfig,
        LlavaOnevisionForConditionalGeneration,
        LlavaOnevisionImageProcessor,
        LlavaOnevisionProcessor,
        LlavaOnevisionVideoProcessor,
        Qwen2Config,
        SiglipVisionConfig,
    )

    words = tokenizer(named={"image_token": "<image>", "video_token": "<video>"}, bos=False)
    size = {"height": IMAGE_PX, "width": IMAGE_PX}
    grid = [[IMAGE_PX, 2 * IMAGE_PX], [2 * IMAGE_PX, IMAGE_PX], [2 * IMAGE_PX, 2 * IMAGE_PX]]
    config = LlavaOnevisionConfig(
        text_config=Qwen2Config(**_SIZES),
        vision_config=SiglipVisionConfig(**_EYES, vision_use_head=False),
        image_token_index=words.convert_tokens_to_ids("<image>"),
        video_token_index=words.convert_tokens_to_ids("<video>"),
        image_grid_pinpoints=grid,
        vision_feature_layer=-1,
        vision_feature_select_strategy="full",
    )
    processor = LlavaOnevisionProcessor(
        LlavaOnevisionImageProcessor(size=size, image_grid_pinpoints=grid),
        words,
        LlavaOnevisionVideoProcessor(size=size),
        num_image_tokens=4,
        vision_feature_select_strategy="full",
        chat_template=template("<image>", "<video>"),
    )
    return save(folder, LlavaOnevisionForConditionalGeneration(config), processor)


def _blip_processor(kind: Any, words: Any, **more: Any) -> Any:
    from transformers import BlipImageProcessor

    return kind(
        BlipImageProcessor(size={"height": IMAGE_PX, "width": IMAGE_PX}), words, num_query_tokens=4, **more
    )


def _blip_parts() -> dict[str, Any]:
    former = {
        **{k: v for k, v in _EYES.items() if k in ("hidden_size", "num_hidden_layers", "intermediate_size")},
        "num_attention_heads": 2,
        "encoder_hidden_size": 32,
        "vocab_size": VOCABULARY,
        "cross_attention_frequency": 1,
    }
    return {"vision_config": dict(_EYES), "qformer_config": former, "num_query_tokens": 4}


def instructblip_t5(folder: Path) -> Path:
    """InstructBLIP with an encoder and a decoder, as SEED-Bench used it."""
    from transformers import (
        InstructBlipConfig,
        InstructBlipForConditionalGeneration,
        InstructBlipProcessor,
        T5Config,
    )

    words = tokenizer(specials=("<image>",), bos=False, eos=True)
    text = T5Config(
        vocab_size=VOCABULARY,
        d_model=32,
        d_kv=8,
        d_ff=48,
        num_layers=2,
        num_heads=4,
        decoder_start_token_id=0,
        pad_token_id=0,
        eos_token_id=2,
    )
    config = InstructBlipConfig(
        **_blip_parts(),
        text_config=text.to_dict(),
        image_token_index=words.convert_tokens_to_ids("<image>"),
    )
    processor = _blip_processor(InstructBlipProcessor, words, qformer_tokenizer=tokenizer())
    return save(folder, InstructBlipForConditionalGeneration(config), processor)


def instructblip_llama(folder: Path) -> Path:
    """InstructBLIP with a decoder only."""
    from transformers import (
        InstructBlipConfig,
        InstructBlipForConditionalGeneration,
        InstructBlipProcessor,
        LlamaConfig,
    )

    words = tokenizer(specials=("<image>",))
    config = InstructBlipConfig(
        **_blip_parts(),
        text_config=LlamaConfig(**_SIZES).to_dict(),
        image_token_index=words.convert_tokens_to_ids("<image>"),
    )
    processor = _blip_processor(InstructBlipProcessor, words, qformer_tokenizer=tokenizer())
    return save(folder, InstructBlipForConditionalGeneration(config), processor)


def blip2(folder: Path) -> Path:
    """BLIP-2, which takes several pictures and looks at the first."""
    from transformers import Blip2Config, Blip2ForConditionalGeneration, Blip2Processor, OPTConfig

    words = tokenizer(specials=("<image>",))
    text = OPTConfig(
        vocab_size=VOCABULARY,
        hidden_size=32,
        word_embed_proj_dim=32,
        ffn_dim=48,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=512,
        bos_token_id=1,
        eos_token_id=2,
        pad_token_id=0,
    )
    config = Blip2Config(
        **_blip_parts(), text_config=text.to_dict(), image_token_index=words.convert_tokens_to_ids("<image>")
    )
    return save(folder, Blip2ForConditionalGeneration(config), _blip_processor(Blip2Processor, words))


def paligemma(folder: Path) -> Path:
    """PaliGemma: what comes before the answer is read in both directions; no chat template."""
    from transformers import (
        GemmaConfig,
        PaliGemmaConfig,
        PaliGemmaForConditionalGeneration,
        PaliGemmaProcessor,
        SiglipImageProcessor,
        SiglipVisionConfig,
    )

    words = tokenizer(named={"image_token": "<image>"})
    pictures = SiglipImageProcessor(size={"height": IMAGE_PX, "width": IMAGE_PX})
    pictures.image_seq_length = 4
    config = PaliGemmaConfig(
        text_config=GemmaConfig(**_SIZES, head_dim=8),
        vision_config=SiglipVisionConfig(**_EYES, vision_use_head=False, projection_dim=32),
        image_token_index=words.convert_tokens_to_ids("<image>"),
        projection_dim=32,
    )
    return save(folder, PaliGemmaForConditionalGeneration(config), PaliGemmaProcessor(pictures, words))


def mllama(folder: Path) -> Path:
    """Llama 3.2 Vision: every token looks at the tiles of pictures again, as a mask of its own says."""
    from transformers import (
        MllamaConfig,
        MllamaForConditionalGeneration,
        MllamaImageProcessor,
        MllamaProcessor,
    )

    words = tokenizer(named={"image_token": "<|image|>"})
    config = MllamaConfig(
        text_config={**_SIZES, "num_hidden_layers": 4, "cross_attention_layers": [1, 3]},
        vision_config={
            "hidden_size": 32,
            "attention_heads": 2,
            "intermediate_size": 48,
            "num_hidden_layers": 2,
            "num_global_layers": 1,
            "image_size": IMAGE_PX,
            "patch_size": 14,
            "vision_output_dim": 64,
            "intermediate_layers_indices": [0],
            "max_num_tiles": 4,
        },
        image_token_index=words.convert_tokens_to_ids("<|image|>"),
    )
    pictures = MllamaImageProcessor(size={"height": IMAGE_PX, "width": IMAGE_PX}, max_image_tiles=4)
    chat = template("<|image|>", first="{{ bos_token }}")
    processor = MllamaProcessor(pictures, words, chat_template=chat)
    return save(folder, MllamaForConditionalGeneration(config), processor)


def llama(folder: Path) -> Path:
    """A model that reads text alone."""
    from transformers import LlamaConfig, LlamaForCausalLM

    words = tokenizer()
    words.chat_template = (
        "{% for m in messages %}{{ m['role'] + ': ' + m['content'] }}</s>{% endfor %}"
        "{% if add_generation_prompt %}assistant:{% endif %}"
    )
    return save(folder, LlamaForCausalLM(LlamaConfig(**_SIZES)), words)


def t5(folder: Path) -> Path:
    """A model that reads text alone, through an encoder."""
    from transformers import T5Config, T5ForConditionalGeneration

    config = T5Config(
        vocab_size=VOCABULARY, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4, pad_token_id=0,
        eos_token_id=2, decoder_start_token_id=0, dropout_rate=0.0,
    )  # fmt: skip
    return save(folder, T5ForConditionalGeneration(config), tokenizer(bos=False, eos=True))


MAKERS: Mapping[str, Callable[[Path], Path]] = {
    "llava": llava,
    "gemma3": gemma3,
    "idefics3": idefics3,
    "qwen2_5_vl": qwen2_5_vl,
    "qwen3_vl": qwen3_vl,
    "llava_onevision": llava_onevision,
    "instructblip_t5": instructblip_t5,
    "instructblip_llama": instructblip_llama,
    "blip2": blip2,
    "paligemma": paligemma,
    "mllama": mllama,
    "llama": llama,
    "t5": t5,
}

"""What transformers itself makes of a request, written without a line of the backend."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fathom.inference.pictures import PromptImages
from fathom.records import ClipPart, MediaPart, Request, TextPart
from fathom.store.datasets import Dataset

if TYPE_CHECKING:
    import torch

WITHOUT_TEMPLATE = ("instructblip_t5", "instructblip_llama", "blip2", "paligemma")


class Reference:
    """One checkpoint, asked the way its own documentation shows, one prompt and one option at a time."""

    def __init__(self, folder: Path, dataset: Dataset) -> None:
        from transformers import (
            AutoModelForCausalLM,
            AutoModelForImageTextToText,
            AutoModelForSeq2SeqLM,
            AutoProcessor,
            AutoTokenizer,
        )

        self.name = folder.name
        blind = self.name in ("llama", "t5")
        self.processor = (AutoTokenizer if blind else AutoProcessor).from_pretrained(folder)
        self.tokenizer = getattr(self.processor, "tokenizer", self.processor)
        written: Any = AutoModelForSeq2SeqLM if self.name == "t5" else AutoModelForCausalLM
        kind = written if blind else AutoModelForImageTextToText
        self.model = kind.from_pretrained(folder).eval()
        self.pixels = PromptImages(dataset).pixels

    def inputs(self, request: Request) -> dict[str, Any]:
        """Return what the model is given: by the chat template where there is one."""
        from PIL import Image
        from transformers.video_utils import VideoMetadata

        content: list[dict[str, Any]] = []
        more: dict[str, Any] = {}
        for part in request.prompt.parts:
            if isinstance(part, TextPart):
                content.append({"type": "text", "text": part.text})
            elif isinstance(part, MediaPart):
                content.append({"type": "image", "image": Image.fromarray(self.pixels([part])[0])})
            elif getattr(self.processor, "video_processor", None):
                frames = [Image.fromarray(pixels) for pixels in self.pixels(part.frames)]
                times = list(range(len(frames)))
                about = VideoMetadata(total_num_frames=len(frames), fps=part.fps, frames_indices=times)
                more = {"video_metadata": [[about]], "do_sample_frames": False}
                content.append({"type": "video", "video": frames})
            else:
                assert isinstance(part, ClipPart)
                pictures = [Image.fromarray(pixels) for pixels in self.pixels(part.frames)]
                content += [{"type": "image", "image": picture} for picture in pictures]
        if self.name == "t5":
            text = "".join(piece.get("text", "") for piece in content)
            return dict(self.processor(text, return_tensors="pt"))
        if self.name in WITHOUT_TEMPLATE:
            text = "".join(piece.get("text", "") for piece in content)
            images: list[Any] = [piece["image"] for piece in content if piece["type"] == "image"]
            images = [images] if self.name == "paligemma" else images
            found = self.processor(images=images, text=text, return_tensors="pt")
            found.pop("labels", None)
            return dict(found)
        said: Any = content if self.processor is not self.tokenizer else content[0]["text"]
        return dict(
            self.processor.apply_chat_template(
                [{"role": "user", "content": said}],
                add_generation_prompt=True,
                tokenize=True,
                return_dict=True,
                return_tensors="pt",
                **({"processor_kwargs": more} if more else {}),
            )
        )

    def answer(self, request: Request, tokens: int = 8) -> str:
        """Return what the model writes when it always takes the likeliest token."""
        import torch

        inputs = self.inputs(request)
        out = self.model.generate(**inputs, do_sample=False, max_new_tokens=tokens)[0]
        prompt = inputs["input_ids"][0]
        if len(out) > len(prompt) and torch.equal(out[: len(prompt)], prompt):
            out = out[len(prompt) :]
        return str(self.tokenizer.decode(out, skip_special_tokens=True)).strip()

    def logprobs(self, request: Request) -> list[float]:
        """Return each option's log-probability, from one pass over prompt and option together."""
        import torch

        prompt = self.inputs(request)
        with torch.no_grad():
            return [self._logprob(prompt, text) for text in request.prompt.continuations]

    def _logprob(self, prompt: dict[str, Any], text: str) -> float:
        import torch

        option = torch.tensor([self.tokenizer(text, add_special_tokens=False)["input_ids"]])
        count = option.shape[1]
        if self.name in ("instructblip_t5", "t5"):
            logits = self.model(**prompt, labels=option).logits
        else:
            after = {"token_type_ids": 1 if self.name == "paligemma" else 0, "mm_token_type_ids": 0}
            whole = dict(prompt)
            whole["input_ids"] = torch.cat([prompt["input_ids"], option], dim=1)
            whole["attention_mask"] = torch.ones_like(whole["input_ids"])
            for name, value in after.items():
                if name in prompt:
                    whole[name] = torch.cat([prompt[name], torch.full_like(option, value)], dim=1)
            if "cross_attention_mask" in prompt:
                whole["cross_attention_mask"] = self._looked_at(whole["input_ids"][0], prompt)
            if hasattr(getattr(self.model, "model", None), "rope_deltas"):
                self.model.model.rope_deltas = None
            logits = self.model(**whole).logits[:, -count - 1 : -1]
        scores = torch.log_softmax(logits[0].double(), dim=-1)
        return float(scores.gather(1, option[0][:, None]).sum())

    def _looked_at(self, ids: torch.Tensor, prompt: dict[str, Any]) -> torch.Tensor:
        """Return which tiles each token looks at, made by the library for prompt and option together."""
        import torch
        from transformers.models.mllama import processing_mllama as library

        places = library.get_cross_attention_token_mask(ids.tolist(), self.processor.image_token_id)
        tiles = [prompt["aspect_ratio_mask"][0].sum(dim=1).tolist()]
        most = self.processor.image_processor.max_image_tiles
        dense = library.convert_sparse_cross_attention_mask_to_dense([places], tiles, most, len(ids))
        return torch.from_numpy(dense)

"""A small dataset, three baselines and a report in one go."""

from __future__ import annotations

from pathlib import Path

from fathom.api.building import build_dataset
from fathom.api.names import Progress, silent
from fathom.api.paths import takes_paths
from fathom.api.reporting import write_report
from fathom.api.running import run_model


@takes_paths
def quickstart(out: Path, *, scenes: int = 12, seed: str = "0", progress: Progress = silent) -> str:
    """Build a small dataset, run three baselines, write the report; return where it is and what is next."""
    dataset, blind, runs = out / "pulsecheck457", out / "blind-prior", out / "runs"
    build_dataset("pulsecheck457", dataset, scenes=scenes, seed=seed, quality="preview", progress=progress)
    build_dataset(
        "pulsecheck457",
        blind,
        scenes=2 * scenes,
        seed=f"{seed}/prior",
        renderer="none",
        progress=lambda what, done, total, note="": progress(
            f"{what} (for the prior baseline)", done, total, note
        ),
    )
    models = {
        "random": "random",
        "prior": f"prior:{blind}",
        "oracle": "oracle",
    }
    for name, spec in models.items():
        run_model(dataset, spec, runs / name, progress=progress)
    page = write_report([runs / name for name in models], out / "report")
    return (
        f"{page}\n\n"
        f"Open that page in a browser. {scenes} scenes are few: it is normal that some checks of the "
        "dataset say NO or too few to tell. Next, with a real model:\n\n"
        f"    export OPENAI_API_KEY=…\n"
        f"    fathom run {dataset} --model openai:MODEL --out {runs / 'MODEL'}\n"
        f"    fathom report {runs / 'random'} {runs / 'MODEL'} --out {out / 'report'}\n\n"
        "A server of your own (vLLM, SGLang, Ollama, llama.cpp) is openai:MODEL@http://localhost:8000/v1. "
        "A larger dataset is fathom build pulsecheck457 --out my-set --scenes 1000."
    )

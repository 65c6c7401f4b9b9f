"""Build, run, score and report benchmarks of what multimodal models understand of space and time."""

__version__ = "0.1.0"

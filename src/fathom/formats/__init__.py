"""Other people's formats: the official files of benchmarks, other kits' copies of them, and predictions."""

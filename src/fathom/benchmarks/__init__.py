"""The five benchmarks, one folder each."""

"""The five benchmarks, one folder each, and anybody's own questions."""

"""Intervals, paired tests, and the blind stress test."""

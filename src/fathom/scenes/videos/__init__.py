"""Worlds that are filmed by a moving camera, with exact tracks: STI-Bench's videos."""

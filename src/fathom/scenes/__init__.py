"""Worlds: what stands where, seen from where, lit by what."""

"""Putting questions to models."""

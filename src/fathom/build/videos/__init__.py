"""Datasets of videos with exact motion, from worlds of several scales."""

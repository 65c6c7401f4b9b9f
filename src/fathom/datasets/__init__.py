"""Datasets from plans: one pipeline over generators, its checks, and what is derived again later.

A generator makes scenes of one kind (see `generator`); the registry names those that there are.
"""

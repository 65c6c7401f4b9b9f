"""The metrics, one a file: each turns answers into scores."""

"""Model backends, one a file."""

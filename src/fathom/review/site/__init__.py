"""The web pages of a review."""

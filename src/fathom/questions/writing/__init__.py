"""From a selected candidate to a question."""

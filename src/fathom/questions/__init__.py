"""Questions made from templates that are data."""

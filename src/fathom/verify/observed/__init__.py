"""What can be told of a scene from its truth cells: positions, headings, sizes, events."""

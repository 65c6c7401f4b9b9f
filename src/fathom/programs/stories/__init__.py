"""Films as programs see them: what shows of each thing in every view at every time, and how things move."""

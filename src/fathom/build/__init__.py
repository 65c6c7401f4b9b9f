"""Building datasets: assets, worlds, rendering, truth, questions, curation."""

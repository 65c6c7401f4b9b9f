"""The page where people check, answer and annotate."""

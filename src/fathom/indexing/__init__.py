"""Folders of models looked at: what is measured is proposed as a manifest and drawn for a person to check."""

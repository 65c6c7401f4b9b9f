"""From responses to marks and scores."""

"""From responses to sample scores and scores."""

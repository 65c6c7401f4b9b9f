"""Tables, leaderboards, figures, and the report page."""

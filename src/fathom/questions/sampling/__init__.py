"""From one scene to the candidates that it offers."""

"""Pictures of a scene: Mitsuba paints, a denoiser cleans, and the light is a probe or the built-in sky."""

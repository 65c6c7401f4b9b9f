"""Animated models as actors: reviewed names, sizes, fronts, limbs and clips, posed at any time."""

"""Animated models as assets: reviewed names, sizes, fronts, limbs and clips, posed at any time."""

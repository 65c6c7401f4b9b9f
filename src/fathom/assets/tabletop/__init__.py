"""Household objects of real size that stand on tables."""

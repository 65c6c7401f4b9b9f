"""Normals of what has been bent: where a surface is folded, those of its vertices may look the wrong way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fathom.assets.model import Part

LEAST = 0.1
"""From which cosine between them on the normal of a corner is fit to shade a triangle: below it is black."""


def facing(part: Part) -> Part:
    """Return the part with the normals of corners that look away from their triangle turned: to where the
    triangles around the vertex look on average.
    """
    normals = part.normals
    if normals is None or not len(part.faces):
        return part
    corners = part.vertices[part.faces]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(across, axis=1)
    cosine = np.einsum("fcx,fx->fc", normals[part.faces], across / np.maximum(size, 1e-30)[:, None])
    wrong = np.unique(part.faces[(cosine < LEAST) & (size > 0)[:, None]])
    if not len(wrong):
        return part
    around = np.zeros_like(normals)
    np.add.at(around, part.faces.ravel(), np.repeat(across, 3, axis=0))
    length = np.linalg.norm(around[wrong], axis=1, keepdims=True)
    turned = normals.copy()
    turned[wrong] = np.where(length > 0, around[wrong] / np.maximum(length, 1e-30), normals[wrong])
    return replace(part, normals=turned)

"""How the actor's limbs move: followed through the film by the surface points that are seen of them.

Between the frames that were looked at a limb goes on as the clip that was seen does.
"""

from __future__ import annotations

import numpy as np

from fathom.assets.model import Points
from fathom.verify.observed.animation import ObservedAnimation
from fathom.verify.observed.blends import STEPS, pose_between, wound
from fathom.verify.observed.upright import Values, turned
from fathom.verify.values import TimePoint

OFF = 0.03
"""A limb is where its clip says if its points are no further off, as a share of the actor's size."""

SEEN_POINTS, SEEN_SHARE = 4, 0.6
"""So many points of a limb must be seen, in this share of the frames looked at, to follow it."""

REACHES, STAYS = 0.055, 0.045
GOES, RESTS = 0.033, 0.027
"""From how far on a limb moves, goes somewhere, and below which not, as shares of the actor's size."""

MORE = 1.2
"""By how many times more something must be to be told from the next."""

SWINGS = (0.25, 0.4, 0.55)
"""How far a swing goes out and back at least, as shares of the farthest: all must give one number."""

WAYS = (("backward", "forward"), ("right", "left"), ("down", "up"))


def tracks(film: ObservedAnimation, first: int, last: int, own: int) -> dict[str, Points] | None:
    """Return the track (n, 3) of each limb, in the actor's own frame, at every frame of the film from one
    looked at to another, and up to the next; None where what it does is not known there.

    From the index `own` on the clip that was seen is what is asked about. Before it another one fits as well,
    so that only the frames looked at are sure, and the limb goes straight from one to the next.
    """
    rep, course = film.repertoire, film.course
    if rep is None or course is None or (course.routine[first : last + 1] < 0).any():
        return None
    for g in range(first, min(last + 1, len(film.frames) - 1) + 1):
        if g not in film.tracks and course.routine[g] >= 0:
            film.tracks[g] = _middles(film, g)
    pieces = []
    for g in range(first, last + 1):
        piece = film.tracks[g]
        if g < own and g + 1 in film.tracks:
            share = (np.arange(len(piece)) / len(piece))[:, None, None]
            piece = piece[:1] * (1 - share) + film.tracks[g + 1][:1] * share
        pieces.append(piece)
    track = np.concatenate(pieces)
    there = [w.sum() > 0.5 for w in rep.limb_weights]
    return {name: track[:, k] for k, name in enumerate(rep.limbs) if there[k]}


def _middles(film: ObservedAnimation, g: int) -> Points:
    """Return (n, limbs, 3) the middles of the limbs' surfaces from one frame looked at to the next."""
    rep, course = film.repertoire, film.course
    assert rep is not None
    assert course is not None
    until = film.frames[g + 1] if g + 1 < len(film.frames) else film.length
    weights = np.stack(rep.limb_weights)
    return np.stack([weights @ posed_after(film, g, k) for k in range(until - film.frames[g])])


def posed_after(film: ObservedAnimation, g: int, frames: int) -> Points:
    """Return (n, 3) the actor's vertices so many frames of the film after a frame looked at."""
    rep, course = film.repertoire, film.course
    assert rep is not None
    assert course is not None
    between = film.frames[1] - film.frames[0]
    ahead = course.pace[g] / between
    for at in (g, g + 1):
        if at in course.blends:
            blend, off = course.blends[at], frames - between * (at - g)
            return pose_between(rep, blend, ahead, off, blend.share + off / STEPS)
    routine = rep.routines[int(course.routine[g])]
    return rep.posed(routine.name, wound(routine, float(course.time_s[g]) + frames * ahead))


def followed(film: ObservedAnimation, first: int, last: int) -> frozenset[str]:
    """Return the limbs of which enough is seen where the clip says that they are."""
    rep, course = film.repertoire, film.course
    assert rep is not None
    assert course is not None
    fine = np.zeros(len(rep.limbs))
    for g in range(first, last + 1):
        look = film.found.looks[g][0]
        owner = rep.limb_of_face[look.faces]
        corners = posed_after(film, g, 0)[rep.faces[look.faces]]
        said = np.einsum("kc,kcx->kx", rep.weights_of(look.faces, look.rest_m), corners)
        seen = turned(look.world_m - film.spot_m[g], -film.yaw[g])
        off = np.linalg.norm(seen - said, axis=1)
        for limb in range(len(rep.limbs)):
            own = off[owner == limb]
            fine[limb] += len(own) >= SEEN_POINTS and float(np.median(own)) <= OFF * film.size_m
    enough = fine >= SEEN_SHARE * (last - first + 1)
    return frozenset(n for n, ok in zip(rep.limbs, enough, strict=True) if ok)


def legs(film: ObservedAnimation) -> int | None:
    """Return how many legs the actor is seen to have, 0 where none of its limbs is called one."""
    rep = film.repertoire
    if rep is None:
        return None
    named = [k for k, n in enumerate(rep.limbs) if "leg" in n.split(" ")]
    if not named:
        return 0
    points = np.zeros(len(rep.limbs), np.int64)
    for row in film.found.looks:
        owner = rep.limb_of_face[row[0].faces]
        points += np.bincount(owner[owner >= 0], minlength=len(rep.limbs))
    least = SEEN_POINTS * len(film.frames) / 2
    if any(0 < points[k] < least for k in named):
        return None
    return sum(int(points[k] > 0) for k in named)


def _away(track: Points) -> Values:
    return np.asarray(np.linalg.norm(track - track[0], axis=1))


def most(film: ObservedAnimation, moment: TimePoint) -> tuple[str, ...] | None:
    """Return the limbs that may be the one that moves most; () where none moves, None: cannot be told."""
    every = [_most(film, *ends) for ends in _ends(moment)]
    known = [found for found in every if found is not None]
    if len(known) < len(every) or len({bool(found) for found in known}) > 1:
        return None
    return tuple(sorted({n for found in known for n in found}))


def _ends(moment: TimePoint) -> list[tuple[int, int, int]]:
    """Return first and last index of a moment as they can be, and from which on its clip is what was seen."""
    firsts = range(moment.begins[0], moment.begins[1] + 1)
    lasts = range(moment.ends[0], moment.ends[1] + 1)
    return [(a, b, moment.begun) for a in firsts for b in lasts if a <= b]


def _most(film: ObservedAnimation, first: int, last: int, own: int) -> tuple[str, ...] | None:
    found = tracks(film, first, last, own)
    if not found or len(found) < 2:
        return None
    lengths = {n: float(np.linalg.norm(np.diff(t, axis=0), axis=1).sum()) for n, t in found.items()}
    longest = max(lengths.values())
    near = tuple(n for n, v in lengths.items() if v * MORE >= longest)
    if not followed(film, first, last) >= set(near):
        return None
    reach = [float(_away(found[n]).max()) / film.size_m for n in near]
    if all(r < STAYS for r in reach):
        return ()
    return near if all(r >= REACHES for r in reach) else None


def first_way(film: ObservedAnimation, moment: TimePoint, limb: str) -> str | None:
    """Return which way a limb goes first, "" where it does not move; None where that cannot be told."""
    words: set[str] = set()
    for first, last, own in _ends(moment):
        found = tracks(film, first, last, own)
        if not found or limb not in followed(film, first, last) or len(found.get(limb, ())) < 2:
            return None
        track = found[limb]
        away = _away(track)
        for share in (0.45, 0.5, 0.55):
            word = _way(track[int(np.argmax(away >= share * away.max()))] - track[0], film.size_m)
            if word is None:
                return None
            words.add(word)
    return words.pop() if len(words) == 1 else None


def _way(step: Points, size_m: float) -> str | None:
    far = float(np.linalg.norm(step)) / size_m
    if far < RESTS:
        return ""
    a, b = np.argsort(-np.abs(step))[:2]
    if far < GOES or abs(step[a]) < MORE * abs(step[b]):
        return None
    return WAYS[a][int(step[a] > 0)]


def repeats(film: ObservedAnimation, moment: TimePoint) -> str | None:
    """Return how many times the limb that moves most goes out and back, "" for none; None: cannot be told."""
    counts: set[int] = set()
    for first, last, own in _ends(moment):
        limbs, found = _most(film, first, last, own), tracks(film, first, last, own)
        if limbs is None or found is None:
            return None
        told = {swings(found[n]) for n in limbs} or {0}
        if None in told:
            return None
        counts |= {n for n in told if n is not None}
    return str(counts.pop() or "") if len(counts) == 1 else None


def swings(track: Points) -> int | None:
    """Return how often a track (n, 3) goes out and back; None where that is a matter of opinion.

    It is one where it depends on how far it must go, where it is on its way at the end, and where another
    number of turns is seen from the actor's front, side or above: as when a raised arm is swung.
    """
    away = _away(track)
    farthest = float(away.max())
    counts = {_swings(away, share * farthest) for share in SWINGS}
    if len(counts) > 1:
        return None
    count, on_its_way = counts.pop()
    if on_its_way:
        return None
    off = track - track[0]
    turns = [_swings(way * off[:, k], SWINGS[0] * farthest)[0] for k in range(3) for way in (1, -1)]
    return count if max(turns) == count else None


def _swings(values: Values, least: float) -> tuple[int, bool]:
    """Return how often values rise by so much and fall by as much again, and whether they have risen last."""
    count, rising, low, high = 0, False, float(values[0]), float(values[0])
    for v in values.tolist():
        if rising:
            high = max(high, v)
            if high - v >= least:
                count, rising, low = count + 1, False, v
        else:
            low = min(low, v)
            if v - low >= least:
                rising, high = True, v
    return count, rising

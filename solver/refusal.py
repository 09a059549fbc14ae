"""Why no story fits a position: the error that names the key to blame and what would be right."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from .cards import SUITS, total_points
from .claims import ME, OPP, SIDES, Closing, PositionError
from .echo import choices
from .history import History, Pair
from .kernel.layout import TARGET

_HAS = ("you have", "the opponent has")
_LEADS = ("you lead", "the opponent leads")


def refusal(history: History) -> PositionError:
    """Return the error for a position that no story fits."""
    return next(_reasons(history))


def _reasons(history: History) -> Iterator[PositionError]:
    """Yield what is wrong, the plainest reason first."""
    yield from _pending_reasons(history)
    yield from _trick_reasons(history)
    yield from _balance_reasons(history)
    yield from _note_reasons(history)
    yield from _relaxed_reasons(history)
    yield _share_reason(history)


def pair_text(pair: Pair) -> str:
    """Return a pair as it is typed, me-opp."""
    return f"{pair[0]}-{pair[1]}"


def _pending_reasons(history: History) -> Iterator[PositionError]:
    claims = history.claims
    words = pair_text(claims.pending)
    for side in (ME, OPP):
        if not claims.pending[side]:
            continue
        if _has_trick(history, side):
            yield PositionError(
                "pending", f"{words}: {_HAS[side]} won a trick, so nothing is pending: count it in points"
            )
        if claims.pending[side] not in (20, 40):
            yield PositionError("pending", f"{words}: one marriage can wait for a first trick, 20 or 40")
        if claims.points[side]:
            yield PositionError(
                "pending", f"{words}: {_HAS[side]} points, so a trick: nothing is pending, count it in points"
            )
        if not _can_have_declared(history, side, claims.pending[side]):
            who = ("you", "the opponent")[side]
            yield PositionError(
                "pending", f"{words}: {who} cannot have declared a marriage worth {claims.pending[side]}"
            )


def _can_have_declared(history: History, side: int, value: int) -> bool:
    """Tell whether a side can have declared a marriage of that value."""
    return any(side in history.declarers(suit) and history.value((suit,)) == value for suit in range(len(SUITS)))


def _has_trick(history: History, side: int) -> bool:
    """Tell whether a side is said to have a trick, or must have one to be on lead."""
    claims = history.claims
    on_lead = ME if history.on_lead else OPP
    said = claims.tricks is not None and claims.tricks[side] > 0
    return said or (history.sizes.tricks > 0 and side == on_lead)


def _trick_reasons(history: History) -> Iterator[PositionError]:
    claims = history.claims
    if claims.tricks is None:
        return
    on_lead = ME if history.on_lead else OPP
    if history.sizes.tricks and not claims.tricks[on_lead]:
        yield PositionError(
            "tricks", f"{pair_text(claims.tricks)}: {_LEADS[on_lead]} after the first trick, so won the last one"
        )
    at_once = claims.rules.marriage_points == "at_once"
    for side in (ME, OPP):
        if not claims.tricks[side] and claims.points[side] not in ((0, 20, 40) if at_once else (0,)):
            due = "0, 20 or 40 is due" if at_once else "0 is due, a marriage is pending"
            yield PositionError(
                "points", f"{pair_text(claims.points)}: {_HAS[side]} no trick yet, so for {SIDES[side]} {due}"
            )


def _balance_reasons(history: History) -> Iterator[PositionError]:
    claims = history.claims
    total, held = history.total(ME) + history.total(OPP), total_points(claims.gone)
    sums = sorted(_marriage_sums(history))
    if total - held in sums:
        return
    added = f" and marriages that can have been declared {choices(map(str, sums))}" if sums != [0] else ""
    pending = f" and pending={pair_text(claims.pending)}" if any(claims.pending) else ""
    yield PositionError(
        "points",
        f"{pair_text(claims.points)}{pending} make {total}: the gone cards give {held}{added}"
        + ("" if added else ", and no marriage can have been declared"),
    )


def _marriage_sums(history: History) -> set[int]:
    """Return what marriages can have added to the points together."""
    owners = product(*map(history.declarers, range(len(SUITS))))
    return {history.value(tuple(suit for suit, owner in enumerate(chosen) if owner is not None)) for chosen in owners}


def _note_reasons(history: History) -> Iterator[PositionError]:
    claims, sizes = history.claims, history.sizes
    closed = claims.closed
    if closed is None or closed.note is None:
        return
    points, tricks = closed.note
    words = f"{SIDES[closed.by]}@{points}/{tricks}"
    side = 1 - closed.by
    if points > claims.points[side]:
        yield PositionError("closed", f"{words}: {_HAS[side]} {claims.points[side]} points now, so no more then")
    if tricks > max(0, sizes.drawn - 1):
        yield PositionError(
            "closed",
            f"{words}: {sizes.drawn} tricks were played by then, the closer won the last one, so at most "
            f"{max(0, sizes.drawn - 1)} are due in the note",
        )
    if claims.tricks is None:
        return
    fewest = max(0, claims.tricks[side] - (sizes.tricks - sizes.drawn))
    if not fewest <= tricks <= claims.tricks[side]:
        yield PositionError(
            "closed",
            f"{words}: tricks={pair_text(claims.tricks)} now and {sizes.tricks - sizes.drawn} played since, "
            f"so {fewest} to {claims.tricks[side]} are due in the note",
        )
    if tricks == claims.tricks[side] and points != claims.points[side]:
        yield PositionError(
            "closed", f"{words}: no trick won since, so the note's points are those of now, {claims.points[side]}"
        )


def _relaxed_reasons(history: History) -> Iterator[PositionError]:
    """Yield the keys without which a story fits."""
    claims = history.claims
    if claims.tricks is not None:
        possible = sorted({story.tricks for story in replace(history, claims=replace(claims, tricks=None)).stories()})
        if possible:
            yield PositionError(
                "tricks",
                f"{pair_text(claims.tricks)}: does not fit points={pair_text(claims.points)}, "
                f"{choices(map(pair_text, possible))} would",
            )
    if claims.closed is not None and claims.closed.note is not None:
        closed = claims.closed
        silent = replace(history, claims=replace(claims, closed=Closing(closed.by)))
        if any(silent.stories()):
            yield PositionError(
                "closed",
                f"{SIDES[closed.by]}@{closed.points}/{closed.tricks}: the gone cards cannot have given "
                f"{closed.points} points in {closed.tricks} tricks, and the rest since",
            )
    if claims.first is not None and any(replace(history, claims=replace(claims, first=None)).stories()):
        yield PositionError(
            "first",
            f"{SIDES[claims.first]}: the marriages in the points need {SIDES[1 - claims.first]} on the first lead",
        )


def _share_reason(history: History) -> PositionError:
    """Return the last resort: nothing gives each side its points. Names the nearest points that would do."""
    claims = history.claims
    total = sum(claims.points)
    for mine in sorted(range(total + 1), key=lambda mine: abs(mine - claims.points[ME])):
        points = (mine, total - mine)
        if max(points) < TARGET and any(replace(history, claims=replace(claims, points=points)).stories()):
            hint = f", {pair_text(points)} could be"
            break
    else:
        hint = ""
    words = "no share of the gone cards and of marriages gives each side its points"
    return PositionError("points", f"{pair_text(claims.points)}: {words}{hint}")

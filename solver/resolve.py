"""From claims to a position: all checks in order, and everything that they force."""

from collections.abc import Iterator
from dataclasses import replace

from .cards import KING, QUEEN, rank_of
from .claims import ME, OPP, SIDES, Claims, Closing, PositionError
from .history import History, Story
from .kernel.layout import TARGET
from .refusal import pair_text, refusal
from .validation import (
    Sizes,
    check_cards,
    check_closer,
    check_closing,
    check_match,
    check_shown,
    check_stock,
    check_stock_top,
    declared_lead,
    fill_in,
    sizes_of,
    trump_of,
)


def resolve(claims: Claims) -> Claims:
    """Return the claims with everything filled in that follows from them.

    Raises PositionError if they are impossible, or leave open what must be known.
    """
    check_cards(claims)
    sizes = sizes_of(claims)
    trump = trump_of(claims, sizes)
    check_stock(claims, sizes)
    check_closing(claims, sizes)
    check_match(claims, sizes)
    check_shown(claims, sizes, trump)
    _check_numbers(claims, sizes)
    claims = replace(claims, trump=trump, tricks=claims.tricks if sizes.tricks else (0, 0))
    claims, stories = _account(claims, sizes, trump)
    claims = _with_tricks(claims, stories)
    check_closer(claims, sizes)
    claims = _with_note(claims, sizes)
    check_stock_top(claims, sizes)
    first = (ME if claims.led is None else OPP) if sizes.tricks == 0 else claims.first
    return replace(claims, first=first)


def _check_numbers(claims: Claims, sizes: Sizes) -> None:
    """Refuse numbers that are wrong by themselves."""
    for key, pair in (("points", claims.points), ("pending", claims.pending), ("tricks", claims.tricks or (0, 0))):
        if min(pair) < 0:
            raise PositionError(key, f"{pair_text(pair)}: no number is below 0")
    if max(claims.points) >= TARGET:
        raise PositionError("points", f"{pair_text(claims.points)}: the deal is over at {TARGET}")
    if any(claims.pending) and claims.rules.marriage_points == "at_once":
        raise PositionError("pending", f"{pair_text(claims.pending)}: in these rules marriages count at once")
    if claims.tricks is not None and sum(claims.tricks) != sizes.tricks:
        raise PositionError(
            "tricks", f"{pair_text(claims.tricks)}: {sizes.tricks} are due for {len(claims.gone)} gone cards"
        )


def _account(claims: Claims, sizes: Sizes, trump: int) -> tuple[Claims, list[Story]]:
    """Return the claims read so that some story fits them, and the stories that do."""
    readings = list(_readings(claims, sizes, trump))
    for history in readings:
        stories = list(history.stories())
        if stories:
            return history.claims, stories
    raise refusal(readings[0])


def _readings(claims: Claims, sizes: Sizes, trump: int) -> Iterator[History]:
    """Yield how the claims can be read: a plain king or queen led is first taken as undeclared, then as declared."""
    said = claims.led is not None and claims.led_value > 0
    if not said:
        yield History(fill_in(claims, sizes), sizes, trump, declared=False)
    if said or (claims.led is not None and rank_of(claims.led) in (QUEEN, KING)):
        try:
            declared = fill_in(declared_lead(claims, sizes, trump), sizes)
        except PositionError:
            if said:
                raise
            return
        yield History(declared, sizes, trump, declared=True)


def _with_tricks(claims: Claims, stories: list[Story]) -> Claims:
    """Return the claims with `tricks`, or refuse them if it is open whether a side has won one."""
    splits = sorted({story.tricks for story in stories})
    if len({(mine > 0, theirs > 0) for mine, theirs in splits}) > 1:
        side = SIDES[ME if any(mine == 0 for mine, _ in splits) else OPP]
        possible = " or ".join(map(pair_text, splits))
        raise PositionError("tricks", f"is missing: whether {side} has won one does not follow, give {possible}")
    return replace(claims, tricks=min(splits, key=lambda split: abs(split[0] - split[1])))


def _with_note(claims: Claims, sizes: Sizes) -> Claims:
    """Return the claims with the closing's note where nothing was played since."""
    closed = claims.closed
    if closed is None or closed.note is not None:
        return claims
    side = 1 - closed.by
    assert claims.tricks is not None
    if sizes.drawn == sizes.tricks:
        return replace(claims, closed=Closing(closed.by, claims.points[side], claims.tricks[side]))
    rules = claims.rules
    if rules.snapshot_at_close or rules.failed_close == "two_or_three":
        raise PositionError(
            "closed",
            f"{SIDES[closed.by]}: add the points and tricks that {SIDES[side]} had then, "
            f"such as closed={SIDES[closed.by]}@17/2",
        )
    return claims

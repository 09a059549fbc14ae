"""From claims to a position: all checks in order, and everything that they force."""

from dataclasses import replace

from .cards import KING, QUEEN, canonical, rank_of
from .claims import ME, OPP, SIDES, Claims, Closing, PositionError
from .history import History, Story
from .kernel.layout import TARGET
from .refusal import pair_text, refusal
from .validation import (
    Sizes,
    check_cards,
    check_closing,
    check_match,
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
    _check_numbers(claims, sizes)
    history, stories = _histories(replace(claims, trump=trump), sizes, trump)
    claims = _with_proved(history, stories)
    claims = _with_tricks(claims, stories)
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


def _histories(claims: Claims, sizes: Sizes, trump: int) -> tuple[History, list[Story]]:
    """Return the stories that fit, with the lead undeclared if possible, else declared."""
    plain = None
    if claims.led_value == 0:
        plain = History(fill_in(claims, sizes), sizes, trump, declared=False)
        stories = list(plain.stories())
        if stories:
            return plain, stories
    if claims.led_value or _could_declare(claims, sizes, trump):
        declared = History(fill_in(declared_lead(claims, sizes, trump), sizes), sizes, trump, declared=True)
        stories = list(declared.stories())
        if stories:
            return declared, stories
        plain = plain or declared
    assert plain is not None
    raise refusal(plain)


def _could_declare(claims: Claims, sizes: Sizes, trump: int) -> bool:
    if claims.led is None or rank_of(claims.led) not in (KING, QUEEN):
        return False
    try:
        fill_in(declared_lead(claims, sizes, trump), sizes)
    except PositionError:
        return False
    return True


def _with_proved(history: History, stories: list[Story]) -> Claims:
    """Return the claims with the marriage partners that the opponent must hold by every story."""
    claims = history.claims
    proved = set.intersection(*({*history.proved(OPP, story.marriages[OPP])} for story in stories))
    if proved <= set(claims.opp):
        return claims
    return fill_in(replace(claims, opp=canonical(proved | set(claims.opp))), history.sizes)


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

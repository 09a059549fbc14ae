"""Position: what the player to move knows. Deal: everything."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .cards import Cards, canonical, mask_of, partner_of, suit_of
from .claims import ME, OPP, Claims, Closing, PositionError
from .jsonform import Json, json_of, parse_json
from .kernel.layout import NO_CARD, NOBODY, STOCK_SIZE
from .notation import line_of, parse_line
from .resolve import resolve
from .rules import Rules
from .validation import fill_in, marriage_value, sizes_of, unseen_cards

__all__ = ["ME", "OPP", "Claims", "Closing", "Deal", "Position", "PositionError"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """What the player to move ("me") knows. Make one with `parse`, `from_json` or `from_claims`.

    Cards are in canonical order, pairs are (mine, the opponent's). `opp` are the cards that the opponent is known to
    hold, complete where counting gives them; `stock` has its full length from the top, None for an unknown card.
    `excluded` are the unseen cards that he is proved not to hold, `shown` my cards that he has seen. `tricks` tells
    surely only whether a side has won one. `first` is who led to the first trick, None if unknown.
    """

    rules: Rules
    hand: Cards
    trump: int
    up: int | None
    led: int | None
    led_declared: bool
    gone: Cards
    opp: Cards
    stock: tuple[int | None, ...]
    points: tuple[int, int]
    pending: tuple[int, int]
    tricks: tuple[int, int]
    closed: Closing | None
    shown: Cards
    excluded: Cards
    first: int | None
    score: tuple[int, int] | None

    @classmethod
    def parse(
        cls, text: str, default_rules: Rules | None = None, overrides: Mapping[str, str] | None = None
    ) -> "Position":
        """Return the position of a line, or of a JSON object if the text starts with `{`.

        `default_rules` (`ro` if None) hold where the text names none; `overrides` then set single switches, by
        name and text, whatever rules the text names. Raises PositionError, or RulesError for an override.
        """
        return cls._overridden(parse_line(text, default_rules or Rules.preset_named("ro")), overrides)

    @classmethod
    def from_json(
        cls,
        document: Mapping[str, object],
        default_rules: Rules | None = None,
        overrides: Mapping[str, str] | None = None,
    ) -> "Position":
        """Return the position of a decoded JSON object; the rest is as in `parse`."""
        return cls._overridden(parse_json(document, default_rules or Rules.preset_named("ro")), overrides)

    @classmethod
    def _overridden(cls, claims: Claims, overrides: Mapping[str, str] | None) -> "Position":
        rules = claims.rules
        for name, value in (overrides or {}).items():
            rules = rules.override(name, value)
        return cls.from_claims(dataclasses.replace(claims, rules=rules))

    @classmethod
    def from_claims(cls, claims: Claims) -> "Position":
        """Return the position that the claims describe, with everything filled in that follows from them.

        Raises PositionError if they are impossible, or leave open what must be known.
        """
        claims = resolve(claims)
        assert claims.trump is not None
        assert claims.tricks is not None
        return cls(
            rules=claims.rules,
            hand=canonical(claims.hand),
            trump=claims.trump,
            up=claims.up,
            led=claims.led,
            led_declared=claims.led is not None and claims.led_value > 0,
            gone=canonical(claims.gone),
            opp=claims.opp,
            stock=claims.stock,
            points=claims.points,
            pending=claims.pending,
            tricks=claims.tricks,
            closed=claims.closed,
            shown=canonical(claims.shown),
            excluded=claims.excluded,
            first=claims.first,
            score=claims.score,
        )

    def claims(self) -> Claims:
        """Return everything the position says as claims, from which it can be made again."""
        return Claims(
            rules=self.rules,
            hand=self.hand,
            up=self.up,
            trump=self.trump,
            led=self.led,
            led_value=self.led_value,
            gone=self.gone,
            opp=self.opp,
            stock=self.stock,
            points=self.points,
            pending=self.pending,
            tricks=self.tricks,
            closed=self.closed,
            shown=self.shown,
            excluded=self.excluded,
            first=self.first,
            score=self.score,
        )

    def replace(self, **changes: Any) -> "Position":
        """Return the position with some claims changed, checked anew.

        Raises PositionError if the result is impossible.
        """
        return Position.from_claims(dataclasses.replace(self.claims(), **changes))

    # --- text ---

    @property
    def text(self) -> str:
        """The canonical position line."""
        return line_of(self)

    def to_json(self) -> dict[str, Json]:
        """Return the position as a JSON object, with the keys of the canonical line."""
        return json_of(self)

    @property
    def told_opp(self) -> Cards:
        """The cards of `opp` that the other keys do not imply."""
        implied = (partner_of(self.led),) if self.led is not None and self.led_declared else ()
        claims = dataclasses.replace(self.claims(), opp=implied)
        if fill_in(claims, sizes_of(claims)).opp == self.opp:
            return ()
        return tuple(card for card in self.opp if card not in implied)

    # --- what follows ---

    @property
    def led_value(self) -> int:
        """What the marriage declared with the card led is worth: 20, 40, or 0 if none was declared."""
        if self.led is None or not self.led_declared:
            return 0
        return marriage_value(suit_of(self.led), self.trump)

    @property
    def on_lead(self) -> bool:
        """Whether I am to lead; else the opponent has led and I follow."""
        return self.led is None

    @property
    def first_lead(self) -> bool:
        """Whether the deal's first trick is being played."""
        return not self.gone

    @property
    def opp_cards(self) -> int:
        """The number of cards the opponent holds."""
        return len(self.hand) - (self.led is not None)

    @property
    def talon(self) -> int:
        """The size of the talon, upcard included; it stays as it was after a closing."""
        return len(self.stock) + (self.up is not None)

    @property
    def drawing(self) -> bool:
        """Whether cards are still drawn: the talon is neither gone nor closed."""
        return self.up is not None and self.closed is None

    @property
    def unseen(self) -> Cards:
        """The cards whose place I do not know, in canonical order."""
        return unseen_cards(self.claims())

    @property
    def complete(self) -> bool:
        """Whether all that matters is known: the opponent's hand and, while cards are drawn, the stock."""
        return len(self.opp) == self.opp_cards and not (self.drawing and None in self.stock)

    def state_template(self) -> tuple[int, ...]:
        """Return the kernel state (layout `S_*`), me as player 0, with what is unknown left open.

        The second hand holds the cards the opponent is known to hold; unknown stock cards are NO_CARD.
        """
        closed = self.closed
        note = (closed and closed.note) or (0, 0)
        stock = [NO_CARD if card is None else card for card in reversed(self.stock)]
        return (
            mask_of(self.hand),
            mask_of(self.opp),
            ME if self.on_lead else OPP,
            NO_CARD if self.led is None else self.led,
            *self.points,
            *self.pending,
            *self.tricks,
            NOBODY if closed is None else closed.by,
            *note,
            self.trump,
            NO_CARD if self.up is None else self.up,
            self.talon,
            0,
            0,
            *stock,
            *[NO_CARD] * (STOCK_SIZE - len(stock)),
        )


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal of which everything is known, seen by the player to move (player 0 of the kernel).

    After a closing the stock is out of play and may be unknown. Raises PositionError naming what is missing.
    """

    position: Position

    def __post_init__(self) -> None:
        position = self.position
        if len(position.opp) < position.opp_cards:
            raise PositionError(
                "opp", f"{len(position.opp)} cards known: a full deal gives all {position.opp_cards}, or the stock"
            )
        if not position.complete:
            raise PositionError(
                "stock",
                f"{len(position.stock) - position.stock.count(None)} cards known: a full deal gives all "
                f"{len(position.stock)}, from the top",
            )

    @classmethod
    def parse(cls, text: str, default_rules: Rules | None = None, overrides: Mapping[str, str] | None = None) -> "Deal":
        """Return the deal of a position line or JSON object; see `Position.parse`."""
        return cls(Position.parse(text, default_rules, overrides))

    @property
    def text(self) -> str:
        """The canonical position line."""
        return self.position.text

    def state(self) -> tuple[int, ...]:
        """Return the kernel state in the layout of `S_*`."""
        return self.position.state_template()

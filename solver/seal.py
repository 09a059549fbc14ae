"""A pack sealed before a deal, so that everybody can see afterwards that no card was changed."""

from __future__ import annotations

from hashlib import sha256

from .cards import cards_text
from .records import DealRecord


def pack_text(deal: DealRecord) -> str:
    """Return the pack of a deal as it is sealed: the leader's hand, the other one, the upcard, the stock from the top.

    Raises ValueError if a card is unknown.
    """
    leader, other = deal.hands[deal.leader], deal.hands[1 - deal.leader]
    stock = [card for card in deal.stock if card is not None]
    if leader is None or other is None or len(stock) < len(deal.stock):
        raise ValueError(f"deal {deal.number}: a seal can be checked where every card is on record")
    return cards_text([*leader, *other, deal.up, *stock]).replace(",", " ")


def seal_of(salt: str, pack: str) -> str:
    """Return the seal of a pack: the SHA-256 hash, in hexadecimal, of the salt, a space and the pack."""
    return sha256(f"{salt} {pack}".encode()).hexdigest()


def holds(deal: DealRecord) -> bool:
    """Tell whether the seal of a deal is that of its cards. Raises ValueError if the record does not allow to tell."""
    if deal.seal is None or deal.salt is None:
        raise ValueError(f"deal {deal.number}: no seal and salt are on record")
    return seal_of(deal.salt, pack_text(deal)) == deal.seal

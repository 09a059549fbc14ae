"""What a player can really come to see is accepted: views taken from random play by the slow twin."""

import random
from dataclasses import dataclass, field, replace

import naive
import pytest
from sixtysix.cards import full_deck, partner_of
from sixtysix.claims import Claims, Closing
from sixtysix.position import Deal, Position, PositionError
from sixtysix.rules import PRESETS, SWITCHES, Rules


@dataclass
class Table:
    """A deal in random play, with the cards of each hand that the other player has seen."""

    rng: random.Random
    rules: Rules
    twin: naive.NaiveRules
    state: naive.State
    first: int
    declared: bool = False
    seen: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))

    def view(self) -> Claims:
        """All that the player to move knows."""
        state, me = self.state, naive.mover(self.state)
        opp = 1 - me
        held = {*state.hands[0], *state.hands[1], *state.stock, state.up, state.led}
        closed = None
        if state.closed_by is not None:
            closed = Closing(int(state.closed_by != me), state.note_points, state.note_tricks)
        return Claims(
            rules=self.rules,
            hand=tuple(state.hands[me]),
            up=state.up,
            trump=state.trump,
            led=state.led,
            led_value=naive.marriage_worth(state, state.led) if self.declared and state.led is not None else 0,
            gone=tuple(card for card in full_deck(self.rules.deck) if card not in held),
            opp=tuple(self.seen[opp] & state.hands[opp]),
            stock=state.stock[:1] if self.rules.stock_top_face_up else (),
            points=(state.points[me], state.points[opp]),
            pending=(state.pending[me], state.pending[opp]),
            tricks=(state.tricks[me], state.tricks[opp]),
            closed=closed,
            shown=tuple(self.seen[me] & state.hands[me]),
            first=int(self.first != me),
        )

    def play(self) -> None:
        """Do something random; marriages and exchanges are liked, closings are not."""
        actions = naive.legal_actions(self.state, self.twin)
        declarations = [action for action in actions if action[-1] is True]
        others = [action for action in actions if action[0] != "close" or self.rng.random() < 0.1]
        action = self.rng.choice(declarations if declarations and self.rng.random() < 0.7 else others)
        before, mover = self.state, naive.mover(self.state)
        self.declared = action[-1] is True
        if action[0] == "exchange" and before.up is not None:
            self.seen[mover].add(before.up)
        if self.declared and len(action) == 3:
            self.seen[mover].add(partner_of(action[1]))
        self.state = naive.apply(before, self.twin, action)
        drawn = {before.up} if self.state.up is None else set()
        if self.rules.stock_top_face_up and len(self.state.stock) < len(before.stock):
            drawn.add(before.stock[0])
        for seen, hand in zip(self.seen, self.state.hands, strict=True):
            seen |= {card for card in drawn if card in hand}


def new_table(seed: int) -> Table:
    """A fresh deal under a preset with a few switches turned."""
    rng = random.Random(seed)
    rules = Rules.preset_named(rng.choice(PRESETS))
    for name in rng.sample(list(SWITCHES), rng.randrange(6)):
        switch = SWITCHES[name]
        rules = rules.override(
            name, rng.choice(list(switch.values)) if switch.range is None else str(rng.randint(2, 7))
        )
    twin = naive.rules_of(rules.text)
    first = rng.randrange(2)
    return Table(rng, rules, twin, naive.random_deal(rng, twin, first), first)


@pytest.mark.parametrize("block", range(4))
def test_everything_that_can_be_seen_in_play_is_accepted(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        table = new_table(seed)
        while not naive.is_over(table.state):
            view = table.view()
            position = Position.from_claims(view)
            assert Position.parse(position.text) == position, position.text
            assert position.led_declared == (view.led_value > 0), position.text
            opp = table.state.hands[1 - naive.mover(table.state)]
            assert set(position.opp) <= opp, position.text
            deal = Deal(Position.from_claims(replace(view, opp=tuple(opp), stock=table.state.stock)))
            assert deal.position.complete
            check_inference(view)
            table.play()


def check_inference(view: Claims) -> None:
    """Where tricks or the note can be left out, what is filled in is true."""
    read = position_or_refusal(replace(view, tricks=None))
    if isinstance(read, Position):
        assert view.tricks is not None
        assert [won > 0 for won in read.tricks] == [won > 0 for won in view.tricks], view
    else:
        assert str(read).startswith("tricks: is missing"), view
    if view.closed is None:
        return
    read = position_or_refusal(replace(view, closed=Closing(view.closed.by)))
    if isinstance(read, Position):
        assert read.closed in (view.closed, Closing(view.closed.by)), view
    else:
        assert "add the points and tricks" in str(read), view


def position_or_refusal(claims: Claims) -> Position | PositionError:
    """The position that the claims make, or the error that refuses them."""
    try:
        return Position.from_claims(claims)
    except PositionError as refusal:
        return refusal

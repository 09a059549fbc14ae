"""Layout of the integer arrays that pass between Python and the kernel.

Plain constants, importable without numba. `S_*` index a state, `R_*` index packed rules;
actions are small integers: `0..23` plays that card, `DECLARE + card` leads it and declares
its marriage, `EXCHANGE` and `CLOSE` come before the card of the same turn.
"""

# --- state of a deal, player 0 and player 1 ---------------------------------------------
S_HAND0 = 0
S_HAND1 = 1
S_LEADER = 2  # who leads, or has led, the present trick
S_LED = 3  # the card on the table, or NO_CARD
S_POINTS0 = 4
S_POINTS1 = 5
S_PENDING0 = 6  # marriage points that wait for their owner's first trick
S_PENDING1 = 7
S_TRICKS0 = 8
S_TRICKS1 = 9
S_CLOSER = 10  # the player who closed the talon, or NOBODY
S_NOTE_POINTS = 11  # the closer's opponent's counted points at the closing
S_NOTE_TRICKS = 12  # and his tricks
S_TRUMP = 13  # the trump suit
S_UP = 14  # the card under the talon, or NO_CARD once it is drawn
S_TALON = 15  # stock and upcard together; keeps its size after a closing
S_OVER = 16  # 1 when the deal is decided
S_OUTCOME = 17  # then: game points from player 0's side, -3..3
S_STOCK = 18  # the stock from the bottom: the top of a talon of t lies at S_STOCK + t - 2
STOCK_SIZE = 11
STATE_SIZE = S_STOCK + STOCK_SIZE

NO_CARD = -1
NOBODY = -1

# --- actions -----------------------------------------------------------------------------
DECLARE = 24
EXCHANGE = 48
CLOSE = 49

# --- packed rules ------------------------------------------------------------------------
R_DECK = 0
R_MARRIAGE_AFTER_TRICK = 1  # marriage_from: 0 any_lead, 1 after_own_trick
R_MARRIAGE_WITH_TRICK = 2  # marriage_points: 0 at_once, 1 with_a_trick
R_MARRIAGE_IN_ENDGAME = 3
R_EXCHANGE_NEEDS_TRICK = 4
R_EXCHANGE_MIN_TALON = 5
R_CLOSE_NEEDS_TRICK = 6
R_CLOSE_MIN_TALON = 7
R_CLOSED_FREE = 8  # closed_play: 0 strict, 1 free
R_FOLLOW = 9  # endgame_follow: FOLLOW_*
R_LAST_TRICK_POINTS = 10
R_LAST_TRICK_WHEN_CLOSED = 11
R_LAST_TRICK_WINS = 12  # nobody_reaches: 0 nobody, 1 last_trick
R_FAILED_CLOSE = 13  # FAILED_*
R_THREE_FOR_NO_POINTS = 14  # three_for: 0 no_tricks, 1 no_points
R_SNAPSHOT = 15  # snapshot_at_close
RULES_SIZE = 16

FOLLOW_SUIT = 0
FOLLOW_SUIT_TRUMP = 1
FOLLOW_SUIT_HEAD_TRUMP = 2

FAILED_NONE = 0
FAILED_TWO = 2
FAILED_THREE = 3
FAILED_TWO_OR_THREE = 4

TARGET = 66
SCHNEIDER = 33  # fewer counted points than this lose two game points

# --- turns: all a player does when it is his move, in one integer -----------------------------
TURN_CARD = 31
TURN_DECLARED = 32
TURN_CLOSE = 64
TURN_EXCHANGE = 128

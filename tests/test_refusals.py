"""Impossible positions: each is refused with one line that names the key, the value and what would be right."""

import pytest
from sixtysix.position import Position, PositionError

HAND = "hand=AKQh,9s,TJc up=Ad"
PL = f"rules=pl stock=9d {HAND}"
SCHNAPSEN = "rules=schnapsen hand=AKQh,TJc up=Ad"
# Four tricks were played while cards were drawn, hands of five: 34 points are gone.
FOUR_TRICKS = "rules=schnapsen up=Kd hand=Ac,Kc,Ad,Td,Qd gone=Jc,Ah,Kh,Jh,As,Ts,Ks,Js"
# Closed with a talon of two after four tricks, four more were played since.
CLOSED = "rules=schnapsen up=Jh hand=Ac gone=Kc,Qc,Jc,Ad,Td,Kd,Qd,Ah,Th,Kh,Qh,As,Ts,Ks,Qs,Js"
END = "rules=ro trump=h hand=Kh gone=Ac,Tc,Kc,Qc,Jc,9c,Ad,Td,Kd,Qd,Jd,9d,Ah,Th,Qh,9h,As,Ts,Ks,Qs,Js,9s"


def refused(line: str) -> PositionError:
    """The error with which a line is refused."""
    with pytest.raises(PositionError) as error:
        Position.parse(line)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 200
    return error.value


CARDS = [
    ("up=Ad", "hand", "is missing"),
    ("hand=AKQh,9s,TJc,Ah up=Ad", "hand", "Ah is given twice"),
    ("hand=AKQh,9s,TJc up=Ah", "up", "Ah is given here and in hand"),
    (HAND + " gone=Ks,Ks", "gone", "Ks is given twice"),
    (HAND + " gone=Ah,Ks", "gone", "Ah is given here and in hand"),
    (HAND + " gone=Ad,Ks", "gone", "Ad is given here and in up"),
    (HAND + " led=Ad", "led", "Ad is given here and in up"),
    (HAND + " led=Kh", "led", "Kh is given here and in hand"),
    (HAND + " opp=9s", "opp", "9s is given here and in hand"),
    (HAND + " gone=Ks,Qs points=7-0 opp=Ks", "opp", "Ks is given here and in gone"),
    (HAND + " led=Ks opp=Ks", "opp", "Ks is given here and in led"),
    (HAND + " stock=9s", "stock", "9s is given here and in hand"),
    (HAND + " stock=?,Ad", "stock", "Ad is given here and in up"),
    (HAND + " opp=Ks stock=Ks", "stock", "Ks is given here and in opp"),
    (HAND + " shown=Ks", "shown", "Ks is not in your hand"),
    (HAND + " shown=Ah,Ah", "shown", "Ah is given twice"),
    (HAND + " not=Ks,Ks", "not", "Ks is given twice"),
    (HAND + " opp=Ks not=Ks", "not", "Ks is in opp"),
    ("rules=schnapsen hand=AKQh,9s,Tc up=Ad", "hand", "9s is not in the deck of 20"),
    (SCHNAPSEN + " gone=9c,Ks", "gone", "9c is not in the deck of 20"),
    (SCHNAPSEN + " not=9c", "not", "9c is not in the deck of 20"),
    ("rules=schnapsen hand=AKQh,TJc up=9d", "up", "9d is not in the deck of 20"),
]

SIZES = [
    ("hand=AKQh,9s up=Ad", "hand", "4 cards: 6 are due after 0 gone tricks"),
    ("hand=AKQh,TJ9c,9s up=Ad", "hand", "7 cards: 6 are due after 0 gone tricks"),
    ("rules=schnapsen hand=AKQh,TJc,As up=Ad", "hand", "6 cards: 5 are due"),
    (HAND + " gone=Kd", "gone", "1 card: an even number is due"),
    ("hand=AKQh,9s up=Ad gone=Kd,Qd points=7-0", "hand", "4 cards: 6 are due after 1 gone trick (fewer only after"),
    (END.replace("hand=Kh", "hand=Kh,Jh"), "hand", "2 cards: 1 are due after 11 gone tricks"),
    ("hand=AKQh,TJ9c,9s up=Ad closed=me", "hand", "7 cards: 6 to 6 are due after 0 gone tricks"),
    ("hand=AKQh up=Ad gone=Kd,Qd points=7-0 closed=me", "hand", "3 cards: 5 to 6 are due after 1 gone trick"),
    (END + " closed=me", "closed", "the talon was gone after 6 tricks"),
    (HAND + " opp=AKQs,TJ9d,9h", "opp", "7 cards: the opponent holds 6"),
    (HAND + " led=Ks opp=AQs,TJ9d,9h", "opp", "6 cards: the opponent holds 5"),
    (HAND + " stock=????????????", "stock", "12 given: the stock has 11"),
    (END + " stock=Jh", "stock", "1 given: the stock has 0"),
    (HAND + " not=AKQJT9s,AKQJT9d,AKQJT9c", "not", "leaves 3 unseen cards, the opponent holds 6"),
    (END + " not=Jh", "not", "leaves 0 unseen cards, the opponent holds 1"),
]

TRUMP = [
    ("hand=AKQh,9s,TJc", "up", "is missing: the talon has 12 cards"),
    ("hand=AKQh,9s,TJc trump=d", "up", "is missing"),
    ("hand=AKQh,9s,TJc trump=d closed=me", "up", "is missing"),
    (HAND + " trump=h", "trump", "h: up=Ad makes it d"),
    (END.replace("trump=h ", ""), "trump", "is missing: once the talon is gone"),
    (END.replace("trump=h", "up=Jh"), "up", "Jh: the talon is gone, give trump=h instead"),
    ("rules=pl " + HAND, "stock", "its top lies face up in these rules"),
    ("rules=pl stock=?,9d " + HAND, "stock", "its top lies face up in these rules"),
]

LED = [
    (PL + " led=Kd+20 points=0-20", "led", "Kd+20: this marriage is worth 40, trumps are d"),
    (PL + " led=Ks+40 points=0-40", "led", "Ks+40: this marriage is worth 20, trumps are d"),
    (PL + " led=As+20 points=0-20", "led", "As+20: only a king or a queen"),
    (PL + " led=Kc+20 points=0-20 gone=Qc,9c", "led", "Kc+20: Qc is in gone"),
    ("rules=pl stock=Qc led=Kc+20 points=0-20 " + HAND, "led", "Kc+20: Qc is in stock"),
    ("rules=pl stock=9c led=Kd+40 points=0-40 hand=AKQh,9s,TJc up=Qd", "led", "Kd+40: Qd is in up"),
    (PL.replace("AKQh", "AKQc").replace("TJc", "TJh") + " led=Kh+20 not=Qh points=0-20", "led", "Qh is in not"),
    ("rules=pl stock=9d hand=AKJh,9s,TQc up=Ad led=Kc+20 points=0-20", "led", "Kc+20: Qc is in hand"),
    (HAND + " led=Kd+40 points=0-40", "led", "only after a trick of one's own"),
    ("rules=sixty-six closed=opp led=Kd+40 pending=0-40 " + HAND, "led", "allow no marriage once no card is drawn"),
    (PL + " led=Ks+20 points=0-20 opp=QJTd,KQc", "led", "Ks+20: he must hold Qs, but opp names all his cards"),
    (PL + " led=Kd+40", "points", "0-0 make 0: the gone cards give 0 and marriages that can have been declared 40"),
    (PL + " led=Ks opp=QJTd,KQ9c", "opp", "6 cards: the opponent holds 5"),
]

POINTS = [
    (HAND + " points=66-0", "points", "66-0: the deal is over at 66"),
    (HAND + " points=0-130", "points", "0-130: the deal is over at 66"),
    (HAND + " points=5-0", "points", "5-0: you have no trick yet, so for me 0, 20 or 40 is due"),
    (HAND + " points=20-0", "points", "make 20: the gone cards give 0, and no marriage can have been declared"),
    (HAND + " gone=Ks,Ts points=13-0", "points", "make 13: the gone cards give 14"),
    (HAND + " gone=Ks,Ts points=10-0 tricks=1-0", "points", "make 10: the gone cards give 14"),
    (HAND + " gone=Ks,Ts points=24-0", "points", "make 24: the gone cards give 14"),
    (HAND + " gone=Kd,9d points=24-0", "points", "make 24: the gone cards give 4 and marriages"),
    (HAND + " gone=Ks,Ts points=4-10", "points", "4-10: no share of the gone cards"),
    (HAND + " gone=Ks,Ts points=14-0 tricks=0-1", "tricks", "0-1: you lead after the first trick"),
    (HAND + " led=9d gone=Ks,Ts points=0-14 tricks=1-0", "tricks", "1-0: the opponent leads after the first trick"),
    (HAND + " gone=Ks,Ts points=14-0 tricks=1-1", "tricks", "1-1: 1 are due for 2 gone cards"),
    (HAND + " tricks=1-0", "tricks", "1-0: 0 are due for 0 gone cards"),
    (HAND + " gone=Ks,Ts points=10-4 tricks=1-0", "points", "the opponent has no trick yet, so for opp 0, 20 or 40"),
    (FOUR_TRICKS + " points=30-16 tricks=1-3", "tricks", "1-3: does not fit points=30-16"),
    (FOUR_TRICKS + " points=45-1", "points", "45-1: no share of the gone cards"),
    # A marriage on the first lead needs rules that allow it, and one's own trick before counts else.
    (HAND + " gone=Qs,Ts points=13-20", "points", "13-20: no share"),
    # King and queen in one trick, the only one: nobody held both.
    (PL + " gone=Ks,Qs points=27-0", "points", "27-0: no share"),
]

PENDING = [
    (HAND + " gone=Ks,Ts points=14-0 pending=0-20", "pending", "0-20: in these rules marriages count at once"),
    (SCHNAPSEN + " gone=Ks,Ts points=14-0 pending=0-30", "pending", "0-30: one marriage can wait for a first trick"),
    (SCHNAPSEN + " gone=Ks,Ts points=14-0 pending=20-0", "pending", "20-0: you have won a trick"),
    (
        SCHNAPSEN + " gone=Ks,Ts points=14-0 pending=0-40",
        "pending",
        "0-40: the opponent cannot have declared a marriage worth 40",
    ),
    (
        SCHNAPSEN + " gone=Js,Ts points=12-0 pending=0-20",
        "pending",
        "0-20: the opponent cannot have declared a marriage worth 20",
    ),
    (SCHNAPSEN + " gone=Ks,Ts points=14-20", "points", "14-20: no share"),
    (SCHNAPSEN + " gone=Ks,Ts points=14-20 tricks=1-0", "points", "no trick yet, so for opp 0 is due, a marriage is"),
    (SCHNAPSEN + " gone=Ks,Ts,As,Js points=14-13 pending=0-20", "pending", "0-20: the opponent has points, so a trick"),
    (SCHNAPSEN + " led=Ks+20 points=0-20", "points", "0-20: the opponent has no trick yet"),
    (SCHNAPSEN + " led=Ks+20 pending=20-0", "pending", "20-0: you cannot have declared a marriage worth 20"),
]

TRICKS = [
    (HAND + " gone=9d,9c,Ts,Js points=12-0", "tricks", "is missing: whether opp has won one does not follow"),
    (
        HAND + " led=9h gone=9d,9c,Ts,Js points=0-12",
        "tricks",
        "whether me has won one does not follow, give 0-2 or 1-1",
    ),
    (PL + " gone=Ks,Ts,9h,9c points=14-20", "tricks", "whether opp has won one does not follow"),
]

CLOSING = [
    (HAND + " closed=opp", "closed", "opp: no trick was played since, so it was me who led"),
    (
        "rules=santase up=Qh hand=Kc,9d,Ad,9s,Qs gone=9c,Kh,Js,As points=17-0 tricks=2-0 closed=opp",
        "closed",
        "opp: who closes after a trick has won one, but tricks are 2-0",
    ),
    (
        "rules=es up=9h hand=AKQd,TJc gone=9c,Jd points=2-0 tricks=1-0 closed=opp first=me",
        "closed",
        "opp: closed before the first trick, to which me led",
    ),
    (HAND + " shown=Ah", "shown", "Ah: before the first trick you have not shown it"),
    (HAND + " led=9c closed=me", "closed", "me: no trick was played since, so it was opp who led"),
    (f"rules=santase {HAND} closed=me", "closed", "me: these rules ask for a trick before closing"),
    (
        FOUR_TRICKS.replace("schnapsen", "schnapsen+close_min_talon:4") + " points=16-30 closed=me",
        "closed",
        "me: the talon has 2 cards, these rules ask for 4",
    ),
    (CLOSED + " points=42-53 tricks=4-4 closed=me", "closed", "me: add the points and tricks that opp had then"),
    (CLOSED + " points=42-53 tricks=4-4 closed=opp", "closed", "opp: add the points and tricks that me had then"),
    (CLOSED + " points=42-53 tricks=4-4 closed=me@60/2", "closed", "me@60/2: the opponent has 53 points now"),
    (CLOSED + " points=42-53 tricks=4-4 closed=me@20/4", "closed", "me@20/4: 4 tricks were played by then"),
    (
        CLOSED + " points=42-53 tricks=7-1 closed=me@20/2",
        "closed",
        "me@20/2: tricks=7-1 now and 4 played since, so 0 to 1",
    ),
    (
        CLOSED + " points=42-53 tricks=2-6 closed=me@20/1",
        "closed",
        "me@20/1: tricks=2-6 now and 4 played since, so 2 to 6",
    ),
    (CLOSED + " points=42-53 tricks=5-3 closed=me@33/3", "closed", "no trick won since, so the note's points are"),
    (CLOSED + " points=42-53 tricks=4-4 closed=me@1/1", "closed", "cannot have given 1 points in 1 tricks"),
    (CLOSED + " points=42-53 tricks=4-4 closed=me@20/0", "closed", "me@20/0"),
    (HAND + " closed=me@3/0", "closed", "me@3/0: the opponent has 0 points now"),
    (HAND + " closed=me@0/1", "closed", "me@0/1: 0 tricks were played by then"),
]

MATCH = [
    (HAND + " first=opp", "first", "opp: this is the first trick, me led to it"),
    (HAND + " led=9c first=me", "first", "me: this is the first trick, opp led to it"),
    (PL + " gone=Ks,Ts points=14-20 first=me", "first", "me: the marriages in the points need opp on the first lead"),
    (
        "rules=pl stock=9d up=Ad hand=Qc,Qs,Ah,9s,Tc,Jc gone=Kc,Ks,9h,9c points=48-0 tricks=2-0 first=opp",
        "first",
        "opp: the marriages in the points need me on the first lead",
    ),
    (HAND + " score=11-0", "score", "11-0: game points from 0 to 10, the match is over at 11"),
    (HAND + " score=0-12", "score", "0-12: game points from 0 to 10"),
    (SCHNAPSEN + " score=7-6", "score", "7-6: game points from 0 to 6"),
]


@pytest.mark.parametrize(
    ("line", "key", "words"),
    [*CARDS, *SIZES, *TRUMP, *LED, *POINTS, *PENDING, *TRICKS, *CLOSING, *MATCH],
)
def test_refusals(line: str, key: str, words: str) -> None:
    error = refused(line)
    assert (error.key, words in error.problem) == (key, True), str(error)

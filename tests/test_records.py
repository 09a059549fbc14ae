"""Matches on record: the text form both ways, half-known deals, what each player knew, and what is refused."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recordgames import as_noted_by, random_match
from sixtysix import Deal, MatchRecord, Position, RecordError, Rules, dump, dumps, load, loads, solve
from sixtysix.records import Collection
from sixtysix.rules import PRESETS
from sixtysix.steps import end_of, position_before, replay

ANA = """\
[Rules "schnapsen"] [Players "Ana" "Bo"] [Target "7"]
{Noted by Ana.}
deal 1
leads: Ana
Ana: JKQs ATh
up: As
1. exchange, Ks+40 Jc +Ad  =46-0 {forty}
2. close, Th Qc
3. Ah Kc
result: Ana 3
"""


def read(text: str) -> MatchRecord:
    """Return the one match of a text without anything wrong in it."""
    collection = loads(text)
    assert not collection.problems, list(map(str, collection.problems))
    (match,) = collection
    return match


def problems(text: str) -> list[str]:
    """Return what is wrong with a text named `t`."""
    return list(map(str, loads(text, "t").problems))


# --- both ways ----------------------------------------------------------------------------------


@settings(max_examples=18, deadline=None, derandomize=True)
@given(st.sampled_from(PRESETS), st.integers(0, 1 << 30), st.booleans(), st.sampled_from((None, 0, 1)))
def test_what_is_written_is_read_again(preset: str, seed: int, unfinished: bool, noted_by: int | None) -> None:
    match = random_match(Rules.preset_named(preset), seed, unfinished=unfinished)
    if noted_by is not None:
        match = replace(match, deals=tuple(as_noted_by(match.rules, deal, noted_by) for deal in match.deals))
    again = loads(dumps([match]))
    assert not again.problems, (dumps([match]), list(map(str, again.problems)))
    assert again.matches == (match,)
    assert dumps(again) == dumps([match])


def test_files_hold_several_matches(tmp_path: Path) -> None:
    matches = [random_match(Rules.preset_named(preset), number) for number, preset in enumerate(PRESETS)]
    path = tmp_path / "games.66"
    dump(matches, path)
    collection = load(path)
    assert isinstance(collection, Collection)
    assert list(collection) == matches
    assert len(collection) == len(PRESETS)
    assert collection[-1] == matches[-1]
    assert [entry.name for entry in tmp_path.iterdir()] == ["games.66"]


# --- what each player knew ----------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_a_player_knew_the_same_whether_the_other_cards_are_on_record_or_not(preset: str) -> None:
    """A half-known deal gives the positions of the full one, whatever the unknown cards are filled in with."""
    rules = Rules.preset_named(preset)
    checked = 0
    for seed in range(2):
        full = random_match(rules, seed, unfinished=seed % 2 == 1)
        for player in (0, 1):
            half = replace(full, deals=tuple(as_noted_by(rules, deal, player) for deal in full.deals))
            for index in range(len(full.deals)):
                steps = replay(full, index)
                for filling in range(2):
                    seen = replay(half, index, seed=filling)
                    assert [step.turn for step in seen] == [step.turn for step in steps]
                    for mine, true in zip(seen, steps, strict=True):
                        assert mine.position == (true.position if true.player == player else None)
                        assert mine.deal is None
                        checked += mine.position is not None
                if full.deals[index].result is not None:
                    assert end_of(half, index) == end_of(full, index)
    assert checked > 60


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_many_half_known_deals_give_the_positions_of_the_full_ones(preset: str) -> None:
    rules = Rules.preset_named(preset)
    for seed in range(100, 150):
        full = random_match(rules, seed, deals=4, unfinished=seed % 2 == 1)
        for player in (0, 1):
            half = replace(full, deals=tuple(as_noted_by(rules, deal, player) for deal in full.deals))
            for index in range(len(full.deals)):
                for mine, true in zip(replay(half, index, seed), replay(full, index), strict=True):
                    assert mine.position == (true.position if true.player == player else None)


@pytest.mark.parametrize("preset", PRESETS)
def test_of_a_deal_without_hands_the_end_is_known(preset: str) -> None:
    rules = Rules.preset_named(preset)
    full = random_match(rules, 7, deals=4)
    bare = replace(full, deals=tuple(replace(as_noted_by(rules, deal, 0), hands=(None, None)) for deal in full.deals))
    nothing = replace(
        full, deals=tuple(replace(deal, hands=(None, None), stock=(None,) * len(deal.stock)) for deal in full.deals)
    )
    assert not loads(dumps([bare, nothing])).problems
    for index in range(len(full.deals)):
        assert all(step.position is None for step in replay(bare, index))
        assert end_of(bare, index) == end_of(nothing, index) == end_of(full, index)


def test_what_lies_face_up_must_be_noted() -> None:
    text = '[Rules "pl"]\ndeal 1\nleads: me\nme: AKQh 9s TJc\nup: Ad\n1. Ah 9h'
    (problem,) = problems(text)
    assert problem == (
        "t:6: deal 1, turn 1: the top card of the stock lies face up: note it in stock, or as the winner's draw"
    )
    noted = read(text + " +Th,9d 2. Kh Jh +As,?\n3. Th Ac +Qc,?")
    assert [card is not None for card in noted.deals[0].stock] == [True, True, True, False, True] + [False] * 6
    unnoted = problems(text + " +Th,9d\n2. Kh Jh +?,?\n3. Th Ac")
    assert unnoted[0].startswith("t:7: deal 1, turn 3: the top card of the stock lies face up")


def test_steps_tell_everything_where_every_card_is_on_record() -> None:
    match = random_match(Rules.preset_named("ro"), 5)
    for index in range(len(match.deals)):
        steps = replay(match, index)
        for step in steps:
            assert isinstance(step.deal, Deal)
            assert step.position is not None
            assert step.deal.position.complete
            assert step.deal.position.hand == step.position.hand
            assert set(step.position.opp) <= set(step.deal.position.opp)
            assert step.position.score is not None
        last = steps[-1]
        assert last.deal is not None
        values = dict(solve(last.deal).turns)
        assert values[last.turn] == end_of(match, index).result * (1 if last.player == 0 else -1)  # type: ignore[operator]


def test_the_deal_that_a_person_notes() -> None:
    match = read(ANA)
    assert match.comment == "Noted by Ana."
    (deal,) = match.deals
    assert deal.hands[1] is None
    assert deal.turns[1].comment == "forty"
    assert deal.stock[0] is not None
    assert deal.stock[1:] == (None,) * 8
    positions = [step.position.text for step in replay(match, 0) if step.position is not None]
    assert positions[2] == (
        "rules=schnapsen up=Js hand=Ad,Ah,As,Qs gone=Qc,Jc,Th,Ks points=59-0 tricks=2-0 closed=me@0/0 shown=As,Qs "
        "not=Kh,Qh,Jh,Ts first=me score=0-0"
    )
    end = end_of(match, 0)
    assert (end.over, end.result, end.points, end.tricks, end.closer) == (True, 3, (74, 0), (3, 0), 0)


def test_a_draw_that_a_later_turn_tells_need_not_be_noted() -> None:
    text = ANA.replace("+Ad", "").replace("2. close, Th Qc\n3. Ah Kc", "2. Ad Qc +Kd")
    match = read(text.replace("result: Ana 3", "result: *"))
    assert match.deals[0].stock[0] == read(ANA).deals[0].stock[0]
    missing = problems(text.replace("+Kd", "\n3. As Jd\n").replace("2. Ad", "2. Ah").replace("Ana 3", "*"))
    assert missing == ["t:8: deal 1, turn 3: what Ana drew after trick 1 is missing: note it as +Kd, or in stock"]


def test_the_next_position_of_an_unfinished_deal() -> None:
    match = read(ANA.replace("3. Ah Kc\nresult: Ana 3", "result: *"))
    assert position_before(match, 0, 5) == replay(read(ANA), 0)[4].position
    with pytest.raises(RecordError, match="no turn 6: deal 1 has 4"):
        position_before(match, 0, 6)
    with pytest.raises(RecordError, match="turn 2 of deal 1 is Bo's, whose hand is not on record"):
        position_before(match, 0, 2)
    with pytest.raises(RecordError, match="deal 1 is over after 6 turns"):
        position_before(read(ANA), 0, 7)


# --- scores -------------------------------------------------------------------------------------


def test_scores_follow_from_the_results() -> None:
    match = random_match(Rules.preset_named("schnapsen"), 3, deals=4)
    score = [0, 0]
    for index, deal in enumerate(match.deals):
        assert match.score_before(index) == tuple(score)
        assert deal.result is not None
        score[deal.result < 0] += abs(deal.result)
    assert replace(match, tags={}).score_before(0) is None
    assert replace(match, tags={"Score": "3-5"}).score_before(0) == (3, 5)


def test_a_score_is_unknown_after_a_gap() -> None:
    match = random_match(Rules.preset_named("schnapsen"), 3, deals=4)
    assert replace(match, deals=match.deals[1:]).score_before(0) is None
    assert replace(match, deals=(*match.deals[:1], *match.deals[2:])).score_before(1) is None
    cut = replace(match.deals[0], result=None)
    assert replace(match, deals=(cut, *match.deals[1:])).score_before(1) is None


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("2. close, Th", "2. close, Tc", "t:8: deal 1, turn 3: Tc is not in the hand of Ana (Ad, Ah, Th, As, Qs)"),
        ("Jc +Ad", "Qs +Ad", "t:7: deal 1, turn 2: Qs is in the hand of Ana"),
        ("Th Qc", "Th Jc", "t:8: deal 1, turn 4: Jc was played in trick 1"),
        (
            "3. Ah Kc",
            "3. Ah Kh",
            "t:9: deal 1, turn 6: Kh cannot be in the hand of Bo: with it, Qc in trick 2 was not allowed",
        ),
        ("Ks+40", "Ks+20", "t:7: deal 1, turn 1: that marriage is worth 40: Ks+40"),
        ("=46-0", "=26-0", "t:7: deal 1, turn 3: =26-0: after these turns =46-0 is due (Ana and Bo)"),
        ("3. Ah", "4. Ah", "t:9: deal 1, turn 5: 4.: trick 3 is due here"),
        ("Ana 3", "Ana 2", "t:10: deal 1: result: Ana 2: the turns make it Ana 3"),
        ("Ana 3", "Cy 3", "t:10: deal 1: result: Cy is no player: Ana or Bo"),
        ("up: As", "up: Ks", "t:6: deal 1: up: Ks is given here and in Ana: each card is in one place"),
        ("JKQs ATh", "JKQs Ah", "t:5: deal 1: Ana: 4 cards, 5 are due"),
        ("leads: Ana\n", "", "t:3: deal 1: leads: is missing: Ana or Bo"),
        ("up: As\n", "", "t:3: deal 1: up: is missing: give the face-up trump card under the talon"),
        ("Ana: J", "Anna: J", "t:5: deal 1: anna: is no player and no other key: Ana, Bo, leads, up, stock or result"),
        ("schnapsen", "schnaps", "t:1: there is no preset schnaps (did you mean schnapsen?)"),
        ("{forty}", "{forty", "t:7: a comment that begins here has no end: } is missing"),
        ("Kc\n", "Kc 4. Qs\n", "t:9: deal 1, turn 7: the deal was over in trick 3"),
        ("+Ad", "+Kc,Ad", "t:9: deal 1, turn 6: Kc"),
    ],
)
def test_what_cannot_be_is_told_with_its_place(old: str, new: str, told: str) -> None:
    assert old in ANA
    found = problems(ANA.replace(old, new, 1))
    assert found
    assert found[0].startswith(told), found


def test_the_rest_of_a_file_is_read() -> None:
    second = ANA[ANA.index("deal 1") :].replace("deal 1", "deal 2")
    collection = loads(ANA.replace("3. Ah Kc", "3. Ah Ah") + second + ANA)
    assert len(collection.problems) == 1
    first, last = collection
    assert [len(deal.turns) for deal in first.deals] == [5, 6]
    assert first.score_before(1) == (3, 0)  # by the result that was noted
    assert last == read(ANA)


def test_no_deal_follows_the_end_of_a_match() -> None:
    (deal,) = read(ANA).deals
    text = ANA.replace('"7"]', '"7"] [Score "5-0"]')
    (problem,) = problems(text + "deal 2\nleads: Bo\nup: Ad\ndeal 3\nleads: Bo\nup: Ad\n")
    assert problem == "t:11: the match was over at 8-0; no more deals are read"
    match = replace(read(text), deals=(deal, replace(deal, number=2)))
    with pytest.raises(RecordError, match="deal 2: the match was over at 8-0"):
        replay(match, 1)


@pytest.mark.parametrize("cut", range(16))
def test_broken_text_never_breaks_the_reader(cut: int) -> None:
    """Texts with a piece cut out, doubled or turned round are read to the end."""
    text = dumps([random_match(Rules.preset_named("ro"), 2)])
    rng = random.Random(cut)
    start = rng.randrange(len(text))
    piece = text[start : start + rng.randrange(1, 40)]
    for broken in (text.replace(piece, "", 1), text.replace(piece, piece * 2, 1), text.replace(piece, piece[::-1], 1)):
        for match in loads(broken):
            for index in range(len(match.deals)):
                for step in replay(match, index):
                    assert step.position is None or Position.parse(step.position.text) == step.position


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"players": ("Ana", "ana")}, "cannot be the name of both"),
        ({"players": ("up", "Bo")}, "word of the record itself"),
        ({"players": ("A{", "Bo")}, "a name is words"),
        ({"tags": {"Target": "3"}}, "match_target is 11"),
        ({"tags": {"Score": "x"}}, "write two numbers"),
        ({"tags": {"Score": "11-0"}}, "the match is over at 11"),
        ({"tags": {"Two words": "x"}}, "no name of a tag"),
        ({"comment": "}"}, "without braces"),
    ],
)
def test_records_that_could_not_be_written_cannot_be_made(change: dict[str, object], told: str) -> None:
    with pytest.raises(RecordError, match=told):
        MatchRecord(rules=Rules.preset_named("ro"), **change)  # type: ignore[arg-type]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"cannot read .*No such file"):
        load(tmp_path / "none.66")
    (tmp_path / "x.66").write_bytes(b"deal \xff")
    with pytest.raises(RecordError, match="UTF-8"):
        load(tmp_path / "x.66")
    with pytest.raises(RecordError, match="cannot write"):
        dump([], tmp_path / "none" / "x.66")


# --- the specification --------------------------------------------------------------------------

SPECIFICATION = Path(__file__).parents[1] / "docs" / "records.md"
EXAMPLES = re.findall(r"```\n(\[Rules.*?)```", SPECIFICATION.read_text(encoding="utf-8"), re.DOTALL)


def test_the_examples_of_the_specification_are_right() -> None:
    assert len(EXAMPLES) == 2
    ana, mine = map(read, EXAMPLES)
    assert end_of(ana, 0).result == ana.deals[0].result == 3
    assert mine.players == ("me", "opp")
    assert [deal.result for deal in mine.deals] == [None]
    assert position_before(mine, 0, 5).text == (
        "rules=ro up=Td hand=Ad,Kd,9d,Kh,Qh,As gone=Ac,Jc,9c,Jd points=13-2 tricks=1-1 first=opp"
    )
    with pytest.raises(RecordError, match="turn 9 of deal 1 is opp's, whose hand is not on record"):
        position_before(mine, 0, 9)


def test_the_example_of_the_readme_is_right() -> None:
    text = (SPECIFICATION.parents[1] / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```\n(\[Rules.*?)```", text, re.DOTALL)
    match = read(example)
    assert position_before(match, 0, 6).score == (6, 4)


def test_the_refusal_in_the_specification_is_what_is_said() -> None:
    broken = EXAMPLES[0].replace("3. Ah Kc", "3. Ah Kh")
    (problem,) = [problem for problem in problems(broken) if "cannot be in" in problem]
    said = re.search(r"game\.66:\d+: (deal 1, turn 6: .*)", SPECIFICATION.read_text(encoding="utf-8"))
    assert said is not None
    assert problem.partition(": ")[2] == said[1]

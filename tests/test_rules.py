"""Presets, switches and the text of rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sixtysix.kernel import layout
from sixtysix.rules import PRESETS, SWITCHES, Rules, RulesError, preset_source, value_text

# One row a switch, one column a preset: es, pl, ro, santase, sixty-six, schnapsen.
TABLE = """
deck 24 24 24 24 24 20
match_target 11 7 11 11 7 7
next_leader alternate alternate alternate loser loser alternate
stock_top_face_up no yes no no no no
marriage_from after_own_trick any_lead after_own_trick after_own_trick any_lead any_lead
marriage_points at_once at_once at_once at_once with_a_trick with_a_trick
marriage_in_endgame yes yes yes yes no yes
exchange_needs_trick no yes yes yes yes no
exchange_min_talon 2 2 2 3 2 2
close_needs_trick no no no yes no no
close_min_talon 2 2 2 3 2 2
closed_play strict free strict strict strict strict
endgame_follow suit suit_trump suit_head_trump suit_head_trump suit_head_trump suit_head_trump
last_trick_points 10 10 10 10 10 0
last_trick_counts_when_closed yes yes yes no no no
nobody_reaches last_trick nobody last_trick nobody nobody last_trick
failed_close none none none three two_or_three two_or_three
three_for no_points no_tricks no_tricks no_tricks no_tricks no_tricks
snapshot_at_close no no no no no yes
"""
ROWS = [line.split() for line in TABLE.strip().splitlines()]


def choices_of(name: str) -> st.SearchStrategy[str]:
    """Any value of a switch, as text."""
    switch = SWITCHES[name]
    if switch.range is None:
        return st.sampled_from(sorted(switch.values))
    return st.integers(*switch.range).map(str)


overrides = st.fixed_dictionaries({}, optional={name: choices_of(name) for name in SWITCHES})


@pytest.mark.parametrize("column", range(len(PRESETS)))
def test_presets_are_those_of_the_table(column: int) -> None:
    rules = Rules.preset_named(PRESETS[column])
    assert {row[0]: row[1 + column] for row in ROWS} == {name: value_text(rules.value_of(name)) for name in SWITCHES}
    assert list(SWITCHES) == [row[0] for row in ROWS]
    assert rules.text == PRESETS[column]


@pytest.mark.parametrize("name", PRESETS)
def test_presets_tell_their_source(name: str) -> None:
    assert preset_source(name).title
    assert preset_source(name).source


@pytest.mark.parametrize("name", SWITCHES)
def test_every_value_has_one_plain_sentence(name: str) -> None:
    switch = SWITCHES[name]
    texts = switch.values if switch.range is None else [str(number) for number in switch.range]
    for text in texts:
        sentence = switch.explain(switch.parse(text))
        assert sentence.endswith(".")
        assert "{" not in sentence


def test_overrides_are_printed_by_name_and_only_if_they_differ() -> None:
    rules = Rules.parse("ro+failed_close:three+deck:24+close_min_talon:3+last_trick_points:10")
    assert rules.text == "ro+close_min_talon:3+failed_close:three"
    assert (rules.failed_close, rules.close_min_talon) == ("three", 3)
    assert rules == Rules.preset_named("ro").override("close_min_talon", "3").replace(failed_close="three")


def test_names_and_values_in_any_letter_case() -> None:
    assert Rules.parse("Schnapsen+Deck:24+snapshot_at_close:NO").text == "schnapsen+deck:24+snapshot_at_close:no"


@given(st.sampled_from(PRESETS), overrides)
def test_text_round_trip(preset: str, changes: dict[str, str]) -> None:
    rules = Rules.preset_named(preset)
    for name, value in changes.items():
        rules = rules.override(name, value)
    assert Rules.parse(rules.text) == rules
    assert len(rules.packed()) == layout.RULES_SIZE


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no preset without a name: es, pl, ro, santase, sixty-six or schnapsen"),
        ("snapsen", "no preset snapsen (did you mean schnapsen?)"),
        ("ro+", "write switch:value"),
        ("ro+deck", "deck is no override: write switch:value"),
        ("ro+failed_closing:two", "no switch failed_closing (did you mean failed_close?)"),
        ("ro+deck:32", "deck cannot be 32: 24 or 20"),
        ("ro+failed_close:four", "failed_close cannot be four: none, two, three or two_or_three"),
        ("ro+stock_top_face_up:maybe", "stock_top_face_up cannot be maybe: yes or no"),
        ("ro+close_min_talon:0", "close_min_talon cannot be 0: a whole number from 1 to 12"),
        ("ro+exchange_min_talon:13", "a whole number from 1 to 12"),
        ("ro+last_trick_points:67", "a whole number from 0 to 66"),
        ("ro+last_trick_points:-1", "a whole number from 0 to 66"),
        ("ro+match_target:0", "a whole number from 1"),
        ("ro+match_target:1.5", "a whole number from 1"),
        ("ro+match_target:٣", "a whole number from 1"),
        ("ro+match_target:" + "9" * 9999, "match_target cannot be 999"),
        ("ro+deck:20+deck:24", "deck is overridden twice"),
    ],
)
def test_wrong_rules_are_named(text: str, words: str) -> None:
    with pytest.raises(RulesError) as error:
        Rules.parse(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 450


def test_replace_checks_values() -> None:
    with pytest.raises(RulesError, match="match_target"):
        Rules.preset_named("ro").replace(match_target=0)
    with pytest.raises(RulesError, match="deck"):
        Rules.preset_named("ro").replace(deck=22)
    with pytest.raises(RulesError, match="snapshot_at_close"):
        Rules.preset_named("ro").replace(snapshot_at_close="yes")


def test_packed_layout() -> None:
    packed = Rules.preset_named("schnapsen").packed()
    assert packed[layout.R_DECK] == 20
    assert packed[layout.R_MARRIAGE_WITH_TRICK] == 1
    assert packed[layout.R_FOLLOW] == layout.FOLLOW_SUIT_HEAD_TRUMP
    assert packed[layout.R_LAST_TRICK_POINTS] == 0
    assert packed[layout.R_LAST_TRICK_WINS] == 1
    assert packed[layout.R_FAILED_CLOSE] == layout.FAILED_TWO_OR_THREE
    assert packed[layout.R_SNAPSHOT] == 1
    packed = Rules.preset_named("pl").packed()
    assert packed[layout.R_CLOSED_FREE] == 1
    assert packed[layout.R_EXCHANGE_NEEDS_TRICK] == 1
    assert packed[layout.R_LAST_TRICK_WINS] == 0
    assert Rules.preset_named("es").packed()[layout.R_THREE_FOR_NO_POINTS] == 1


def test_sizes() -> None:
    assert [(r.hand_size, r.first_talon) for r in map(Rules.preset_named, ("ro", "schnapsen"))] == [(6, 12), (5, 10)]

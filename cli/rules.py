"""`sixtysix rules`: the presets, and what each switch of a variant means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .options import json_option, overrides_of, rule_option, rules_of
from .output import Screen, emit, emit_json

if TYPE_CHECKING:
    from rich.console import RenderableType
    from sixtysix import Rules
    from sixtysix.rules import Switch


@click.command()
@click.argument("preset", required=False)
@rule_option
@json_option
def rules(preset: str | None, overrides: tuple[str, ...], as_json: bool) -> None:
    """List the presets and the switches, or explain every switch of one preset.

    PRESET is a name, perhaps with overrides after it (ro+failed_close:three); with --rule alone it is ro.

    \b
    Examples:
      sixtysix rules
      sixtysix rules schnapsen
      sixtysix rules ro --rule failed_close=three --rule close_min_talon=4
    """
    changes = overrides_of(overrides)
    if preset is None and not changes:
        _list_presets(as_json)
        return
    chosen = _chosen(preset, changes)
    if as_json:
        emit_json(_json(chosen))
    else:
        screen = Screen.of_stdout()
        emit(screen.draw(*_explanation(chosen, screen)))


def _chosen(preset: str | None, changes: dict[str, str]) -> Rules:
    chosen = rules_of(preset, "PRESET")
    for name, value in changes.items():
        chosen = chosen.override(name, value)
    return chosen


def _list_presets(as_json: bool) -> None:
    from sixtysix import Rules
    from sixtysix.rules import PRESETS

    if as_json:
        for name in PRESETS:
            emit_json(_json(Rules.preset_named(name)))
        return
    screen = Screen.of_stdout()
    emit(screen.draw(*_lists(screen)))


def _json(chosen: Rules) -> dict[str, Any]:
    from sixtysix.rules import SWITCHES, preset_source

    source = preset_source(chosen.preset)
    return {
        "rules": chosen.text,
        "preset": chosen.preset,
        "title": source.title,
        "source": source.source,
        "switches": {name: chosen.value_of(name) for name in SWITCHES},
        "explanations": {name: switch.explain(chosen.value_of(name)) for name, switch in SWITCHES.items()},
    }


def _lists(screen: Screen) -> list[RenderableType]:
    from sixtysix import Rules
    from sixtysix.rules import PRESETS, SWITCHES, preset_source

    presets = screen.table("preset", "cards", "match", "game", left=4)
    for name in PRESETS:
        preset = Rules.preset_named(name)
        presets.add_row(name, str(preset.deck), f"to {preset.match_target}", preset_source(name).title)
    switches = screen.table("switch", "values", left=2)
    for name, switch in SWITCHES.items():
        switches.add_row(name, _values_text(switch))
    return [
        presets,
        "",
        switches,
        "",
        screen.ink("sixtysix rules PRESET explains each switch; --rule name=value sets one on any command.", "dim"),
    ]


def _values_text(switch: Switch) -> str:
    if switch.range is not None:
        return "{} to {}".format(*switch.range)
    return ", ".join(switch.values)


def _explanation(chosen: Rules, screen: Screen) -> list[RenderableType]:
    from sixtysix import Rules
    from sixtysix.rules import SWITCHES, preset_source, value_text

    source = preset_source(chosen.preset)
    base = Rules.preset_named(chosen.preset)
    table = screen.table("switch", "value", "meaning", left=3)
    table.columns[2].no_wrap = False
    for name, switch in SWITCHES.items():
        value = chosen.value_of(name)
        changed = value != base.value_of(name)
        style = "bold yellow" if changed else ""
        mark = f" (not {value_text(base.value_of(name))})" if changed else ""
        table.add_row(
            screen.ink(name, style), screen.ink(value_text(value) + mark, style), screen.ink(switch.explain(value))
        )
    return [
        screen.ink(f"{source.title} ({chosen.text})", "bold"),
        screen.ink(f"Source: {source.source}.", "dim"),
        "",
        table,
        "",
        screen.ink(
            f"sixtysix match-table --rules {chosen.text} shows the chance to win a match from every score.", "dim"
        ),
    ]

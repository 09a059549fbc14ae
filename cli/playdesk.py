"""The table as the person at it sees it: what is shown, what is asked, and the words that are understood."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .errors import InputError, one_line
from .output import Screen, emit
from .progress import run
from .render import count_of, hand_text, trump_text

if TYPE_CHECKING:
    from sixtysix import MatchRecord
    from sixtysix.playing import Sitting

HINT_SECONDS = 1.0

PERSON, ENGINE = 0, 1

HELP: Final = """\
a turn        Ah · Kh+20 declares the marriage · close, Ah · exchange, close, Ks+40
moves or ?    what you may play now
hint          what the engine would play, with the table of all turns
last          the last trick once more
points        the card points now
score         the score of the match
undo          take your last turn back
again         the same deal once more from its beginning
save FILE     write the record so far to a file
review        look back on the deals that are over
quit          leave"""


@dataclass(frozen=True)
class Keeper:
    """Where the record is kept, if anywhere, behind the `others` of the file."""

    file: str | None
    others: tuple[MatchRecord, ...] = ()

    def keep(self, match: MatchRecord) -> None:
        """Write the record as it is now. Raises InputError if that is impossible."""
        from sixtysix import RecordError, dump

        if self.file is None:
            return
        try:
            dump([*self.others, match], self.file)
        except RecordError as error:
            raise InputError(str(error)) from None


class Leave(Exception):
    """The person leaves the table, or says no more."""


class Desk:
    """Plays a sitting with the person at the terminal, or with the lines of a pipe."""

    def __init__(self, sitting: Sitting, keeper: Keeper, screen: Screen, points: bool) -> None:
        self.sitting, self.keeper, self.screen = sitting, keeper, screen
        self._points = points
        self._saved: set[str] = set()
        self._words: dict[str, Callable[[], None]] = {
            "moves": self._moves,
            "?": self._moves,
            "hint": self._hint,
            "last": self._last,
            "points": self._tell_points,
            "score": self._tell_score,
            "undo": self._undo,
            "again": self._again,
            "review": self._review,
            "help": lambda: self.say(HELP),
            "quit": self._quit,
        }

    def say(self, text: str = "", style: str = "") -> None:
        """Show a text."""
        emit(self.screen.draw(self.screen.ink(text, style)))

    def run(self) -> None:
        """Play until the person leaves or the match is won."""
        self.keeper.keep(self.sitting.match)
        try:
            self._begin()
            while True:
                if self.sitting.table.over:
                    self._between_deals()
                elif self.sitting.mover == PERSON:
                    self._person()
                else:
                    self._engine()
        except Leave:
            if not self.sitting.table.over:
                self.say("The deal is not over.")
            if self.keeper.file is not None:
                self.say(f"The record is in {one_line(self.keeper.file)}.")

    # --- turns ----------------------------------------------------------------------------------

    def _person(self) -> None:
        """Let the person play a turn, or say something else."""
        from sixtysix import Turn, TurnError

        self._show_hand()
        answer = self._ask()
        if self._understood(answer):
            return
        try:
            turn = Turn.parse(answer)
        except TurnError as error:
            self.say(f"{error} (help names the words that are understood)", "yellow")
            return
        reason = self.sitting.table.why_not(turn)
        if reason is not None:
            self.say(f"{turn.pretty}: {reason}", "yellow")
            return
        self._carry_out(lambda: self.sitting.table.play(turn))

    def _engine(self) -> None:
        """Let the engine play a turn."""
        from sixtysix.players import PlayerError

        try:
            self._carry_out(lambda: run(lambda _: self.sitting.answer(), "thinking"))
        except PlayerError as error:
            raise InputError(str(error)) from None

    def _carry_out(self, play: Callable[[], object]) -> None:
        """Let somebody play a turn, keep the record and show what comes of it."""
        held = set(self.sitting.hand)
        play()
        self.keeper.keep(self.sitting.match)
        mover, turn = self.sitting.turns[-1]
        if mover == ENGINE:
            self.say(f"the engine plays {turn.pretty}", "bold")
        if len(self.sitting.turns) % 2 == 0:
            self._show_trick(set(self.sitting.hand) - held)
        if self.sitting.table.over:
            self._show_end()

    def _between_deals(self) -> None:
        """Ask what comes after a deal."""
        won = self.sitting.winner is not None
        self.say(f"Enter {'leaves' if won else 'deals anew'}; or review, again, undo, save FILE, quit.", "dim")
        answer = self._ask()
        if self._understood(answer):
            return
        if answer:
            self.say(f"{one_line(answer)}: the deal is over (help names the words that are understood)", "yellow")
        elif won:
            raise Leave
        else:
            self.sitting.next_deal()
            self.keeper.keep(self.sitting.match)
            self._begin()

    # --- what is shown --------------------------------------------------------------------------

    def _begin(self) -> None:
        """Show the beginning of a deal, or where it goes on."""
        from sixtysix.cards import symbol_text

        deal = self.sitting.deal
        if self.sitting.score is not None:
            self._tell_score()
        leader = "you lead" if deal.leader == PERSON else "the engine leads"
        self.say(f"Deal {deal.number}: {leader}, {symbol_text(deal.up)} is trump.", "bold")
        if deal.seal is not None:
            self.say(f"seal {deal.seal}", "dim")
        if deal.turns:
            self.say(f"It goes on after {count_of(len(deal.turns), 'turn')}.")
        self.say()

    def _show_hand(self) -> None:
        """Show what the person sees before his turn."""
        from sixtysix.cards import symbol_text

        position = self.sitting.position()
        if position.led is not None:
            declared = f"+{position.led_value}" if position.led_declared else ""
            self.say(f"led        {symbol_text(position.led)}{declared}")
        self.say(f"trump      {trump_text(position)}", "dim")
        if self._points:
            self._tell_points()
        self.say(f"your hand  {hand_text(position.hand)}")

    def _show_trick(self, drawn: set[int]) -> None:
        """Show who has taken the trick just played, and what the person drew."""
        from sixtysix.cards import symbol_text

        takes = "you take" if self.sitting.mover == PERSON else "the engine takes"
        self.say(f"{takes} the trick{''.join(f', you draw {symbol_text(card)}' for card in drawn)}")
        self.say()

    def _show_end(self) -> None:
        """Show how a deal has ended, and its seal and pack."""
        from sixtysix import end_of
        from sixtysix.seal import pack_text

        match = self.sitting.match
        end = end_of(match, len(match.deals) - 1)
        result = end.result or 0
        winner = ("You win", "The engine wins")[result < 0]
        told = f"{winner} {count_of(abs(result), 'game point')}" if result else "Nobody wins the deal"
        self.say(f"{told}: {end.points[PERSON]} card points for you, {end.points[ENGINE]} for the engine.", "bold")
        deal = match.deals[-1]
        if deal.seal is not None:
            self.say(f"seal {deal.seal}\nsalt {deal.salt}\npack {pack_text(deal)}", "dim")
        if self.sitting.score is not None:
            self._tell_score()
        if self.sitting.winner is not None:
            self.say(f"{('You win', 'The engine wins')[self.sitting.winner]} the match.", "bold")

    # --- what the person says -------------------------------------------------------------------

    def _ask(self) -> str:
        """Return the next line the person types. Raises Leave at the end of the input."""
        try:
            if self.screen.terminal and sys.stdin is not None and sys.stdin.isatty():
                return input("> ").strip()
            line = "" if sys.stdin is None else sys.stdin.readline()
        except EOFError:
            line = ""
        except UnicodeDecodeError:
            raise InputError("what was typed is no text in UTF-8") from None
        if not line:
            self.say()
            raise Leave
        return line.strip()

    def _understood(self, answer: str) -> bool:
        """Do what a word says; False if it is no such word."""
        word, _, rest = answer.partition(" ")
        if word.lower() == "save":
            self._save(rest.strip())
        elif answer.lower() in self._words:
            self._words[answer.lower()]()
        else:
            return False
        return True

    def _their_turn(self) -> bool:
        """Tell whether the person is to move; else say that the deal is over."""
        if self.sitting.table.over:
            self.say("The deal is over.")
        return not self.sitting.table.over

    def _moves(self) -> None:
        from sixtysix.turns import order_of, turns_allowed

        if self._their_turn():
            turns = sorted(turns_allowed(self.sitting.position()), key=order_of)
            self.say("  ·  ".join(turn.pretty for turn in turns))

    def _hint(self) -> None:
        import sixtysix

        from .analyze import best_text, turns_table

        if not self._their_turn():
            return
        position = self.sitting.position()
        analysis = run(lambda report: sixtysix.analyze(position, time=HINT_SECONDS, progress=report), "analyzing")
        best = self.screen.ink(f"best: {best_text(analysis)}", "bold green")
        emit(self.screen.draw(turns_table(analysis, self.screen), "", best, self.screen.ink(analysis.explanation), ""))

    def _review(self) -> None:
        from sixtysix.review import review_match

        from .review_text import review_parts

        match = self.sitting.played
        if not match.deals:
            self.say("No deal is over yet.")
            return
        found = run(lambda report: review_match(match, quick=True, progress=report), "reviewing")
        emit(self.screen.draw(*review_parts(found, self.screen, all_turns=False)))

    def _last(self) -> None:
        turns = self.sitting.turns
        whole = turns[: len(turns) // 2 * 2][-2:]
        told = ", ".join(f"{('you', 'the engine')[player]} {turn.pretty}" for player, turn in whole)
        self.say(f"last trick: {told}" if told else "There is no last trick yet.")

    def _tell_points(self) -> None:
        from sixtysix import end_of

        match = self.sitting.match
        points = end_of(match, len(match.deals) - 1).points
        self.say(f"points     you {points[PERSON]}, the engine {points[ENGINE]}")

    def _tell_score(self) -> None:
        score = self.sitting.score
        if score is None:
            self.say("No score is kept.")
        else:
            target = self.sitting.rules.match_target
            self.say(f"score: you {score[PERSON]}, the engine {score[ENGINE]}, of {target}")

    def _undo(self) -> None:
        if not self.sitting.take_back():
            self.say("There is no turn of yours to take back.")
            return
        self.keeper.keep(self.sitting.match)
        self.say("Taken back.")

    def _again(self) -> None:
        self.sitting.again()
        self.keeper.keep(self.sitting.match)
        self._begin()

    def _save(self, file: str) -> None:
        if not file:
            self.say("save: name a file, such as save evening.66", "yellow")
        elif os.path.exists(file) and file not in self._saved:
            self.say(f"{one_line(file)} exists: name another file", "yellow")
        else:
            try:
                Keeper(file).keep(self.sitting.match)
            except InputError as error:
                self.say(error.message, "yellow")
                return
            self._saved.add(file)
            self.say(f"The record is in {one_line(file)}.")

    def _quit(self) -> None:
        raise Leave

"""`sixtysix completion`: scripts that make a shell complete commands and options."""

import click
from click.shell_completion import get_completion_class

from .output import emit

INSTRUCTIONS = """\
bash:  echo 'eval "$(sixtysix completion bash)"' >> ~/.bashrc
zsh:   echo 'eval "$(sixtysix completion zsh)"' >> ~/.zshrc
fish:  sixtysix completion fish > ~/.config/fish/completions/sixtysix.fish

Then start a new shell.
"""


@click.command()
@click.argument("shell", required=False, type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str | None) -> None:
    """Print the completion script of a shell, or how to install one.

    \b
    Examples:
      sixtysix completion
      eval "$(sixtysix completion bash)"
    """
    if shell is None:
        emit(INSTRUCTIONS)
        return
    kind = get_completion_class(shell)
    assert kind is not None
    emit(kind(ctx.find_root().command, {}, "sixtysix", "_SIXTYSIX_COMPLETE").source().rstrip() + "\n")

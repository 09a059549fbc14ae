"""A reliability diagram as an SVG picture."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .reliability import Stage

SIDE = 300  # of the plot's square
MARGIN = 46
GAP = 40
STATED, TRUE = "#b3541e", "#1f5fa8"


def reliability_svg(title: str, plots: Sequence[tuple[str, Stage, Stage]]) -> str:
    """One plot for every name, stage as stated and stage as corrected: share won over stated chance, in ten bins.

    The area of a dot is in proportion to the decisions in its bin; on the diagonal, chances come true.
    """
    width = MARGIN + len(plots) * (SIDE + GAP)
    height = SIDE + 2 * MARGIN + 24
    body = [_plot(name, MARGIN + i * (SIDE + GAP), raw, mended) for i, (name, raw, mended) in enumerate(plots)]
    legend = (
        f'<circle cx="{MARGIN + 6}" cy="{height - 14}" r="5" fill="{STATED}" fill-opacity="0.5"/>'
        f'<text x="{MARGIN + 18}" y="{height - 10}">as searched</text>'
        f'<circle cx="{MARGIN + 116}" cy="{height - 14}" r="5" fill="{TRUE}" fill-opacity="0.75"/>'
        f'<text x="{MARGIN + 128}" y="{height - 10}">corrected</text>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="system-ui, sans-serif" font-size="12" fill="#333">'
        f'<rect width="{width}" height="{height}" fill="white"/>'
        f'<text x="{MARGIN}" y="20" font-size="14" font-weight="600">{escape(title)}</text>'
        f"{''.join(body)}{legend}</svg>\n"
    )


def _plot(name: str, left: int, raw: Stage, mended: Stage) -> str:
    top, bottom = MARGIN, MARGIN + SIDE
    parts = [
        f'<rect x="{left}" y="{top}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#bbb"/>',
        f'<line x1="{left}" y1="{bottom}" x2="{left + SIDE}" y2="{top}" stroke="#999" stroke-dasharray="4 4"/>',
        f'<text x="{left + 8}" y="{top + 18}" font-weight="600">{escape(name)}</text>',
        f'<text x="{left + SIDE / 2}" y="{bottom + 32}" text-anchor="middle">stated chance to win</text>',
    ]
    for share in (0, 25, 50, 75, 100):
        at = SIDE * share / 100
        parts.append(f'<text x="{left + at}" y="{bottom + 16}" text-anchor="middle">{share}%</text>')
        if share:
            parts.append(f'<text x="{left - 5}" y="{bottom - at + 4}" text-anchor="end">{share}%</text>')
    for stage, colour, opacity in ((raw, STATED, 0.5), (mended, TRUE, 0.75)):
        for stated, won, n in stage.bins:
            if n:
                radius = 3 + 16 * (n / stage.size) ** 0.5
                parts.append(
                    f'<circle cx="{left + SIDE * stated:.1f}" cy="{bottom - SIDE * won:.1f}" r="{radius:.1f}" '
                    f'fill="{colour}" fill-opacity="{opacity}"/>'
                )
    return "".join(parts)

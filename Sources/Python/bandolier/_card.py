"""Reports as cards: the answer first, then the main columns, then what else there is."""

from __future__ import annotations

import html
import itertools
from typing import TYPE_CHECKING, Any, Iterable, Sequence

import pyarrow as pa

if TYPE_CHECKING:
    from ._report import Report

_SENTENCES = 20
_ROWS = 60
_COLUMNS = 14
_WIDTH = 100
_CELL = 40
_TEXT = 500

USUAL = ("point-1", "decision-1")
"""The names of the point and the slot where an app has one of each."""


def text_card(report: Report) -> str:
    """Returns the card for a terminal."""
    names = _main_columns(report.table)
    rows = _rows(report.table, names)
    columns = [
        _aligned([name, *cells], is_number=is_number(report.table.schema.field(name).type))
        for name, *cells in zip(names, *rows)] if rows else [[name] for name in names]
    shown = _count_within(_WIDTH, [len(column[0]) + 2 for column in columns])
    lines = ["  ".join(cells).rstrip() for cells in zip(*columns[:shown])]
    notes = [f"{cut_line(name, _TEXT)}: {cut_line(value, _TEXT)}" for name, value in report.notes.items()]
    return "\n".join([*_sentences(report), *lines, *_more(len(report) - _ROWS, len(names) - shown), *notes])


def html_card(report: Report) -> str:
    """Returns the card for a notebook, of a size that does not depend on that of the report."""
    names = _main_columns(report.table)
    shown, rest = names[:_COLUMNS], names[_COLUMNS:]
    descriptions = report.descriptions
    first, *sentences = _sentences(report) or [report.name]
    head = "".join(f'<th title="{_escaped(descriptions[name])}">{_escaped(name)}</th>' for name in shown)
    rows = "".join(
        "<tr>" + "".join(f"<td{_title(cell)}>{_escaped(cell, _CELL)}</td>" for cell in row) + "</tr>"
        for row in _rows(report.table, shown))
    return "".join([
        f"<p><strong>{_escaped(first)}</strong></p>", *(f"<p>{_escaped(sentence)}</p>" for sentence in sentences),
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>",
        *(f"<p>{line}</p>" for line in _more(len(report) - _ROWS, 0)),
        _folded(f"{len(rest)} more columns", ((name, descriptions[name]) for name in rest)) if rest else "",
        _folded(f"{report.name}: notes", report.notes.items()),
    ])


def _sentences(report: Report) -> list[str]:
    more = len(report.answer) - _SENTENCES
    shown = [cut_line(sentence, _TEXT) for sentence in report.answer[:_SENTENCES]]
    return shown + ([f"... {more} more sentences"] if more > 0 else [])


def _main_columns(table: pa.Table) -> list[str]:
    """Returns the columns but for those that say everywhere what is usual."""
    return [
        name for name in table.column_names
        if not len(table) or name not in ("point", "slot") or set(table.column(name).unique().to_pylist()) - {*USUAL}]


def _rows(table: pa.Table, names: Sequence[str]) -> list[list[str]]:
    return [list(map(_cell, row.values())) for row in table.select(names).slice(0, _ROWS).to_pylist()]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else cut_line(value, _TEXT)


def cut_line(value: Any, length: int) -> str:
    """Returns a text as one line, in which what would move the cursor of a terminal is escaped."""
    text = str(value)
    text = text if text.isprintable() else repr(text)[1:-1]
    return text if len(text) <= length else text[:length - 1] + "…"


def is_number(kind: pa.DataType) -> bool:
    """Returns whether a column has numbers."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _aligned(cells: Sequence[str], is_number: bool) -> list[str]:
    """Returns the cells of a column in one width, long ones cut."""
    cut = [cut_line(cell, _CELL) for cell in cells]
    width = max(map(len, cut))
    return [cell.rjust(width) if is_number else cell.ljust(width) for cell in cut]


def _count_within(limit: int, widths: Sequence[int]) -> int:
    """Returns how many columns fit, at least one."""
    return max(sum(total <= limit for total in itertools.accumulate(widths)), 1)


def _more(rows: int, columns: int) -> list[str]:
    """Returns what is said of rows and columns that are not shown."""
    parts = [f"{count} more {name}" for count, name in ((rows, "rows"), (columns, "columns")) if count > 0]
    return ["... " + " and ".join(parts)] if parts else []


def _folded(summary: str, items: Iterable[tuple[str, Any]]) -> str:
    entries = "".join(f"<dt>{_escaped(name)}</dt><dd>{_escaped(value)}</dd>" for name, value in items)
    return f"<details><summary>{_escaped(summary)}</summary><dl>{entries}</dl></details>"


def _title(cell: str) -> str:
    return f' title="{_escaped(cell)}"' if len(cell) > _CELL else ""


def _escaped(value: Any, length: int = _TEXT) -> str:
    return html.escape(cut_line(value, length))

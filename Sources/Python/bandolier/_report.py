"""Reports as Arrow tables with their answers and notes."""

from __future__ import annotations

import html
import itertools
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

import pyarrow as pa

from ._command import Finished

if TYPE_CHECKING:
    import pandas

_TYPES = {
    "text": pa.string(),
    "integer": pa.int64(),
    "decimal": pa.float64(),
    "flag": pa.bool_(),
    "timestamp": pa.timestamp("us", tz="UTC"),
}


@dataclass(frozen=True, repr=False, eq=False)
class Report:
    """A table with its answer and its notes, as the command makes it.

    Polars and DuckDB take it as they take an Arrow table: `polars.DataFrame(report)`.

    >>> from bandolier import report
    >>> rewards = report("rewards", "datasets/storefront.log", experiment="pricing")
    >>> rewards.column("variant").to_pylist()
    ['discount-10', 'regular']
    >>> rewards.notes["attribution"]
    'last, no window'
    >>> rewards.descriptions["units"]
    'distinct units among the confirmed decisions'
    """

    name: str
    """The name of the report."""
    answer: tuple[str, ...]
    """What the report says in words, one sentence each; empty for reports that leave it to the table."""
    notes: Mapping[str, Union[str, int, float, bool, None]]
    """The rules that were used and the events that were left out, by name."""
    table: pa.Table
    """The rows. A cell that does not apply is null. The metadata of a field have its kind, `key` or `measure`, and its
    description."""
    messages: tuple[str, ...] = ()
    """What the command has said besides."""

    @property
    def keys(self) -> list[str]:
        """The names of the columns that identify a row."""
        return [field.name for field in self.table.schema if field.metadata[b"kind"] == b"key"]

    @property
    def descriptions(self) -> dict[str, str]:
        """What each column has, in one line."""
        return {field.name: field.metadata[b"description"].decode() for field in self.table.schema}

    def column(self, name: str) -> pa.ChunkedArray:
        """Returns a column of the table."""
        return self.table.column(name)

    def to_pandas(self, **options: Any) -> "pandas.DataFrame":
        """Returns the rows as a data frame of pandas, whose `attrs` have the name, the answer and the notes.

        The options are those of `pyarrow.Table.to_pandas`.
        """
        frame = self.table.to_pandas(**options)
        frame.attrs.update(report=self.name, answer=list(self.answer), notes=dict(self.notes))
        return frame

    def __len__(self) -> int:
        return self.table.num_rows

    def __arrow_c_schema__(self) -> object:
        return self.table.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        rows = [self.table.column_names]
        rows += [[_cell(value) for value in row.values()] for row in self.table.slice(0, _SHOWN_ROWS).to_pylist()]
        columns = [_aligned(cells) for cells in zip(*rows)]
        shown = _count_within(_SHOWN_WIDTH, [len(column[0]) + 2 for column in columns])
        lines = ["  ".join(cells).rstrip() for cells in zip(*columns[:shown])]
        notes = [f"{name}: {value}" for name, value in self.notes.items()]
        return "\n".join([*self.answer, *lines, *_more(len(self), len(columns) - shown), *notes])

    def _repr_html_(self) -> str:
        head = "".join(f'<th title="{_text(text)}">{_text(name)}</th>' for name, text in self.descriptions.items())
        rows = "".join(
            "<tr>" + "".join(f"<td>{_text(_cell(value))}</td>" for value in row.values()) + "</tr>"
            for row in self.table.slice(0, _SHOWN_ROWS).to_pylist())
        notes = "".join(f"<dt>{_text(name)}</dt><dd>{_text(value)}</dd>" for name, value in self.notes.items())
        return "".join([
            *(f"<p>{_text(sentence)}</p>" for sentence in self.answer),
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>",
            *(f"<p>{_text(line)}</p>" for line in _more(len(self), 0)),
            f"<details><summary>{_text(self.name)}: notes</summary><dl>{notes}</dl></details>",
        ])


_SHOWN_ROWS = 60
_SHOWN_WIDTH = 100
_SHOWN_CHARACTERS = 40


def _aligned(cells: Sequence[str]) -> list[str]:
    """Returns the cells of a column in one width, long ones cut."""
    cut = [cell if len(cell) <= _SHOWN_CHARACTERS else cell[:_SHOWN_CHARACTERS - 1] + "…" for cell in cells]
    width = max(map(len, cut))
    return [cell.ljust(width) for cell in cut]


def _count_within(limit: int, widths: Sequence[int]) -> int:
    """Returns how many columns fit, at least one."""
    count = sum(total <= limit for total in itertools.accumulate(widths))
    return max(count, 1)


def _more(rows: int, columns: int) -> list[str]:
    """Returns what is said of rows and columns that are not shown."""
    rows = max(rows - _SHOWN_ROWS, 0)
    parts = [f"{count} more {name}" for count, name in ((rows, "rows"), (columns, "columns")) if count > 0]
    return ["... " + " and ".join(parts)] if parts else []


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _text(value: Any) -> str:
    return html.escape(str(value))


def read_report(finished: Finished) -> Report:
    """Returns the report that a command has written as JSON."""
    content = json.loads(bytes(finished.output))
    arrays, fields = [], []
    for column in content["columns"]:
        name = column["name"]
        arrays.append(_array([row[name] for row in content["rows"]], column["type"]))
        metadata = {"kind": column["kind"], "description": column["description"]}
        fields.append(pa.field(name, arrays[-1].type, metadata=metadata))
    return Report(
        name=content["report"], answer=tuple(content["answer"]), notes=content["notes"],
        table=pa.table(arrays, schema=pa.schema(fields)), messages=tuple(finished.messages))


def _array(values: list, type_name: str) -> pa.Array:
    if type_name == "timestamp":
        return pa.array(values, pa.string()).cast(_TYPES[type_name])
    if type_name == "decimal":  # JSON has whole numbers without a point, which may be too large for an integer.
        values = [None if value is None else float(value) for value in values]
    return pa.array(values, _TYPES.get(type_name))

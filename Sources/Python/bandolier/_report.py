"""Reports as Arrow tables with their answers and notes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Union, overload

import pyarrow as pa

from ._card import html_card, text_card
from ._command import Finished
from ._errors import UnexpectedOutputError
from ._plot import needed, plotted

if TYPE_CHECKING:
    from ._frames import Axes, PandasFrame, PolarsFrame

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
        return [name for name, kind in self._metadata(b"kind").items() if kind == "key"]

    @property
    def descriptions(self) -> dict[str, str]:
        """What each column has, in one line."""
        return self._metadata(b"description")

    def _metadata(self, key: bytes) -> dict[str, str]:
        return {field.name: (field.metadata or {}).get(key, b"").decode() for field in self.table.schema}

    def column(self, name: str) -> pa.ChunkedArray:
        """Returns a column of the table.

        Raises:
            KeyError: There is no such column. The message has the names of all.
        """
        if name not in self:
            names = ", ".join(self.table.column_names)
            raise KeyError(f"the report {self.name} has no column {name!r}; it has {names}")
        return self.table.column(name)

    @overload
    def __getitem__(self, key: str) -> pa.ChunkedArray: ...
    @overload
    def __getitem__(self, key: Union[list[str], slice]) -> pa.Table: ...
    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...

    def __getitem__(self, key: Any) -> Any:
        """Returns the column of a name, a table of the columns of a list of names, or the row of a number.

        >>> from bandolier import report
        >>> rewards = report("rewards", "datasets/storefront.log", experiment="pricing")
        >>> rewards["rewards"].to_pylist(), rewards[0]["variant"], rewards[["variant", "units"]].num_columns
        ([8, 30], 'discount-10', 2)
        """
        if isinstance(key, str):
            return self.column(key)
        if isinstance(key, list):
            return pa.table(list(map(self.column, key)), schema=pa.schema(map(self.table.schema.field, key)))
        if isinstance(key, slice):
            return self.table[key]
        number = range(len(self))[key]
        return self.table.slice(number, 1).to_pylist()[0]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Yields the rows, by the names of their columns."""
        for batch in self.table.to_batches():
            yield from batch.to_pylist()

    def __contains__(self, name: object) -> bool:
        """Returns whether the table has a column."""
        return name in self.table.column_names

    def __len__(self) -> int:
        return self.table.num_rows

    def to_pandas(self, **options: Any) -> PandasFrame:
        """Returns the rows as a data frame of pandas, whose `attrs` have the name, the answer and the notes.

        The options are those of `pyarrow.Table.to_pandas`.
        """
        needed("pandas")
        frame = self.table.to_pandas(**options)
        frame.attrs.update(report=self.name, answer=list(self.answer), notes=dict(self.notes))
        return frame

    def to_polars(self) -> PolarsFrame:
        """Returns the rows as a data frame of Polars."""
        return needed("polars").DataFrame(self.table)

    def plot(
        self, y: Optional[str] = None, x: Optional[str] = None, *, ax: Optional[Axes] = None,
    ) -> Axes:
        """Draws a column with its intervals, by matplotlib, and returns the axes.

        Args:
            y: The column; by default the first that has an interval.
            x: A column of numbers or days, over which `y` is drawn as curves; by default the key that is one, such as
                `day` or `t`. Without it there is a point for each row.
            ax: The axes to draw into, if not new ones.
        """
        return plotted(self, y, x, ax)

    def __arrow_c_schema__(self) -> object:
        return self.table.schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object:
        return self.table.__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return text_card(self)

    def _repr_html_(self) -> str:
        return html_card(self)


def read_report(finished: Finished) -> Report:
    """Returns the report that a command has written as JSON."""
    try:
        content = json.loads(bytes(finished.output))
    except ValueError:
        raise UnexpectedOutputError(finished.executable, "report in JSON") from None
    arrays, fields = [], []
    for column in content["columns"]:
        name = column["name"]
        arrays.append(_array([row[name] for row in content["rows"]], column["type"]))
        metadata = {"kind": column["kind"], "description": column["description"]}
        fields.append(pa.field(name, arrays[-1].type, metadata=metadata))
    return Report(
        name=content["report"], answer=tuple(content["answer"]), notes=content["notes"],
        table=pa.table(arrays, schema=pa.schema(fields)), messages=tuple(finished.messages))


def _array(values: list[Any], type_name: str) -> pa.Array:
    if type_name == "timestamp":
        return pa.array(values, pa.string()).cast(_TYPES[type_name])
    if type_name == "decimal":  # JSON has whole numbers without a point, which may be too large for an integer.
        values = [None if value is None else float(value) for value in values]
    return pa.array(values, _TYPES.get(type_name))

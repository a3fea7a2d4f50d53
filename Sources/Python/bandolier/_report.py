"""Reports as Arrow tables with their answers and notes."""

from __future__ import annotations

import html
import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Sequence, Union

import pyarrow as pa

from ._command import Command, Finished, ProgressOption
from ._errors import CheckFailed
from ._executable import Path

if TYPE_CHECKING:
    import pandas

_TYPES = {
    "text": pa.string(),
    "integer": pa.int64(),
    "decimal": pa.float64(),
    "flag": pa.bool_(),
    "timestamp": pa.timestamp("us", tz="UTC"),
}


@dataclass(frozen=True)
class Report:
    """A table with its answer and its notes, as the command makes it.

    Polars and DuckDB take it as they take an Arrow table: `polars.DataFrame(report)`.

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

    def __str__(self) -> str:
        rows = self.table.slice(0, _SHOWN_ROWS).to_pylist()
        cells = [self.table.column_names] + [[_cell(value) for value in row.values()] for row in rows]
        widths = [max(map(len, column)) for column in zip(*cells)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]
        return "\n".join([*self.answer, *lines, *_more(len(self)), *(f"{k}: {v}" for k, v in self.notes.items())])

    def _repr_html_(self) -> str:
        head = "".join(f'<th title="{_text(text)}">{_text(name)}</th>' for name, text in self.descriptions.items())
        rows = "".join(
            "<tr>" + "".join(f"<td>{_text(_cell(value))}</td>" for value in row.values()) + "</tr>"
            for row in self.table.slice(0, _SHOWN_ROWS).to_pylist())
        notes = "".join(f"<dt>{_text(name)}</dt><dd>{_text(value)}</dd>" for name, value in self.notes.items())
        return "".join([
            *(f"<p>{_text(sentence)}</p>" for sentence in self.answer),
            f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>",
            *(f"<p>{_text(line)}</p>" for line in _more(len(self))),
            f"<details><summary>{_text(self.name)}: notes</summary><dl>{notes}</dl></details>",
        ])


_SHOWN_ROWS = 60


def _more(rows: int) -> list[str]:
    return [f"... {rows - _SHOWN_ROWS} more rows"] if rows > _SHOWN_ROWS else []


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _text(value: Any) -> str:
    return html.escape(str(value))


def report(
    name: str, log: Union[Path, None] = None, /, *, executable: Optional[Path] = None,
    progress: ProgressOption = None, **options: Any,
) -> Report:
    """Returns a report of a log, or of a database of `bandolier replay`.

    Args:
        name: The name of the report, such as `rewards` or `compare`; `bandolier report --help` lists them.
        log: The folder of the log, or a `bandolier.Log`.
        executable: The command, unless it is that of the environment variable `BANDOLIER` or the one on the `PATH`.
        progress: `True` shows progress on standard error; a function gets each of its lines.
        options: The options of the report: see `bandolier report NAME --help`. Underscores become dashes; a list
            repeats an option, a mapping gives `KEY=VALUE` for each key, `True` is a flag.

    Raises:
        UsageError: A name or an option is unknown, or a value is not valid.
        MissingInputError: There is no log.
        BadDataError: The log is damaged, or does not have what the options name.
        CheckFailed: A check named by `fail_on` failed; the error has the report.

    >>> compared = report("compare", "datasets/storefront.log", experiment="pricing", metric=["reward", "revenue"])
    >>> compared.answer[0]
    'Of 2 comparisons, 2 are undecided.'
    >>> report("rewards", "datasets/storefront.log", expriment="pricing")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    bandolier.UsageError: Error: Unknown option '--expriment'. Did you mean '--experiment'?
    ...
    """
    command = Command(executable, progress)
    return table_report(command, ["report", name], [] if log is None else [log], options)


def report_all(
    log: Path, output: Path, /, *, executable: Optional[Path] = None, progress: ProgressOption = None, **options: Any,
) -> list[str]:
    """Writes every report of a log into a folder, as one page, notebook, CSV, SQLite and plots.

    Args:
        log: The folder of the log.
        output: The folder to write. Give `force=True` to replace one that was written before.
        options: The options of `bandolier report all`, as in `report`.

    Returns:
        The messages of the command, among them why reports were left out.
    """
    command = Command(executable, progress)
    return command.run(["report", "all"], [log], {"output": output, **options}).messages


def evaluate(
    log: Path, /, policy: Union[str, Sequence[str]], *, executable: Optional[Path] = None,
    progress: ProgressOption = None, **options: Any,
) -> Report:
    """Returns what other policies would have earned, estimated from the decisions of a log.

    Args:
        log: The folder of the log.
        policy: A policy or several, such as `uniform` or `fixed:variant=X`.
        options: The options of `bandolier evaluate`, as in `report`.

    >>> values = evaluate("datasets/storefront.log", "uniform", experiment="pricing", estimator=["ips", "dr"])
    >>> values.column("estimator").to_pylist()
    ['dr', 'ips']
    """
    return table_report(Command(executable, progress), ["evaluate"], [log], {"policy": policy, **options})


def learn(
    log: Path, /, policy_class: Union[str, Sequence[str]], *, executable: Optional[Path] = None,
    progress: ProgressOption = None, **options: Any,
) -> Report:
    """Learns a policy from a log, and returns how it does on decisions that were held back.

    Args:
        log: The folder of the log.
        policy_class: A class of policies or several: `tabular`, `softmax-linear` or `tree`.
        options: The options of `bandolier learn`, as in `report`; `output="policy.json"` writes the policy.

    >>> learned = learn("datasets/storefront.log", "tabular", experiment="homepage")
    >>> learned.answer[0].split(",")[0]
    'Chosen: tabular:objective=dr'
    """
    return table_report(Command(executable, progress), ["learn"], [log], {"policy_class": policy_class, **options})


def simulate(
    plan: Optional[Path] = None, /, *, executable: Optional[Path] = None, progress: ProgressOption = None,
    **options: Any,
) -> Report:
    """Simulates policies in environments, and returns their regret, or the table that `show` names.

    Args:
        plan: A plan in YAML, unless `environment` and `policy` are given.
        options: The options of `bandolier simulate`, as in `report`.

    >>> ranking = simulate(environment="bernoulli:means=0.1;0.5", policy=["thompson", "ucb1"], horizon=1000, runs=20,
    ...     show="ranking")
    >>> ranking.column("policy").to_pylist()
    ['thompson', 'ucb1']
    """
    command = Command(executable, progress)
    return table_report(command, ["simulate"], [] if plan is None else [plan], options)


def table_report(
    command: Command, verb: Sequence[str], operands: Iterable[Any], options: Mapping[str, Any], *,
    shows_progress: bool = True,
) -> Report:
    """Runs a verb that prints a table, and returns it."""
    given = {"format", "output"}.intersection(options) - ({"output"} if verb[0] == "learn" else set())
    if given:
        raise TypeError(f"{given.pop()!r} is not an option here: the table is returned")
    try:
        finished = command.run(verb, operands, {**options, "format": "json"}, shows_progress=shows_progress)
    except CheckFailed as error:
        error.report = read_report(Finished(error.output)) if error.output else None
        raise
    return read_report(finished)


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

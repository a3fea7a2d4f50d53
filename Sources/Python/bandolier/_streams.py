"""Events as Arrow tables. This is the only place that knows in which form the command hands them over."""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional

import pyarrow as pa

from ._command import Command

_NAMES = pa.dictionary(pa.int32(), pa.string())
_LIFE_CYCLE = {"sessionExpired", "assignmentRemoved", "decisionConfirmed", "configurationApplied"}
_KINDS = {"decision", "goal", "conversion", "dataPoint"} | _LIFE_CYCLE
_ABOUT_EXPERIMENTS = {"decision", "goal"} | _LIFE_CYCLE
_AT_POINTS = {"decision", "goal", "decisionConfirmed"}

# The columns in their order: type, and the kinds of events that have it.
_COLUMNS: dict[str, tuple[pa.DataType, set[str]]] = {
    "type": (_NAMES, _KINDS),
    "time": (pa.timestamp("us", tz="UTC"), _KINDS),
    "unit": (pa.string(), _KINDS),
    "experiment": (_NAMES, _ABOUT_EXPERIMENTS),
    "point": (_NAMES, _AT_POINTS),
    "slot": (_NAMES, _AT_POINTS),
    "variant": (_NAMES, {"decision"}),
    "choices": (pa.list_(pa.string()), {"decision"}),
    "propensity": (pa.float64(), {"decision"}),
    "probabilities": (pa.list_(pa.float64()), {"decision"}),
    "policy": (_NAMES, {"decision"}),
    "reason": (_NAMES, _ABOUT_EXPERIMENTS - {"decisionConfirmed"}),
    "status": (_NAMES, {"decision", "goal"}),
    "goal": (_NAMES, {"goal", "conversion"}),
    "value": (pa.float64(), {"goal", "dataPoint"}),
    "revenue": (pa.float64(), {"conversion"}),
    "negative": (pa.bool_(), {"conversion"}),
    "kind": (_NAMES, {"dataPoint"}),
    "key": (_NAMES, {"dataPoint"}),
    "value_text": (pa.string(), {"dataPoint"}),
    "value_flag": (pa.bool_(), {"dataPoint"}),
    "id": (pa.string(), _KINDS),
}


def read_events(command: Command, log: str, kind: Optional[str], options: Mapping[str, Any]) -> pa.Table:
    """Returns the events of a kind, or of all kinds, in the order of the log."""
    finished = command.run(["log", "cat"], [log], {"kind": kind, **options}, shows_progress=False)
    lines = bytes(finished.output).splitlines()
    rows = [_row(json.loads(line), line) for line in lines]
    kinds = {kind} if kind else {row["type"] for row in rows}
    columns = {
        name: pa.array([row.get(name) for row in rows], pa.string() if name == "time" else column).cast(column)
        for name, (column, having) in _COLUMNS.items() if kinds & having or not kinds
    }
    for name in dict.fromkeys(name for row in rows for name in row if "." in name):
        columns[name] = _attribute(name, rows, lines)
    columns["json"] = pa.array([row.get("json") for row in rows], pa.string())
    return pa.table(columns)


def _row(event: dict[str, Any], line: bytes) -> dict[str, Any]:
    """Returns an event as a row, whose column `json` has the whole event if the others do not show all of it."""
    row: dict[str, Any] = {}
    for name, value in event.items():
        if name in ("context", "metadata"):
            row.update({f"{name}.{attribute}": content for attribute, content in value.items()})
        elif name == "value" and isinstance(value, bool):
            row["value_flag"] = value
        elif name == "value" and isinstance(value, str):
            row["value_text"] = value
        elif name in _COLUMNS:
            row[name] = value
        else:
            row["json"] = line.decode()
    return row


def _attribute(name: str, rows: list[dict[str, Any]], lines: list[bytes]) -> pa.Array:
    """Returns the column of an attribute: numbers, truth values, or texts if the types of its values differ."""
    values = [row.get(name) for row in rows]
    types = {_type(value) for value in values if value is not None}
    if len(types) == 1:
        return pa.array(values, types.pop())
    for row, value, line in zip(rows, values, lines):
        if value is not None and not isinstance(value, str):
            row["json"] = line.decode()
    texts = [value if value is None or isinstance(value, str) else json.dumps(value) for value in values]
    return pa.array(texts, pa.string())


def _type(value: Any) -> pa.DataType:
    if isinstance(value, bool):
        return pa.bool_()
    return pa.string() if isinstance(value, str) else pa.float64()

"""Plots of reports, by matplotlib."""

from __future__ import annotations

import datetime
import importlib
import math
from typing import TYPE_CHECKING, Any, Iterable, Optional, Tuple

import pyarrow as pa
from pyarrow import compute

from ._card import USUAL, cut_line, is_number

if TYPE_CHECKING:
    from ._frames import Axes
    from ._report import Report

Ends = Optional[Tuple[str, str]]

_POINTS = 60
_CURVES = 10
_LABEL = 60
_PERIODS = ("hour", "day", "week", "month")
_SPREADS = ("variance", "deviation", "error", "se", "high")


def needed(name: str) -> Any:
    """Returns a module that the package does not require.

    Raises:
        ModuleNotFoundError: It is not installed. The message says how to install it.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        package = name.partition(".")[0]
        if error.name != package:
            raise
        raise ModuleNotFoundError(
            f"{package} is not installed, and this needs it: pip install {package}", name=package) from None


def plotted(report: Report, y: Optional[str], x: Optional[str], axes: Optional[Axes]) -> Axes:
    """Draws a column with its intervals, over another one or as points, and returns the axes."""
    pyplot = needed("matplotlib.pyplot")
    kinds = {field.name: field.type for field in report.table.schema}
    names = report.keys or [name for name, kind in kinds.items() if not is_number(kind)]
    bounds = intervals(report)
    measures = [name for name in [*bounds, *kinds] if is_number(kinds[name]) and name not in names]
    y = y or (measures or [""])[0]
    for name in filter(None, (y, x)):
        report.column(name)
    if not y or not is_number(kinds[y]):
        raise ValueError(f"{y or f'the report {report.name}'} has no numbers to plot")
    x = x or next((name for name in names if name in _PERIODS or _is_scale(kinds[name])), None)
    varying = [name for name in names if name != x and len(report.column(name).unique()) > 1]
    ends = bounds.get(y)
    table = report[list({*varying, y, *filter(None, [x]), *(ends or ())})]
    table = table.filter(compute.is_valid(table[y]))
    if axes is None:
        rows = 0 if x else min(len(table), _POINTS)
        _, axes = pyplot.subplots(figsize=(7, max(3.5, 0.3 * rows)), layout="constrained")
    left_out = _curves(axes, table, varying, y, x, ends) if x else _points(axes, table, varying, y, ends)
    fixed = [report[0][name] for name in names if len(report) and name not in (*varying, x)]
    axes.set_title(_label([report.name, *fixed]) + (f" ({left_out} more are not shown)" if left_out else ""))
    return axes


def intervals(report: Report) -> dict[str, tuple[str, str]]:
    """Returns the columns that have an interval, with the names of its ends.

    The ends of the interval of `lift` are `lift_ci_low` and `lift_ci_high`; those without the name of a column belong
    to the column that is called like the report, else to the estimate before them.
    """
    found: dict[str, tuple[str, str]] = {}
    decimals = [field.name for field in report.table.schema if pa.types.is_floating(field.type)]
    estimate = ""
    for name in decimals:
        if name.endswith("ci_low"):
            own = name[:-len("_ci_low")] or report.name
            found.setdefault(own if own in decimals else estimate, (name, name[:-3] + "high"))
        elif name.endswith("_q05"):
            found.setdefault(name[:-3] + "mean", (name, name[:-2] + "95"))
        elif name.rpartition("_")[2] not in _SPREADS:
            estimate = name
    return {name: ends for name, ends in found.items() if {name, *ends} <= set(decimals)}


def _is_scale(kind: pa.DataType) -> bool:
    return is_number(kind) or pa.types.is_timestamp(kind)


def _curves(axes: Any, table: pa.Table, keys: list[str], y: str, x: str, ends: Ends) -> int:
    """Draws a curve for each combination of keys, and returns how many were left out."""
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in table.filter(compute.is_valid(table[x])).sort_by(x).to_pylist():
        groups.setdefault(tuple(row[name] for name in keys), []).append(row)
    for group in sorted(groups, key=str)[:_CURVES]:
        over = [_time(row[x]) for row in groups[group]]
        [line] = axes.plot(over, [row[y] for row in groups[group]], marker=".", label=_label(group) or y)
        if ends:
            low, high = ([_number(row[end]) for row in groups[group]] for end in ends)
            axes.fill_between(over, low, high, alpha=0.2, color=line.get_color())
    axes.set_xlabel(_label([x]))
    axes.set_ylabel(_label([y]))
    if len(groups) > 1:
        axes.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1, 1))
    axes.tick_params(axis="x", rotation=30)
    return max(0, len(groups) - _CURVES)


def _points(axes: Any, table: pa.Table, keys: list[str], y: str, ends: Ends) -> int:
    """Draws a point for each row, the first on top, and returns how many were left out."""
    rows = table.slice(0, _POINTS).to_pylist()
    errors = ends and [
        [max(0.0, sign * (_number(row[end]) - row[y])) for row in rows] for sign, end in zip((-1, 1), ends)]
    axes.errorbar([row[y] for row in rows], range(len(rows)), xerr=errors, fmt="o", capsize=3)
    axes.set_yticks(range(len(rows)), [_label(row[name] for name in keys) for row in rows])
    axes.invert_yaxis()
    axes.set_xlabel(_label([y]))
    if any(word in y for word in ("lift", "difference")):
        axes.axvline(0, color="grey", linewidth=0.8)
    return len(table) - len(rows)


def _number(value: Optional[float]) -> float:
    return math.nan if value is None else value


def _time(value: Any) -> Any:
    try:
        return datetime.datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _label(parts: Iterable[Any]) -> str:
    """Returns names as a text that matplotlib shows as it is: neither a formula nor one that legends leave out."""
    text = cut_line(" · ".join(str(part) for part in parts if part not in (None, *USUAL)), _LABEL)
    return (" " if text.startswith("_") else "") + text.replace("$", r"\$")

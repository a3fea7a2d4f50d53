"""Keyword arguments as options of the command."""

from __future__ import annotations

import datetime
import os
from typing import Any, Callable, Iterable, Iterator, Mapping

def option_arguments(options: Mapping[str, Any], repeats: Callable[[str], bool]) -> list[str]:
    """Returns the arguments for keyword arguments.

    `without_reason="forced"` becomes `--without-reason=forced`, `once=True` becomes `--once`, and `once=False` and
    `since=None` nothing. A list, an array or a series repeats the option, or is joined by commas where the option can
    be given only once; a mapping is a list of `KEY=VALUE`, or of the entries of `map`. A name that is a keyword of
    Python has an underscore at its end: `lambda_`.

    >>> option_arguments({"metric": ["reward", "revenue"], "once": True, "lambda_": 0.1}, lambda name: True)
    ['--metric=reward', '--metric=revenue', '--once', '--lambda=0.1']
    >>> option_arguments({"columns": ["variant", "lift"], "by": None}, lambda name: False)
    ['--columns=variant,lift']
    """
    arguments: list[str] = []
    for key, value in options.items():
        name = key.rstrip("_").replace("_", "-")
        if isinstance(value, Mapping):
            pairs = (f"{field}={_single_text(field, content)}" for field, content in value.items())
            value = list(_map_entries(value) if name == "map" else pairs)
        if is_list(value):
            texts = [option_text(element) for element in ordered(value)]
            if len(texts) > 1 and not repeats(name):
                texts = [",".join(texts)]
            arguments += [f"--{name}={text}" for text in texts]
        elif isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):  # The second is numpy's.
            arguments += [f"--{name}"] if value else []
        elif value is not None:
            arguments.append(f"--{name}={option_text(value)}")
    return arguments


def _map_entries(mapping: Mapping[Any, Any], prefix: str = "") -> Iterator[str]:
    """Yields the entries of a mapping of fields to columns, as a YAML file has them: a value behind `=` is the same in
    all rows, of a list of columns the first with a content counts, `context` and the like may be nested, and `events`
    lists further events of the same row.

    >>> list(_map_entries({"unit": "user", "experiment": "=checkout", "context": {"country": "c"}}))
    ['unit=user', 'experiment:=checkout', 'context.country=c']
    >>> list(_map_entries({"unit": ["user", "device"], "events": [{"goal": "=visit", "each": ["q1", "q2"]}]}))
    ['unit=user|device', '2.goal:=visit', '2.each=q1,q2']
    """
    for field, content in mapping.items():
        name = f"{prefix}{field}"
        if isinstance(content, Mapping):
            yield from _map_entries(content, f"{name}.")
        elif name == "events" and is_list(content) and all(isinstance(event, Mapping) for event in content):
            for number, event in enumerate(content, start=2):
                yield from _map_entries(event, f"{number}.")
        elif name != "events" and is_list(content) and content and all(isinstance(column, str) for column in content):
            separator = "," if field == "each" else "|"
            if field in ("when", "unless") or any(separator in column for column in content):
                raise ValueError(
                    f"{name}: each element of a list must be the name of one column without {separator}; write a "
                    "condition as one text: 'event == order | refund'")
            yield f"{name}={separator.join(content)}"
        elif content is not None:
            text = _single_text(name, content)
            yield f"{name}:{text}" if text.startswith("=") else f"{name}={text}"


def _single_text(key: Any, value: Any) -> str:
    if isinstance(value, Mapping) or is_list(value):
        raise TypeError(f"{key}: it takes one value, not a {type(value).__name__}")
    return option_text(value)


def is_list(value: Any) -> bool:
    """Returns whether a value is several ones: a list, a set, a generator, an array or a series."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, os.PathLike, Mapping))


def ordered(values: Any) -> Any:
    """Returns the elements of a list in their order, and those of a set sorted."""
    return sorted(values) if isinstance(values, (set, frozenset)) else values


def option_text(value: Any) -> str:
    """Returns a value as the command reads it: paths, times with a time zone, and durations too.

    >>> option_text(datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc))
    '2026-01-02T00:00:00+00:00'
    >>> option_text(datetime.timedelta(hours=1))
    '3600s'

    Raises:
        ValueError: A time has no time zone, a duration has fractions of a second, or a text is not UTF-8.
    """
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone; give one, such as datetime.timezone.utc")
        return value.isoformat()
    if isinstance(value, datetime.timedelta):
        seconds = value // datetime.timedelta(seconds=1)
        if datetime.timedelta(seconds=seconds) != value:
            raise ValueError(f"{value!r} is not a whole number of seconds")
        return f"{seconds}s"
    if isinstance(value, (bytes, os.PathLike)):
        text = os.fsdecode(value)
    else:
        text = str.__str__(value) if isinstance(value, str) else str(value)  # The first for texts that are in an Enum.
    if not text.isprintable() and any("\ud800" <= character <= "\udfff" or character == "\0" for character in text):
        raise ValueError(f"{text!r} is not UTF-8 without zero bytes, and the command takes no other names")
    return text

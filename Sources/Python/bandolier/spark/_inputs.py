"""The files that a run reads, in the order in which one machine would import them."""

from __future__ import annotations

import glob
import os

from typing import Iterable, Union

from .._errors import MissingInputError
from .._executable import Path


def expanded(inputs: Union[Path, Iterable[Path]]) -> list[str]:
    """Returns the absolute paths of all files that inputs name, in bytewise order.

    A folder stands for the files in it and in its folders, without those whose names begin with `.` or `_`; a folder
    that is a log stands for itself; a pattern with `*`, `?` or `[` for what matches.

    Raises:
        MissingInputError: A file does not exist, or a folder or a pattern has no files.
    """
    if isinstance(inputs, (str, os.PathLike)):
        inputs = [inputs]
    paths = [path for text in inputs for name in _matches(os.fspath(text)) for path in _files(name)]
    return sorted((os.path.abspath(path) for path in paths), key=os.fsencode)


def _matches(text):
    if os.path.exists(text):
        return [text]
    found = glob.glob(text) if any(mark in text for mark in "*?[") else []
    if not found:
        raise _missing(text, "no such file; check the path or the pattern")
    return found


def _files(path):
    if not os.path.isdir(path) or is_log(path):
        return [path]
    found = []
    for name in os.listdir(path):
        if not name.startswith((".", "_")):
            inner = os.path.join(path, name)
            found += _files(inner) if not os.path.isdir(inner) or os.listdir(inner) else []
    if not found:
        raise _missing(path, "the folder has no files to import")
    return found


def _missing(path, why):
    return MissingInputError(f"{path}: {why}", ["bandolier", "import", path], 66)


def is_log(path: str) -> bool:
    """Returns whether a folder is a log: it has segments."""
    return any(name.startswith("seg-") and name.endswith(".bdl") for name in os.listdir(path))


def is_parquet(path: str) -> bool:
    """Returns whether a file is a Parquet file, by its first bytes."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"PAR1"


def identity(path: str) -> list:
    """Returns what tells a version of a file apart: its path, size and time of change."""
    status = os.stat(path)
    return [path, status.st_size, status.st_mtime_ns]

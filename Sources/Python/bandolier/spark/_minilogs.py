"""Logs as sequences of chunks of bytes, so that Spark can shuffle and store them.

A packed log is one line with the number of bytes that follow, then for each file of the log, in bytewise order of the
names, a line with its size and name, and its bytes:

    packed = size "\\n" *(size " " name "\\n" bytes)

It depends on the events of the log and its seed alone: locks, and notes of imports, are left out. A chunk is a part of
it at a multiple of `CHUNK_BYTES`, so that chunks can be put in their places in any order.
"""

from __future__ import annotations

import os
import re
from typing import Iterator

CHUNK_BYTES = 128 * 1024
_LOCAL_FILES = frozenset(["LOCK", "IMPORTS"])
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*")


def packed_chunks(folder: str) -> Iterator[tuple[int, bytes]]:
    """Yields the chunks of a log: pairs of a number, from 0, and at most `CHUNK_BYTES` bytes."""
    number, chunk = 0, bytearray()
    for part in _parts(folder):
        chunk += part
        while len(chunk) >= CHUNK_BYTES:
            yield number, bytes(chunk[:CHUNK_BYTES])
            del chunk[:CHUNK_BYTES]
            number += 1
    if chunk:
        yield number, bytes(chunk)


def _parts(folder):
    names = sorted(set(os.listdir(folder)) - _LOCAL_FILES)
    files = [(name, os.path.join(folder, name)) for name in names]
    heads = [f"{os.path.getsize(path)} {name}\n".encode() for name, path in files]
    yield f"{sum(map(len, heads)) + sum(os.path.getsize(path) for _, path in files)}\n".encode()
    for head, (_, path) in zip(heads, files):
        yield head
        with open(path, "rb") as file:
            while data := file.read(CHUNK_BYTES):
                yield data


class PackedFile:
    """A packed log that is put together from its chunks, in a file."""

    def __init__(self, path: str) -> None:
        """Begins a file, which replaces one that is there."""
        self.path = path
        open(path, "wb").close()

    def put(self, number: int, chunk: bytes) -> None:
        """Puts a chunk in its place. The same chunk twice is as good as once."""
        with open(self.path, "r+b") as file:
            file.seek(number * CHUNK_BYTES)
            file.write(chunk)

    def unpack(self, folder: str) -> None:
        """Makes the folder of the log, and removes the file.

        Raises:
            ValueError: Chunks are missing, or are not those of a log.
        """
        with open(self.path, "rb") as file:
            head = _line(file)
            size = os.path.getsize(self.path) - file.tell()
            if head != [str(size)]:
                raise ValueError(f"a packed log of {' '.join(head)} bytes has {size} bytes")
            os.mkdir(folder)
            while size > file.tell() - len(head[0]) - 1:
                _unpack_file(file, folder)
        os.unlink(self.path)


def _unpack_file(file, folder):
    words = _line(file)
    if len(words) != 2 or not words[0].isdigit() or not _NAME.fullmatch(words[1]):
        raise ValueError("a packed log has an invalid file name or size")
    left = int(words[0])
    with open(os.path.join(folder, words[1]), "wb") as target:
        while left > 0:
            data = file.read(min(left, CHUNK_BYTES))
            if not data:
                raise ValueError(f"a packed log ends in the middle of {words[1]}")
            target.write(data)
            left -= len(data)


def _line(file):
    line = file.readline(256)
    if not line.endswith(b"\n"):
        raise ValueError("a packed log is cut off")
    return line[:-1].decode("utf-8", "replace").split(" ")

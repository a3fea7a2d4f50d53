"""The tasks that make shards of mini-logs, and what they tell the driver of them."""

from __future__ import annotations

import itertools
import json
import os
from typing import Any, Iterable, Iterator, Optional, Union

from ._command import Command
from ._minilogs import PackedFile, packed_chunks
from ._scratch import Scratch
from ._tasks import FAILED, MESSAGES, Pair, Shipped

# The number of the row of a shard that has its facts, as JSON.
FACTS = -1
# One command line has at most so many paths.
_INPUTS_OF_ONE_IMPORT = 10_000

Row = tuple[int, Union[bytes, str]]
"""A row of a shard: its facts, or the number of a chunk of its log and the chunk."""


def kept_path(folder: str, shard: int, count: int) -> str:
    """Returns the path of a kept shard, counted from 0. Its name counts from 1, as `--shard 1/4` does."""
    return os.path.join(folder, f"shard-{shard + 1}-of-{count}.log")


class BuildShard:
    """Imports the mini-logs of a shard in the order of their sources.

    The facts of the shard come first: `events`, `latest`, `failures` and `messages`, and `path` if it is kept. If not,
    the chunks of its log follow.
    """

    def __init__(
        self, shipped: Shipped, shard_count: int, folder: Optional[str] = None, wanted: Optional[Iterable[int]] = None,
    ) -> None:
        """Takes the folder that keeps shards, which all machines see, and the shards, from 0, that it lacks."""
        self.shipped = shipped
        self.shard_count = shard_count
        self.folder = folder
        self.wanted = None if wanted is None else frozenset(wanted)

    def __call__(self, shard: int, pairs: Iterable[Pair]) -> Iterator[Row]:
        with Scratch("reduce") as scratch:
            parts, failures, messages = self._gathered((row for _, row in pairs), scratch)
            facts = {"events": 0, "latest": None, "failures": sorted(failures), "messages": sorted(messages)}
            if failures or (self.wanted is not None and shard not in self.wanted):
                yield FACTS, json.dumps(facts)
            elif self.folder is None:
                log, command = scratch.join("shard"), self.shipped.command(scratch)
                self._import(command, parts, log, shard, scratch)
                yield FACTS, json.dumps({**facts, **log_facts(command, log, scratch)})
                yield from packed_chunks(log)
            else:
                yield FACTS, json.dumps({**facts, **self._kept(parts, shard, scratch)})

    def _kept(self, parts: list[str], shard: int, scratch: Scratch) -> dict[str, Any]:
        """Puts the log in its place at once; another attempt of the same task may have done so before."""
        path = kept_path(self.folder, shard, self.shard_count)
        with Scratch("keep", parent=self.folder) as near:
            command = self.shipped.command(scratch, near)
            self._import(command, parts, near.join("shard"), shard, scratch)
            facts = log_facts(command, near.join("shard"), scratch)
            try:
                os.rename(near.join("shard"), path)
            except OSError:
                if not os.path.isdir(path):
                    raise
        return {**facts, "path": path}

    def _gathered(self, rows: Iterable[tuple], scratch: Scratch) -> tuple[list[str], list, list]:
        """Returns the folders of mini-logs in the order of their sources, what failed, and what imports said."""
        packed, failures, messages = {}, [], []
        for source, number, value in rows:
            if number == FAILED:
                failures.append([source, *value])
            elif number == MESSAGES:
                messages.append([source, value])
            else:
                if source not in packed:
                    packed[source] = PackedFile(scratch.join(f"{source}.packed"))
                packed[source].put(number, value)
        folders = []
        for source in sorted(packed):
            folders.append(scratch.join(f"{source}.log"))
            packed[source].unpack(folders[-1])
        return folders, failures, messages

    def _import(self, command: Command, parts: list[str], log: str, shard: int, scratch: Scratch) -> None:
        options = ["--log", log, "--seed", shard, "--progress", "never"]
        if not parts:
            parts = [scratch.join("empty.jsonl")]
            open(parts[0], "w").close()
        left = iter(parts)
        while some := list(itertools.islice(left, _INPUTS_OF_ONE_IMPORT)):
            command.run("import", *some, *options)


class FindShard:
    """Gives the facts of a kept shard, as `BuildShard` does of one that it makes."""

    def __init__(self, shipped: Shipped, shard_count: int, folder: str) -> None:
        self.shipped = shipped
        self.shard_count = shard_count
        self.folder = folder

    def __call__(self, shard: int, _: object) -> Iterator[Row]:
        path = kept_path(self.folder, shard, self.shard_count)
        with Scratch("find") as scratch:
            facts = log_facts(self.shipped.command(scratch), path, scratch)
        yield FACTS, json.dumps({**facts, "failures": [], "messages": [], "path": path})


def log_facts(command: Command, log: str, scratch: Scratch) -> dict[str, Any]:
    """Returns the number of events of a log, and the time of its latest, `None` if it has no events."""
    target = scratch.join("info.json")
    command.run("log", "info", log, "--format", "json", output=target)
    with open(target, encoding="utf-8") as file:
        values = {row["property"]: row["value"] for row in json.load(file)["rows"]}
    return {"events": int(values["events"]), "latest": values.get("latest") or None}


def open_shard(rows: Iterable[Row], scratch: Scratch) -> str:
    """Returns the path of the log of a shard whose rows are given."""
    packed = PackedFile(scratch.join("shard.packed"))
    for number, value in rows:
        if number != FACTS:
            packed.put(number, value)
        elif "path" in (facts := json.loads(value)):
            return facts["path"]
    packed.unpack(scratch.join("shard.log"))
    return scratch.join("shard.log")

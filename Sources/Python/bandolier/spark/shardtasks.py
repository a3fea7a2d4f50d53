"""The tasks that make shards of mini-logs, and what they tell the driver of them."""

import itertools
import json
import os

from bandolier.spark.minilogs import PackedFile, packed_chunks
from bandolier.spark.scratch import Scratch
from bandolier.spark.tasks import FAILED, MESSAGES

# The number of the row of a shard that holds its `ShardFacts` as JSON.
FACTS = -1
# One command line holds so many paths.
_INPUTS_OF_ONE_IMPORT = 10_000


def kept_path(folder, shard, count):
    """Returns the path of a kept shard, counted from 0: named from 1, as in ``--shard 1/4``."""
    return os.path.join(folder, f"shard-{shard + 1}-of-{count}.log")


class BuildShard:
    """Imports the mini-logs of a shard in the order of the files that they come from.

    The result is the rows of one partition: first its facts (``events``, ``latest``, ``failures``, ``messages``, and
    ``path`` of a kept shard) under the number ``FACTS``, then the chunks of its log, unless it is kept.

    Parameters
    ----------
    shipped
        The executable.
    shard_count
        The number of shards.
    folder
        Where shards are kept, a folder that all machines see; None packs them into the rows.
    wanted
        The shards, from 0, that are not kept yet; None stands for all.
    """

    def __init__(self, shipped, shard_count, folder=None, wanted=None):
        self.shipped = shipped
        self.shard_count = shard_count
        self.folder = folder
        self.wanted = None if wanted is None else frozenset(wanted)

    def __call__(self, shard, pairs):
        with Scratch("reduce") as scratch:
            parts, failures, messages = self._gathered((row for _, row in pairs), scratch)
            facts = {"events": 0, "latest": None, "failures": sorted(failures), "messages": sorted(messages)}
            if failures or (self.wanted is not None and shard not in self.wanted):
                yield FACTS, json.dumps(facts)
            elif self.folder is None:
                log = scratch.join("shard")
                self._import(parts, log, shard, scratch)
                facts.update(log_facts(self.shipped.command(scratch), log, scratch))
                yield FACTS, json.dumps(facts)
                yield from packed_chunks(log)
            else:
                yield FACTS, json.dumps({**facts, **self._kept(parts, shard, scratch)})

    def _kept(self, parts, shard, scratch):
        """Puts the log in its place at once; another attempt of the same task may have done so before."""
        path = kept_path(self.folder, shard, self.shard_count)
        with Scratch("keep", parent=self.folder) as near:
            self._import(parts, near.join("shard"), shard, scratch, near.pipe)
            facts = log_facts(self.shipped.command(scratch), near.join("shard"), scratch)
            try:
                os.rename(near.join("shard"), path)
            except OSError:
                if not os.path.isdir(path):
                    raise
        return {**facts, "path": path}

    def _gathered(self, rows, scratch):
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

    def _import(self, parts, log, shard, scratch, *pipes):
        command = self.shipped.command(scratch, *pipes)
        options = ["--log", log, "--seed", shard, "--progress", "never"]
        if not parts:
            empty = scratch.join("empty.jsonl")
            open(empty, "w").close()
            command.run("import", empty, "--format", "jsonl", *options)
        parts = iter(parts)
        while some := list(itertools.islice(parts, _INPUTS_OF_ONE_IMPORT)):
            command.run("import", *some, *options)


class FindShard:
    """Gives a kept shard as the rows that `BuildShard` gives of one that it made."""

    def __init__(self, shipped, shard_count, folder):
        self.shipped = shipped
        self.shard_count = shard_count
        self.folder = folder

    def __call__(self, shard, _):
        path = kept_path(self.folder, shard, self.shard_count)
        with Scratch("find") as scratch:
            facts = log_facts(self.shipped.command(scratch), path, scratch)
        yield FACTS, json.dumps({**facts, "failures": [], "messages": [], "path": path})


def log_facts(command, log, scratch):
    """Returns the number of events of a log, and the time of its latest, None if it has no events."""
    target = scratch.join("info.json")
    command.run("log", "info", log, "--format", "json", output=target)
    with open(target, encoding="utf-8") as file:
        values = {row["property"]: row["value"] for row in json.load(file)["rows"]}
    return {"events": int(values["events"]), "latest": values.get("latest") or None}


def open_shard(rows, scratch):
    """Returns the path of the log of a shard whose rows are given."""
    packed = PackedFile(scratch.join("shard.packed"))
    for number, value in rows:
        if number == FACTS:
            facts = json.loads(value)
            if "path" in facts:
                return facts["path"]
        else:
            packed.put(number, value)
    packed.unpack(scratch.join("shard.log"))
    return scratch.join("shard.log")

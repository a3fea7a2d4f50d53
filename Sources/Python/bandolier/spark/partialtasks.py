"""The tasks that make partial results of shards, and merge them."""

import os

from bandolier.spark.scratch import Scratch
from bandolier.spark.shardtasks import open_shard


class ReportPartial:
    """Makes the partial result of a report from one shard: a pair of the shard, from 0, and the bytes.

    Parameters
    ----------
    shipped
        The executable.
    question
        The name of the report and its options, as on the command line.
    shard_count
        The number of shards.
    data_end
        The latest time of all shards, None if there are no events.
    given
        The merged partial of the pass before, None in the first pass.
    folder
        Where partials are kept, a folder that all machines see, or None.
    """

    def __init__(self, shipped, question, shard_count, data_end=None, given=None, folder=None):
        self.shipped = shipped
        self.question = list(question)
        self.shard_count = shard_count
        self.data_end = data_end
        self.given = given
        self.folder = folder

    def __call__(self, shard, rows):
        place = self.folder and os.path.join(self.folder, f"shard-{shard + 1}-of-{self.shard_count}.partial")
        if not (place and os.path.exists(place)):
            with Scratch("partial", parent=self.folder) as scratch:
                made = self._made(shard, open_shard(rows, scratch), scratch)
                if place is None:
                    yield shard, _bytes(made)
                    return
                os.replace(made, place)
        yield shard, _bytes(place)

    def _made(self, shard, log, scratch):
        made = scratch.join("partial")
        options = ["--partial", made, "--shard", f"{shard + 1}/{self.shard_count}"]
        if self.data_end is not None:
            options += ["--data-end", self.data_end]
        options += given_option(self.given, scratch)
        name, *rest = self.question
        self.shipped.command(scratch).run("report", name, log, *rest, *options)
        return made


class MergePartials:
    """Merges the partial results of a group of shards into one, for a tree of merges."""

    def __init__(self, shipped, question, given=None):
        self.shipped = shipped
        self.question = list(question)
        self.given = given

    def __call__(self, group, pairs):
        with Scratch("merge") as scratch:
            folder = write_partials((pair for _, pair in pairs), scratch)
            name, *rest = self.question
            options = [*rest, *given_option(self.given, scratch), "--partial", scratch.join("merged")]
            self.shipped.command(scratch).run("report", name, "--merge", folder, *options)
            yield group, _bytes(scratch.join("merged"))


def given_option(given, scratch):
    """Returns the option that hands the merged partial of the pass before to a command."""
    if given is None:
        return []
    with open(scratch.join("given"), "wb") as file:
        file.write(given)
    return ["--given", scratch.join("given")]


def write_partials(pairs, scratch):
    """Writes partials into a folder of a scratch folder, and returns its path."""
    folder = scratch.join("partials")
    os.mkdir(folder)
    for number, content in pairs:
        with open(os.path.join(folder, f"{number}.partial"), "wb") as file:
            file.write(content)
    return folder


def _bytes(path):
    with open(path, "rb") as file:
        return file.read()

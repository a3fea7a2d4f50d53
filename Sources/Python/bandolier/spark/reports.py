"""Reports of logs on a cluster: partial results of shards, merged in a tree."""

import itertools
import os
import sys

from bandolier.spark.cluster import Cluster
from bandolier.spark.errors import CommandError
from bandolier.spark.kept import is_kept, question_name, write_question
from bandolier.spark.partialtasks import MergePartials, ReportPartial, given_option, write_partials
from bandolier.spark.scratch import Scratch
from bandolier.spark.shards import kept_shards, made_shards

# So many partials are merged by one command: as wide as a tree of two levels needs for 4,096 shards.
FAN = 64


def report(
    spark, name, source, *options, shards=None, keep=None, import_options=(), frame_name=None, executable=None, fan=FAN
):
    """Returns a report of events as one machine makes it, byte for byte.

    Parameters
    ----------
    spark : pyspark.sql.SparkSession
        The session; its executors need to see the files.
    name : str
        The report: ``rewards``, ``compare``, ...
    source : str, list of str, pyspark.sql.DataFrame
        Files, folders and patterns, as ``import`` reads them, also Parquet; a data frame whose columns are fields of
        events; or a folder that `shard` made. Files count as imported in bytewise order of their paths, rows of a data
        frame in the order of its partitions.
    *options : str
        Options of the report, as on the command line: ``"--by", "device"``. The format is CSV by default.
    shards : int
        The number of shards, 1 to 4,096; the report does not depend on it. By default one for each processor, and more
        where they would be larger than 256 MB.
    keep : str
        A folder, seen by all machines, that keeps shards and partial results: a run that was interrupted makes only
        what is missing.
    import_options : sequence of str
        Options of ``import``, as on the command line: ``["--on-error", "skip"]``.
    frame_name : str
        A name for the content of a data frame, under which ``keep`` keeps its shards.
    executable : str
        The command ``bandolier`` that is copied to the executors; by default the one that the environment's
        ``BANDOLIER`` names, then the one on the PATH.
    fan : int
        How many partial results one task merges.

    Returns
    -------
    bytes
        What ``bandolier report`` prints.

    Raises
    ------
    CommandError
        An input or an option was refused; its exit code and messages are those of the command.
    TaskError
        A task failed as often as Spark allows.
    """
    cluster = Cluster(spark, executable)
    made = _shards(cluster, source, import_options, shards, keep, frame_name)
    try:
        return _Question(cluster, made, [name, *options], keep, fan).answer()
    finally:
        made.release()


def _shards(cluster, source, import_options, count, keep, frame_name):
    if is_kept(source):
        return kept_shards(cluster, os.path.abspath(source))
    folder = None
    if keep is not None:
        folder = os.path.join(os.path.abspath(keep), "shards")
    return made_shards(cluster, source, import_options, count, folder, frame_name)


class _Question:
    """One report of the shards: passes over them until the merged partial is the report."""

    def __init__(self, cluster, shards, words, keep, fan):
        self.cluster = cluster
        self.shards = shards
        self.words = words
        self.keep = keep
        self.fan = max(2, fan)

    def answer(self):
        """Returns the report."""
        data_end, given = self.shards.data_end(), None
        for number in itertools.count(1):
            with Scratch("report") as scratch:
                folder = write_partials(self._pass(number, data_end, given), scratch)
                try:
                    return self._command(scratch, folder, given)
                except CommandError as error:
                    if not needs_another_pass(error):
                        raise
                self._command(scratch, folder, given, "--partial", scratch.join("merged"))
                with open(scratch.join("merged"), "rb") as file:
                    given = file.read()

    def _command(self, scratch, folder, given, *options):
        """Merges the partials of a folder, and returns what the command prints."""
        name, *rest = self.words
        options = [*given_option(given, scratch), *options]
        printed = scratch.join("printed")
        command = self.cluster.command(scratch)
        messages = command.run("report", name, "--merge", folder, *rest, *options, output=printed)
        if "--partial" not in options:
            sys.stderr.write(messages)
        with open(printed, "rb") as file:
            return file.read()

    def _pass(self, number, data_end, given):
        """Returns the partials of a pass over the shards, merged until at most ``fan`` are left."""
        task = ReportPartial(
            self.cluster.shipped, self.words, self.shards.count, data_end, given, self._folder(number))
        partials, count = self.shards.rows.mapPartitionsWithIndex(task), self.shards.count
        while count > self.fan:
            count = -(-count // self.fan)
            groups = self.cluster.by_shard(partials.map(_Grouped(self.fan)), count)
            partials = groups.mapPartitionsWithIndex(MergePartials(self.cluster.shipped, self.words, given))
        with self.cluster.errors():
            return partials.collect()

    def _folder(self, number):
        """Returns the folder that keeps the partials of a pass, or None."""
        if self.keep is None:
            return None
        question = {"report": self.words, "shards": self.shards.question}
        folder = os.path.join(os.path.abspath(self.keep), "partials", question_name(question), f"pass-{number}")
        write_question(os.path.dirname(folder), question)
        os.makedirs(folder, exist_ok=True)
        return folder


class _Grouped:
    """Gives a pair of a number and a partial the number of its group."""

    def __init__(self, fan):
        self.fan = fan

    def __call__(self, pair):
        return pair[0] // self.fan, pair


def needs_another_pass(error):
    """Returns whether a merge was refused because the partials are those of a pass before the last."""
    return error.exit_code == 65 and "--given" in error.messages

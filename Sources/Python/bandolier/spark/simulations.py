"""Simulations on a cluster: each task makes some of the runs, and the driver merges them."""

import os
import sys

from bandolier.spark.cluster import Cluster
from bandolier.spark.errors import CommandError
from bandolier.spark.kept import question_name, write_question
from bandolier.spark.scratch import Scratch

_PLAN = frozenset([
    "-e", "--environment", "-p", "--policy", "--horizon", "--runs", "--seed", "--checkpoints", "--batch", "--unpaired",
    "--warm-start"])


def simulate(spark, environments, policies, *options, shards=None, keep=None, executable=None):
    """Returns the result of a simulation as one machine makes it, byte for byte.

    Parameters
    ----------
    spark : pyspark.sql.SparkSession
        The session.
    environments, policies : list of str
        Specifications, as on the command line: ``"bernoulli:means=0.1;0.9"`` and ``"thompson"``. Files that they name
        must be seen by all machines.
    *options : str
        Options of ``simulate``, as on the command line: ``"--horizon", "1000", "--runs", "200"``.
    shards : int
        The number of tasks; the result does not depend on it. By default four for each processor.
    keep : str
        A folder, seen by all machines, that keeps the runs: a simulation that was interrupted makes only the missing.
    executable : str
        The command ``bandolier`` that is copied to the executors, as for `report`.

    Returns
    -------
    bytes
        What ``bandolier simulate`` prints.

    Raises
    ------
    CommandError
        A specification or an option was refused.
    TaskError
        A task failed as often as Spark allows.
    """
    cluster = Cluster(spark, executable)
    count = shards or 4 * cluster.context.defaultParallelism
    words = [word for text in environments for word in ("-e", text)]
    words += [word for text in policies for word in ("-p", text)]
    of_plan, of_table = split_options(options)
    words += of_plan
    folder = None
    if keep is not None:
        question = {"simulate": words, "shards": count}
        folder = os.path.join(os.path.abspath(keep), "runs", question_name(question))
        write_question(folder, question)
    runs = cluster.for_each(range(count), SimulateShard(cluster.shipped, words, count, folder))
    with cluster.errors():
        outcomes = runs.collect()
    for _, content in outcomes:
        if isinstance(content, tuple):
            raise CommandError(*content)
    with Scratch("simulate") as scratch:
        return _merged(cluster, of_table, outcomes, scratch)


def split_options(options):
    """Returns the options that say what is simulated, and those that say what is shown of it."""
    of_plan, of_table, current = [], [], None
    for option in options:
        if current is None or option.startswith("-"):
            current = of_plan if option.partition("=")[0] in _PLAN or not option.startswith("-") else of_table
        current.append(option)
    return of_plan, of_table


def _merged(cluster, options, outcomes, scratch):
    options = list(options)
    for number, content in outcomes:
        path = content if isinstance(content, str) else scratch.join(f"{number}.runs")
        if isinstance(content, bytes):
            with open(path, "wb") as file:
                file.write(content)
        options += ["--merge", path]
    printed = scratch.join("printed")
    sys.stderr.write(cluster.command(scratch).run("simulate", *options, output=printed))
    with open(printed, "rb") as file:
        return file.read()


class SimulateShard:
    """Makes the runs of one shard: a pair of its number, from 0, and the file of runs, or its path if it is kept."""

    def __init__(self, shipped, words, shard_count, folder=None):
        self.shipped = shipped
        self.words = list(words)
        self.shard_count = shard_count
        self.folder = folder

    def __call__(self, shard, _):
        place = self.folder and os.path.join(self.folder, f"shard-{shard + 1}-of-{self.shard_count}.runs")
        if place and os.path.exists(place):
            yield shard, place
            return
        with Scratch("simulate", parent=self.folder) as scratch:
            made = scratch.join("runs")
            options = ["--shard", f"{shard + 1}/{self.shard_count}", "--checkpoint", made, "--progress", "never"]
            try:
                self.shipped.command(scratch).run("simulate", *self.words, *options)
            except CommandError as error:
                if not error.is_lasting:
                    raise
                yield shard, (error.arguments, error.exit_code, error.messages)
                return
            if place:
                os.replace(made, place)
                yield shard, place
            else:
                with open(made, "rb") as file:
                    yield shard, file.read()

"""Simulations of a cluster: each task makes some of the runs, and the driver merges them."""

from __future__ import annotations

import os
import sys
from typing import Any, Iterator, Optional, Sequence, Union

from .._arguments import option_arguments
from .._command import Finished
from .._errors import CommandError, command_error
from .._executable import Path
from .._report import Report, read_report
from ._cluster import Cluster
from ._command import refusal, threads_of_task
from ._kept import claim, question_name, with_files
from ._scratch import Scratch
from ._tasks import Shipped

# Options that say what is simulated; the others say what is shown of it.
_PLAN = frozenset([
    "-e", "--environment", "-p", "--policy", "--horizon", "--runs", "--seed", "--checkpoints", "--batch", "--unpaired",
    "--warm-start", "--jobs"])
_SHARDS_OF_A_PROCESSOR = 4


def simulate(
    spark: Any, plan: Optional[Path] = None, /, *, shards: Optional[int] = None, keep: Optional[Path] = None,
    executable: Optional[Path] = None, **options: Any,
) -> Report:
    """Simulates policies in environments, and returns what one machine would.

    Args:
        spark: The session.
        plan: A plan in YAML that all machines see, unless `environment` and `policy` are given.
        shards: The number of tasks, which does not show in the result: by default four for each processor.
        keep: A folder that all machines see: runs are kept there, and a simulation that was interrupted makes only the
            missing ones.
        executable: As in `bandolier.spark.report`.
        options: The options, as in `bandolier.simulate`. Files that they name have absolute paths, and all machines
            see them.

    Raises:
        UsageError: A name or an option is unknown, or a value is not valid.
        TaskError: A task failed as often as Spark allows.
    """
    words = [] if plan is None else [os.path.abspath(plan)]
    words += option_arguments({**options, "format": "json"}, lambda option: option in ("environment", "policy"))
    return read_report(Finished(simulation_output(spark, words, shards=shards, keep=keep, executable=executable)))


def simulation_output(
    spark: Any, words: Sequence[str], /, *, shards: Optional[int] = None, keep: Optional[Path] = None,
    executable: Optional[Path] = None,
) -> bytes:
    """Returns what `bandolier simulate` prints: `words` are its arguments on the command line."""
    cluster = Cluster(spark, executable)
    count = shards or _SHARDS_OF_A_PROCESSOR * cluster.context.defaultParallelism
    of_plan, of_table = split_arguments(words)
    folder = None
    if keep is not None:
        question = with_files({"simulate": of_plan, "shards": count}, of_plan)
        folder = os.path.join(os.path.abspath(keep), "runs", question_name(question))
        claim(folder, question)
    with cluster.errors():
        made = cluster.for_each(range(count), SimulateShard(cluster.shipped, of_plan, count, folder)).collect()
    for _, content in made:
        if isinstance(content, list):
            raise command_error(*content, b"")
    with Scratch("simulate") as scratch:
        return _merged(cluster, of_table, made, scratch)


def split_arguments(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Returns the arguments that say what is simulated, and those that say what is shown of it."""
    of_plan: list[str] = []
    of_table: list[str] = []
    current = of_plan
    for word in words:
        if word.startswith("-"):
            current = of_plan if word.partition("=")[0] in _PLAN else of_table
        current.append(word)
    return of_plan, of_table


def _merged(cluster: Cluster, words: Sequence[str], made: list[tuple[int, Any]], scratch: Scratch) -> bytes:
    merged: list[str] = []
    for number, content in made:
        path = content if isinstance(content, str) else scratch.join(f"{number}.runs")
        if isinstance(content, bytes):
            with open(path, "wb") as file:
                file.write(content)
        merged += ["--merge", path]
    printed = scratch.join("printed")
    sys.stderr.write(cluster.command(scratch).run("simulate", *words, *merged, output=printed))
    with open(printed, "rb") as file:
        return file.read()


class SimulateShard:
    """Makes the runs of a shard: a pair of its number and the file of runs, its path if it is kept, or an error."""

    def __init__(self, shipped: Shipped, words: Sequence[str], shard_count: int, folder: Optional[str] = None) -> None:
        """Takes the arguments of the simulation, and the folder that keeps runs, which all machines see."""
        self.shipped = shipped
        self.words = list(words)
        self.shard_count = shard_count
        self.folder = folder

    def __call__(self, shard: int, _: object) -> Iterator[tuple[int, Union[bytes, str, list]]]:
        place = self.folder and os.path.join(self.folder, f"shard-{shard + 1}-of-{self.shard_count}.runs")
        if place and os.path.exists(place):
            yield shard, place
            return
        with Scratch("simulate", parent=self.folder) as scratch:
            made = scratch.join("runs")
            options = ["--shard", f"{shard + 1}/{self.shard_count}", "--checkpoint", made, "--progress", "never"]
            options += threads_of_task(self.words)
            try:
                self.shipped.command(scratch).run("simulate", *self.words, *options)
            except CommandError as error:
                yield shard, refusal(error)
                return
            if place:
                os.replace(made, place)
                yield shard, place
            else:
                with open(made, "rb") as file:
                    yield shard, file.read()

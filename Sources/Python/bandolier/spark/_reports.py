"""Reports of a cluster: partial results of shards, merged in a tree, in as many passes as the report needs."""

from __future__ import annotations

import itertools
import os
import sys
from typing import Any, Mapping, Optional, Sequence

from .._arguments import option_arguments
from .._command import Finished
from .._errors import BadDataError, CheckFailed, CommandError
from .._executable import Path
from .._report import Report, read_report
from ._cluster import Cluster
from ._command import refuse_own_options
from ._kept import claim, has_shards, question_name, with_files
from ._partialtasks import MergePartials, Partial, ReportPartial, given_option, verb_of, write_partials
from ._scratch import Scratch
from ._shards import Shards, import_arguments, kept_shards, made_shards

# So many partial results are merged by one command: a tree of two levels for 4,096 shards.
_FAN = 64
_OWN_OPTIONS = frozenset(["-o", "--output", "--partial", "--shard", "--data-end", "--given", "--merge"])


def report(
    spark: Any, name: str, source: Any, /, *, shards: Optional[int] = None, keep: Optional[Path] = None,
    import_options: Mapping[str, Any] = {}, frame_name: Optional[str] = None, executable: Optional[Path] = None,
    **options: Any,
) -> Report:
    """Returns a report of events: what one machine would report that imported the same files in bytewise order of
    their paths.

    Args:
        spark: The session. Its executors see the files under the same paths.
        name: The name of the report, such as `rewards` or `compare`.
        source: Files, folders or patterns, as `bandolier import` takes them, or Parquet files whose columns are fields
            of events; a data frame with such columns, whose partitions count as files; or a folder that
            `bandolier.spark.shard` made.
        shards: The number of shards, 1 to 4,096, which does not show in the report. By default one for each processor,
            and one for each 256 MB of files if that is more.
        keep: A folder that all machines see: shards and partial results are kept there, and a report that was
            interrupted makes only what is missing.
        import_options: The options of `bandolier import`, such as `{"on_error": "skip"}`.
        frame_name: A name for the content of a data frame, under which its shards are kept.
        executable: The command, if it is not the one that `find_executable` finds. It is copied to the executors: use
            that of the wheel, or what `make spark` builds, where they lack the libraries of Swift.
        options: The options of the report, as in `bandolier.report`. Files that they name have absolute paths, and all
            machines see them.

    Raises:
        UsageError: A name or an option is unknown, or a value is not valid.
        BadDataError: An input is invalid. The message has its file and line.
        MissingInputError: A file does not exist.
        CheckFailed: A check named by `fail_on` failed; the error has the report.
        KeptFolderError: The folder of kept results is for other files.
        TaskError: A task failed as often as Spark allows.
    """
    words = [name, *option_arguments({**options, "format": "json"}, lambda option: option != "columns")]
    try:
        output = report_output(
            spark, words, source, shards=shards, keep=keep, import_options=import_arguments(import_options),
            frame_name=frame_name, executable=executable)
    except CheckFailed as error:
        error.report = read_report(Finished(error.output))
        raise
    return read_report(Finished(output))


def report_output(
    spark: Any, words: Sequence[str], source: Any, /, *, shards: Optional[int] = None, keep: Optional[Path] = None,
    import_options: Sequence[str] = (), frame_name: Optional[str] = None, executable: Optional[Path] = None,
    fan: int = _FAN,
) -> bytes:
    """Returns what `bandolier report` prints: `words` are the name of the report and its options on the command line.

    The other arguments are those of `report`, with `import_options` as on the command line too; `fan` is the number of
    partial results that one task merges.
    """
    refuse_own_options("a report", words, _OWN_OPTIONS)
    cluster = Cluster(spark, executable)
    if has_shards(source):
        made = kept_shards(cluster, os.path.abspath(source))
    else:
        folder = None if keep is None else os.path.join(os.path.abspath(keep), "shards")
        made = made_shards(cluster, source, import_options, shards, folder, frame_name)
    try:
        return _Question(cluster, made, words, keep, fan).answer()
    finally:
        made.release()


class _Question:
    """A report of shards."""

    def __init__(self, cluster: Cluster, shards: Shards, words: Sequence[str], keep: Optional[Path], fan: int) -> None:
        self.cluster = cluster
        self.shards = shards
        self.words = list(words)
        self.keep = keep
        self.fan = max(2, fan)

    def answer(self) -> bytes:
        """Returns the report: it goes over the shards until the merged results are those of the last pass."""
        data_end, given = self.shards.data_end(), None
        for number in itertools.count(1):
            with Scratch("report") as scratch:
                folder = write_partials(self._pass(number, data_end, given), scratch)
                try:
                    return self._merge(scratch, folder, given)
                except BadDataError as error:
                    if not needs_another_pass(error):
                        raise
                self._merge(scratch, folder, given, "--partial", scratch.join("merged"))
                given = _content(scratch.join("merged"))
        raise AssertionError("passes end")

    def _merge(self, scratch: Scratch, folder: str, given: Optional[bytes], *options: str) -> bytes:
        name, *rest = self.words
        printed = scratch.join("printed")
        try:
            messages = self.cluster.command(scratch).run(
                *verb_of(name), "--merge", folder, *rest, *given_option(given, scratch), *options, output=printed)
        except CheckFailed as error:
            error.output = _content(printed)
            raise
        sys.stderr.write("" if options else messages)
        return _content(printed)

    def _pass(self, number: int, data_end: Optional[str], given: Optional[bytes]) -> list[Partial]:
        """Returns the partial results of a pass, merged until there are few."""
        shipped, count = self.cluster.shipped, self.shards.count
        task = ReportPartial(shipped, self.words, count, data_end, given, self._folder(number))
        partials = self.shards.rows.mapPartitionsWithIndex(task)
        while count > self.fan:
            count = -(-count // self.fan)
            groups = self.cluster.by_shard(partials.map(_Group(self.fan)), count)
            partials = groups.mapPartitionsWithIndex(MergePartials(shipped, self.words, given))
        with self.cluster.errors():
            return partials.collect()

    def _folder(self, number: int) -> Optional[str]:
        """Returns the folder that keeps the partial results of a pass."""
        if self.keep is None:
            return None
        question = with_files({"report": self.words, "shards": self.shards.question}, self.words)
        folder = os.path.join(os.path.abspath(self.keep), "partials", question_name(question))
        claim(folder, question)
        os.makedirs(os.path.join(folder, f"pass-{number}"), exist_ok=True)
        return os.path.join(folder, f"pass-{number}")


class _Group:
    """Gives a partial result the number of its group."""

    def __init__(self, fan: int) -> None:
        self.fan = fan

    def __call__(self, partial: Partial) -> tuple[int, Partial]:
        return partial[0] // self.fan, partial


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def needs_another_pass(error: CommandError) -> bool:
    """Returns whether a merge was refused because the results are not those of the last pass."""
    return "makes another pass over the log" in str(error)

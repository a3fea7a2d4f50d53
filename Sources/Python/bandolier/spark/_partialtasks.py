"""The tasks that make partial results of shards, and merge them."""

from __future__ import annotations

import os
from typing import Iterable, Iterator, Optional, Sequence, Union

from .._errors import CommandError, command_error
from ._command import refusal, threads_of_task
from ._scratch import Scratch
from ._shardtasks import Row, open_shard
from ._tasks import Shipped

Partial = tuple[int, Union[bytes, list]]
"""The number of a shard or a group of shards, from 0, and the partial result, or why there is none: an exit code,
messages and arguments."""


class ReportPartial:
    """Makes the partial result of a report from one shard."""

    def __init__(
        self, shipped: Shipped, words: Sequence[str], shard_count: int, data_end: Optional[str],
        given: Optional[bytes] = None, folder: Optional[str] = None,
    ) -> None:
        """Takes what one pass over the shards needs.

        Args:
            words: The name of the report and its options.
            data_end: The time of the latest event of all shards.
            given: The merged result of the pass before.
            folder: Where partial results are kept, a folder that all machines see.
        """
        self.shipped = shipped
        self.words = list(words)
        self.shard_count = shard_count
        self.data_end = data_end
        self.given = given
        self.folder = folder

    def __call__(self, shard: int, rows: Iterable[Row]) -> Iterator[Partial]:
        place = self.folder and os.path.join(self.folder, f"shard-{shard + 1}-of-{self.shard_count}.partial")
        if place and os.path.exists(place):
            yield shard, _content(place)
            return
        with Scratch("partial", parent=self.folder) as scratch:
            try:
                made = self._made(shard, open_shard(rows, scratch), scratch)
            except CommandError as error:
                yield shard, refusal(error)
                return
            content = _content(made)
            if place:
                os.replace(made, place)
            yield shard, content

    def _made(self, shard: int, log: str, scratch: Scratch) -> str:
        made = scratch.join("partial")
        options = ["--partial", made, "--shard", f"{shard + 1}/{self.shard_count}"]
        if self.data_end is not None:
            options += ["--data-end", self.data_end]
        options += given_option(self.given, scratch) + threads_of_task(self.words)
        name, *rest = self.words
        self.shipped.command(scratch).run(*verb_of(name), log, *rest, *options)
        return made


class MergePartials:
    """Merges the partial results of a group into one, for a tree of merges."""

    def __init__(self, shipped: Shipped, words: Sequence[str], given: Optional[bytes] = None) -> None:
        self.shipped = shipped
        self.words = list(words)
        self.given = given

    def __call__(self, group: int, pairs: Iterable[tuple[int, Partial]]) -> Iterator[Partial]:
        with Scratch("merge") as scratch:
            try:
                folder = write_partials((partial for _, partial in pairs), scratch)
                name, *rest = self.words
                options = [*rest, *given_option(self.given, scratch), "--partial", scratch.join("merged")]
                self.shipped.command(scratch).run(*verb_of(name), "--merge", folder, *options)
            except CommandError as error:
                yield group, refusal(error)
                return
            yield group, _content(scratch.join("merged"))


def verb_of(report: str) -> list[str]:
    """Returns the words of the command line that make a report: `evaluate` is a verb of its own."""
    return [report] if report == "evaluate" else ["report", report]


def given_option(given: Optional[bytes], scratch: Scratch) -> list[str]:
    """Returns the option that hands the merged result of the pass before to a command."""
    if given is None:
        return []
    with open(scratch.join("given"), "wb") as file:
        file.write(given)
    return ["--given", scratch.join("given")]


def write_partials(partials: Iterable[Partial], scratch: Scratch) -> str:
    """Writes partial results into a folder of a scratch folder, and returns its path.

    Raises:
        CommandError: One of them could not be made; the first says why.
    """
    folder = scratch.join("partials")
    os.mkdir(folder)
    for number, content in sorted(partials, key=lambda partial: partial[0]):
        if isinstance(content, list):
            raise command_error(*content, b"")
        with open(os.path.join(folder, f"{number}.partial"), "wb") as file:
            file.write(content)
    return folder


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()

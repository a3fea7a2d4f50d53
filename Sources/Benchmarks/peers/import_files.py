"""The files whose import and export are compared: what is in each, how it is written, and who reads it."""

import functools
import gzip
import os
import random
import subprocess
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Callable

import import_lines as lines

PEERS = ["duckdb", "polars", "chdb"]
UNIQUE = [*PEERS, "duckdb, unique ids"]
PARQUET = [*PEERS, "pyarrow to Parquet"]
ARROW = [*PARQUET, "pyarrow to Arrow"]
MAP = ["--map", "time=ts", "--map", "unit=user", "--map", "variant=group", "--map", "id=row",
       "--map", "context.country=country", "--experiment", "checkout"]
WIDE = [*MAP, "--map", "context.device=device"]
COLUMNS = ["row", "ts", "user", "group", "country", "device"]


@dataclass(frozen=True)
class EventFile:
    """A file, and what is done with it."""

    name: str
    # The rows of it, which engines must find; an import may make two events of a line.
    events: int
    # Writes the file to a path.
    write: Callable[[str], None]
    peers: list = field(default_factory=lambda: PEERS)
    form: str = "jsonl"
    # Of the import.
    options: list = field(default_factory=list)
    # The columns that other engines keep; all if empty.
    columns: list = field(default_factory=list)
    # import, append (from a pipe), or export: what is written is an Arrow stream, and each exports it in this form.
    step: str = "import"
    # Whether the import is repeated, with the notes of what was imported and without.
    again: bool = False

    @property
    def ending(self):
        """The end of the name, by which engines tell what is compressed."""
        if self.step == "export":
            return ".arrow"
        return ".jsonl.gz" if "gzip" in self.name else f".{self.form}"


def text(make, *arguments):
    """Writes lines."""
    def write(path):
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(make(*arguments))
    return write


def compressed(make, *arguments):
    """Writes lines with gzip."""
    def write(path):
        with gzip.open(path, "wt", compresslevel=6, encoding="utf-8") as file:
            file.writelines(make(*arguments))
    return write


def goals_stream(events, units):
    """Writes goals as an Arrow stream with a string in every row, as other programs have them."""
    def write(path):
        import pyarrow as pa
        rng = random.Random(lines.SEED)
        schema = pa.schema([("type", pa.string()), ("time", pa.timestamp("us", "UTC")), ("unit", pa.string()),
                            ("experiment", pa.string()), ("goal", pa.string()), ("value", pa.float64())])
        start = int(datetime(2026, 1, 5, tzinfo=timezone.utc).timestamp()) * 1_000_000
        with pa.ipc.new_stream(path, schema) as writer:
            for first in range(0, events, 1 << 16):
                count = min(events - first, 1 << 16)
                times = range(start + first * 1000, start + (first + count) * 1000, 1000)
                units_of = [f"user-{rng.randrange(units)}" for _ in range(count)]
                values = [rng.randrange(1000) / 100 for _ in range(count)]
                writer.write_batch(pa.record_batch([
                    ["goal"] * count, pa.array(times, pa.int64()).cast(schema.field("time").type), units_of,
                    ["checkout"] * count, ["purchase"] * count, values], schema=schema))
    return write


class Storefront:
    """The log of `generate storefront`, made when it is first asked for, and what is exported from it."""

    def __init__(self, command, folder, events):
        self.command, self.folder, self.events = command, folder, events

    @functools.cached_property
    def log(self):
        path = os.path.join(self.folder, "storefront.log")
        subprocess.run([self.command, "generate", "storefront", "--events", str(self.events), "--seed", "1", "--log",
                        path, "--progress", "never"], check=True, capture_output=True)
        return path

    @functools.cached_property
    def jsonl(self):
        path = os.path.join(self.folder, "storefront.jsonl")
        self.export("jsonl")(path)
        return path

    def lines(self, units, ids):
        """The lines, with other units and with ids."""
        yield from lines.storefront(self.jsonl, units, ids)

    def export(self, form):
        """Writes all events."""
        def write(path):
            subprocess.run([self.command, "export", self.log, "--format", form, "-o", path, "--progress", "never"],
                           check=True, capture_output=True)
        return write


def native(storefront, events):
    """Native lines: short and long, of few and many units, without ids and with."""
    for length, make in [("short", functools.partial(lines.goals, events)), ("long", storefront.lines)]:
        for units, count in [("few", lines.FEW), ("many", events // 2)]:
            for ids in ["no", "sequential", "random"]:
                peers = UNIQUE if length == "short" and ids != "no" else PEERS
                yield EventFile(f"{length} lines, {units} units, {ids} ids", events, text(make, count, ids), peers,
                                again=length == "short" and units == "many")


def files(command, folder, events):
    """All files: of so many events, or of fewer where these take hundreds of bytes each."""
    storefront = Storefront(command, folder, events)
    many = events // 2
    return [
        *native(storefront, events),
        EventFile("gzip of short lines, many units, no ids", events, compressed(lines.goals, events, many, "no")),
        EventFile("200 attributes", events // 20, text(lines.attributes, events // 20, lines.FEW)),
        EventFile("each unit once", events, text(lines.goals_of_new_units, events)),
        EventFile("CSV with --map, few units", events, text(lines.assignments, events, lines.FEW),
                  PARQUET, "csv", MAP, COLUMNS[:5]),
        EventFile("CSV with --map, many units", events, text(lines.assignments, events, many),
                  PARQUET, "csv", MAP, COLUMNS[:5], again=True),
        EventFile("CSV of 20 columns, 6 by --map, few units", events, text(lines.visits, events, lines.FEW),
                  PARQUET, "csv", WIDE, COLUMNS),
        EventFile("CSV of 20 columns, 6 by --map, many units", events, text(lines.visits, events, many),
                  PARQUET, "csv", WIDE, COLUMNS),
        EventFile("Arrow stream of an export", events, storefront.export("arrow"), ARROW, "arrow"),
        EventFile("Arrow stream of strings", events, goals_stream(events, many), ARROW, "arrow"),
        EventFile("calls of Segment", events // 8, text(lines.calls, events // 8, many)),
        EventFile("lines of a Decision Service", events // 10, text(lines.decisions, events // 10),
                  [*PEERS, "vowpal wabbit"], options=["--experiment", "articles"]),
        EventFile("append short lines, no ids", events, text(lines.goals, events, many, "no"), step="append"),
        EventFile("append short lines, random ids", events, text(lines.goals, events, many, "random"), UNIQUE,
                  step="append"),
        EventFile("export arrow", events, storefront.export("arrow"), ARROW, "arrow", step="export"),
        EventFile("export jsonl", events, storefront.export("arrow"), PARQUET, step="export"),
    ]

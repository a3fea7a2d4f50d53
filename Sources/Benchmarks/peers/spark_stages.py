"""Measures what each stage of a report on a cluster costs, with the commands that its tasks run, without Spark.

Run by `peers.py`. Files of `generate storefront` (.jsonl.gz) are imported and split one by one, the mini-logs of each
shard imported, partial results made, and merged. Times are those of processors, of all threads, in microseconds per
event of all files; bytes are those of packed mini-logs. The medians of the runs count.
"""

import gzip
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from output import write_table

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
FILES = 8
REPORTS = [["rewards"], ["compare"], ["compare", "--method", "bootstrap"], ["health"], ["regret"]]


def tried(*command):
    """The seconds of processors that a command takes, and its messages if it fails."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    messages = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    return usage.ru_utime + usage.ru_stime, messages if status != 0 else None


def seconds_of(*command):
    """The seconds of processors that a command takes, which must succeed."""
    seconds, messages = tried(*command)
    if messages is not None:
        raise RuntimeError(f"{' '.join(command)} failed: {messages[-500:]}")
    return seconds


def write_files(command, folder, events):
    """Writes a synthetic log in parts, as JSON Lines in gzip."""
    log, lines = os.path.join(folder, "all.log"), os.path.join(folder, "all.jsonl")
    seconds_of(command, "generate", "storefront", "--events", str(events), "--seed", "1", "--log", log)
    seconds_of(command, "export", log, "--format", "jsonl", "-o", lines)
    paths = [os.path.join(folder, f"part-{number}.jsonl.gz") for number in range(FILES)]
    with open(lines, "rb") as source:
        for path in paths:
            with gzip.open(path, "wb", compresslevel=6) as target:
                target.writelines(line for _, line in zip(range(-(-events // FILES)), source))
    os.remove(lines)
    shutil.rmtree(log)
    return paths


class Stages:
    """The measurements of runs with a number of shards."""

    def __init__(self, command, events, shards):
        self.command = command
        self.events = events
        self.shards = shards
        self.measured = {}

    def add(self, stage, unit, value):
        self.measured.setdefault((stage, unit), []).append(value)

    def run(self, paths, folder):
        """Measures every stage once."""
        from bandolier.spark._minilogs import packed_chunks

        imported = split = size = 0
        for number, path in enumerate(paths):
            log, parts = os.path.join(folder, "file.log"), os.path.join(folder, f"part-{number}")
            imported += seconds_of(self.command, "import", path, "--log", log, "--seed", str(number))
            split += seconds_of(self.command, "log", "split", log, "--into", str(self.shards), "-o", parts)
            shutil.rmtree(log)
            size += sum(len(chunk) for i in range(self.shards) for _, chunk in packed_chunks(f"{parts}-{i}"))
        self.add("import", "us", imported * 1e6 / self.events)
        self.add("split", "us", split * 1e6 / self.events)
        self.add("shuffle", "bytes", size / self.events)
        reduced = 0
        for shard in range(self.shards):
            logs = [os.path.join(folder, f"part-{number}-{shard}") for number in range(len(paths))]
            target = os.path.join(folder, f"shard-{shard}.log")
            reduced += seconds_of(self.command, "import", *logs, "--log", target, "--seed", str(shard))
        self.add("import of mini-logs", "us", reduced * 1e6 / self.events)
        for report in REPORTS:
            self.report(report, folder)

    def report(self, report, folder):
        """Measures the passes of a report until it is made."""
        name, *options = report
        given, partial, merge, size = [], 0, 0, 0
        for number in range(1, 10):
            partials = os.path.join(folder, "-".join(["partials", *report, str(number)]))
            os.mkdir(partials)
            for shard in range(self.shards):
                log, made = os.path.join(folder, f"shard-{shard}.log"), os.path.join(partials, f"{shard}.partial")
                partial += seconds_of(
                    self.command, "report", name, log, *options, *given, "--partial", made,
                    "--shard", f"{shard + 1}/{self.shards}")
                size += os.path.getsize(made)
            merging = [self.command, "report", name, "--merge", partials, *options, *given]
            seconds, messages = tried(*merging)
            merge += seconds
            if messages is None:
                break
            if "another pass" not in messages:
                raise RuntimeError(messages)
            merge += seconds_of(*merging, "--partial", partials + ".merged")
            given = ["--given", partials + ".merged"]
        label = " ".join(report)
        self.add(f"{label}: partial results", "us", partial * 1e6 / self.events)
        self.add(f"{label}: merge, for a partial result", "us", merge * 1e6 / self.shards)
        self.add(f"{label}: partial result", "bytes", size / self.shards)

    def rows(self):
        for (stage, unit), values in self.measured.items():
            yield [stage, unit, self.events, FILES, self.shards, len(values), *(
                round(value, 2) for value in (statistics.median(values), min(values), max(values)))]


def run(command, target, events, runs):
    """Measures and writes the CSV."""
    sys.path.insert(0, os.path.join(ROOT, "Sources", "Python"))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        paths = write_files(command, folder, events)
        for shards in (8, 64):
            stages = Stages(command, events, shards)
            for _ in range(runs):
                with tempfile.TemporaryDirectory(dir=folder) as own:
                    stages.run(paths, own)
            rows += stages.rows()
    heading = ["stage", "unit", "events", "files", "shards", "runs", "median", "min", "max"]
    write_table(heading, rows, target)
    print(f"us: microseconds of processors, per event or per partial result; seed 1; wrote {target}")

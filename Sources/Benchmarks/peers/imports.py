"""Compares what it takes to get files of events in and out: a durable log, and the storages of other engines.

Run by `peers.py`. The files are made from seeds, see import_files.py; they are on disk, and in the page cache when they
are read. Bandolier imports each into a new log and checks it for duplicates, with ids and without; some files it then
imports again, and again without the notes of the files that it imported before, which compares every event. The other
engines read the file into a durable storage of their own, see import_engines.py; only `unique ids` leaves out events
that it has. Each is a process of its own. In every round all engines take turns, each time from another one on; a ratio
is the median of those of the rounds. Megabytes are those of the file, of an export those of what the engine wrote.
"""

import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from typing import NamedTuple

from import_files import files
from output import faster, write_table

HEADING = ["file", "events", "bytes", "engine", "seconds", "seconds_min", "seconds_max", "events_per_second",
           "megabytes_per_second", "ratio_to_bandolier", "ratio_min", "ratio_max", "faster", "peak_mebibytes",
           "stored_bytes", "reason"]
LIMIT_SECONDS = 300
HERE = os.path.dirname(os.path.abspath(__file__))
MODULES = {"duckdb": "duckdb", "polars": "polars", "chdb": "chdb", "pyarrow": "pyarrow", "vowpal": "vowpalwabbit"}


class Measurement(NamedTuple):
    """What one process took."""

    seconds: float
    mebibytes: float
    # Bytes of the file that it read, or wrote, and of the storage.
    size: int
    stored: int


class Failure(Exception):
    """Why an engine has no measurement."""


def measured(command, piped=None):
    """What measured.py says of a command, which must succeed; the file `piped` comes through its standard input."""
    # What was written before is on disk by then.
    os.sync()
    source = subprocess.Popen(["cat", piped], stdout=subprocess.PIPE) if piped else None
    result = json.loads(subprocess.run(
        [sys.executable, os.path.join(HERE, "measured.py"), str(LIMIT_SECONDS), *command], check=True,
        stdin=source.stdout if source else subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout)
    if source:
        source.stdout.close()
        source.wait()
    if result["status"] == -9:
        raise Failure(f"took more than {LIMIT_SECONDS} s, or too much memory")
    if result["status"] != 0:
        lines = [line.strip() for line in result["errors"].splitlines() if line.strip()]
        found = [line for line in lines if "Error" in line or "Exception" in line or "Unsupported" in line]
        raise Failure((found or lines or ["no message"])[-1][:200])
    return result


def emptied(path):
    """The path, at which nothing is any more."""
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)
    return path


def bytes_of(path):
    """The bytes of a file, or of all files in a folder."""
    if os.path.isfile(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names)


class Bandolier:
    """Its commands."""

    name = "bandolier"

    def __init__(self, command, file, path, folder):
        self.command, self.file, self.path = command, file, path
        self.log, self.output = os.path.join(folder, "import.log"), os.path.join(folder, "bandolier.output")
        self.into = ["import", path, "--log", self.log, "--progress", "never", *file.options]

    def round(self):
        """The measurements of one round, by name; the first is what others are compared with."""
        if self.file.step == "export":
            return {"bandolier export": self.exported()}
        emptied(self.log)
        if self.file.step == "append":
            return {"bandolier append": self.timed("append", self.log, piped=self.path)}
        results = {"bandolier import": self.timed(*self.into)}
        if self.file.again:
            results["bandolier, same file again"] = self.timed(*self.into)
            os.remove(os.path.join(self.log, "IMPORTS"))
            results["bandolier, same file again without notes"] = self.timed(*self.into)
        return results

    def exported(self):
        if not os.path.exists(self.log):
            self.timed(*self.into)
        result = self.timed("export", self.log, "--format", self.file.form, "-o", emptied(self.output), "--progress",
                            "never")
        return result._replace(size=os.path.getsize(self.output))

    def timed(self, *arguments, piped=None):
        result = measured([self.command, *arguments], piped)
        return Measurement(result["seconds"], result["mebibytes"], os.path.getsize(self.path), bytes_of(self.log))


class Peer:
    """An engine of import_engines.py."""

    def __init__(self, name, file, path, folder):
        self.name, self.file, self.path = name, file, path
        self.storage, self.output = os.path.join(folder, f"{name}.storage"), os.path.join(folder, f"{name}.output")

    def round(self):
        """The measurement of one round, by name."""
        if self.file.step == "export":
            return {self.name: self.exported()}
        target = emptied(self.storage)
        if self.file.step == "append":
            return {self.name: self.timed("read", self.file.form, "/dev/stdin", target, piped=self.path)}
        return {self.name: self.timed("read", self.file.form, self.path, target, *self.file.columns)}

    def exported(self):
        if not os.path.exists(self.storage):
            self.timed("read", "arrow", self.path, self.storage)
        result = self.timed("write", self.file.form, self.storage, emptied(self.output))
        return result._replace(size=os.path.getsize(self.output))

    def timed(self, *arguments, piped=None):
        module = MODULES[self.name.replace(",", "").split()[0]]
        if importlib.util.find_spec(module) is None:
            raise Failure(f"{module} is not installed")
        script = os.path.join(HERE, "import_engines.py")
        result = measured([sys.executable, script, self.name, *arguments], piped)
        own = json.loads(result["output"].splitlines()[-1])
        if own["rows"] not in (None, self.file.events):
            raise Failure(f"{own['rows']} rows of {self.file.events}")
        return Measurement(own["seconds"], result["mebibytes"], os.path.getsize(self.path), bytes_of(self.storage))


def take_turns(engines, runs):
    """The measurements of each round by name, and why an engine has none, after its first failure."""
    rounds, reasons = [], {}
    for number in range(runs):
        first = number % len(engines)
        rounds.append({})
        for engine in engines[first:] + engines[:first]:
            if engine.name in reasons:
                continue
            try:
                rounds[-1].update(engine.round())
            except Failure as failure:
                reasons[engine.name] = str(failure)
    return rounds, reasons


def row(file, name, pairs):
    """The row of an engine from its measurements, each beside Bandolier's of the same round, if there is one."""
    seconds = [measurement.seconds for measurement, _ in pairs]
    last, middle = pairs[-1][0], statistics.median(seconds)
    ratios = [measurement.seconds / own.seconds for measurement, own in pairs if own]
    compared = [""] * 4
    if ratios:
        compared = [*(round(part(ratios), 3) for part in [statistics.median, min, max]),
                    faster(name, statistics.median(ratios))]
    return [file.name, file.events, last.size, name, *(round(one, 3) for one in [middle, min(seconds), max(seconds)]),
            round(file.events / middle), round(last.size / middle / 1e6, 1), *compared,
            round(max(measurement.mebibytes for measurement, _ in pairs)), last.stored, ""]


def without_measurement(file, size, name, reason):
    """The row that says why an engine has no measurement."""
    return [file.name, file.events, size, name, *[""] * (len(HEADING) - 5), reason]


def compare(command, file, path, runs):
    """The rows of a file, Bandolier's first."""
    own = f"bandolier {file.step}"
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as folder:
        engines = [Bandolier(command, file, path, folder), *(Peer(name, file, path, folder) for name in file.peers)]
        rounds, reasons = take_turns(engines, runs)
    names = [own, *(name for name in rounds[0] if name.startswith("bandolier") and name != own), *file.peers]
    for name in names:
        pairs = [(found[name], found.get(own)) for found in rounds if name in found]
        if pairs:
            yield row(file, name, pairs)
        else:
            reason = reasons.get(name, reasons.get("bandolier", ""))
            yield without_measurement(file, os.path.getsize(path), name, reason)


def run(command, target, events, runs, words=""):
    """Compares and writes the CSV: all files, or those whose names have these words."""
    output = []
    with tempfile.TemporaryDirectory() as folder:
        for number, file in enumerate(files(command, folder, events)):
            if words not in file.name:
                continue
            path = os.path.join(folder, f"{number}{file.ending}")
            try:
                file.write(path)
            except ImportError as error:
                output.append(without_measurement(file, "", f"bandolier {file.step}", f"no file was written: {error}"))
                continue
            for found in compare(command, file, path, runs):
                print(*found, flush=True)
                output.append(found)
            os.remove(path)
    write_table(HEADING, output, target)
    judged = [found[HEADING.index("faster")] for found in output if found[HEADING.index("faster")]]
    print(f"Bandolier is faster in {judged.count('bandolier')} of {len(judged)} comparisons; runs: {runs}; seed 1; "
          f"{os.cpu_count()} cores; wrote {target}")

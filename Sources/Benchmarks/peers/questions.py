"""Asks Bandolier, DuckDB, Polars and ClickHouse (chDB) the same question about the same events.

By experiment and variant the decisions, the goals credited to them and the sum of their values (1 for a goal without
one); a goal is credited to the latest decision of its unit and experiment at or before it, by time, at equal times
decisions first, then by position.

Every engine has its own storage, made from the same Parquet file and not timed, and all cores. Where the question can
be put in several forms, each is tried and the fastest counts. Every storage and form has a process of its own, whose
peak memory is that of opening the storage and of all its runs; files are in the page cache. Seconds are wall time; cpu_seconds, of all threads, say more when others use the machine.
"""

import csv
import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from statistics import median

import columns
from engines import ENGINES
from output import faster, write_table

HEADING = ["engine", "version", "storage", "form", "events", "runs", "seconds", "seconds_best",
           "cpu_seconds", "events_per_second", "ratio_to_bandolier", "faster", "peak_mib",
           "answers_agree"]
TOLERANCE = 1e-9
LIMIT_SECONDS = 900


def bandolier_answer(bench, log, jobs, runs):
    """The answer as a dictionary, and seconds (median), of the best run, of the processor, and MiB."""
    command = [bench, "last-touch", log, "--jobs", str(jobs), "--runs", str(runs)]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    answer = {}
    for row in csv.DictReader(lines):
        answer[row["experiment"], row["variant"], row["measure"]] = float(row["value"])
    measures = ["seconds", "seconds_best", "cpu_seconds", "peak_mib"]
    took = [answer.pop(("", "", measure), "") for measure in measures]
    return answer, took


def differences(ours, theirs):
    """What differs between two answers, in words: counts must be the same, sums nearly so."""
    found = [f"{key} is only in one answer" for key in ours.keys() ^ theirs.keys()]
    for key in ours.keys() & theirs.keys():
        tolerance = TOLERANCE if key[-1].endswith("_sum") else 0
        if not math.isclose(ours[key], theirs[key], rel_tol=tolerance, abs_tol=0):
            found.append(f"{key} is {ours[key]!r} and {theirs[key]!r}")
    return sorted(found)


def child(*arguments):
    """What a process of engines.py says; None and a message when it failed."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as result:
        script = os.path.join(os.path.dirname(__file__), "engines.py")
        command = [sys.executable, script, result.name, *map(str, arguments)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            return None, f"took more than {LIMIT_SECONDS} s"
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            return None, f"ended with {done.returncode}: {last}"
        return json.load(result), ""


class Comparison:
    def __init__(self, events, runs):
        self.events = events
        self.runs = runs
        self.rows = []
        self.agree = True
        self.answer = None
        self.best = None

    def add(self, engine, version, storage, form, runs, seconds, best, processor, peak, agrees):
        reference = self.best = self.best or seconds
        peak = round(peak, 1) if peak != "" else ""
        self.rows.append([engine, version, storage, form, self.events, runs, round(seconds, 4),
                          round(best, 4), round(processor, 4), round(self.events / seconds),
                          round(seconds / reference, 2), faster(engine, seconds / reference), peak,
                          "yes" if agrees else "no"])
        self.agree = self.agree and agrees

    def ask_bandolier(self, bench, log):
        # The first is what the others are compared with.
        for jobs in sorted({os.cpu_count() or 1, 1}, reverse=True):
            answer, (seconds, best, processor, peak) = bandolier_answer(bench, log, jobs, self.runs)
            self.answer = self.answer or answer
            form = f"{jobs} jobs" if jobs > 1 else "1 job"
            self.add("bandolier", "", "log, fast", form, self.runs, seconds, best, processor, peak,
                     answer == self.answer)

    def ask(self, engine, storage, parquet, folder):
        made, problem = child("prepare", engine, storage, parquet, folder)
        if made is None:
            print(f"{engine}, {storage}: making it {problem}", file=sys.stderr)
            return
        fastest = None
        for form in ENGINES[engine].forms():
            asked, problem = child("ask", engine, storage, folder, form, self.runs)
            if asked is None:
                print(f"{engine}, {storage}, {form}: {problem}", file=sys.stderr)
                continue
            answer = {tuple(key): value for *key, value in asked["rows"]}
            found = differences(self.answer, answer)
            for difference in found[:3]:
                print(f"{engine}, {storage}, {form}: {difference}", file=sys.stderr)
            self.agree = self.agree and not found
            seconds = median(asked["seconds"])
            print(f"{engine} {made['version']}, {storage}, {form}: {seconds:.3f} s", flush=True)
            if fastest is None or seconds < fastest[1]:
                fastest = (form, seconds, asked, not found)
        if fastest is not None:
            form, seconds, asked, agrees = fastest
            self.add(engine, made["version"], storage, form, len(asked["seconds"]), seconds,
                     min(asked["seconds"]), median(asked["cpu_seconds"]), asked["peak_mib"], agrees)


def run(bench, target, events, runs):
    """Compares and writes the CSV. Returns whether all answers agree."""
    comparison = Comparison(events, runs)
    with tempfile.TemporaryDirectory() as folder:
        log, dump = os.path.join(folder, "journeys.log"), os.path.join(folder, "columns")
        subprocess.run([bench, "journeys", log, "--events", str(events), "--seed", "1"], check=True)
        comparison.ask_bandolier(bench, log)
        os.mkdir(dump)
        subprocess.run([bench, "columns", log, dump], check=True)
        parquet = os.path.join(folder, "events.parquet")
        columns.to_parquet(dump, parquet)
        shutil.rmtree(dump)
        for engine, kind in ENGINES.items():
            if importlib.util.find_spec(kind.module) is None:
                print(f"skipped {engine}: pip could not install {kind.module}", file=sys.stderr)
                continue
            for storage in kind.storages:
                own = os.path.join(folder, "storage")
                os.mkdir(own)
                comparison.ask(engine, storage, parquet, own)
                shutil.rmtree(own)
    write_table(HEADING, comparison.rows, target)
    print(f"{os.cpu_count()} cores; seconds are medians, ratios seconds by Bandolier's on all cores; wrote {target}")
    return comparison.agree

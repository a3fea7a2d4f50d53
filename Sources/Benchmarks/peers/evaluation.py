"""Compares Bandolier's off-policy estimates with those of other libraries: answers, and rows per second.

Run by `peers.py`. The same rows (see logged_rows.py), once with rewards of 0 and 1 and once with real rewards.
Bandolier's seconds are those of the whole command that reads a log and asks one question, or all, on all cores; those
of the others are of their formulas alone, one thread, with all rows in memory, which favours them. Values, and
intervals at 95 %, of the libraries must be Bandolier's to 1e-9, those of Cressie-Read and empirical likelihood to 1e-5.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

import logged_rows
from evaluators import EVALUATORS
from output import faster, write_table

HEADING = ["rewards", "question", "library", "version", "rows", "runs", "seconds", "seconds_min", "seconds_max",
           "rows_per_second", "ratio_to_bandolier", "faster", "answer", "relative_difference", "agrees", "timed"]
ESTIMATORS = ["ips", "snips", "clipped-ips:lambda=2", "sub-gaussian-ips:lambda=0.05", "dm", "dr", "sndr",
              "switch-dr:tau=2.5", "dros:lambda=5", "sub-gaussian-dr:lambda=0.05", "cressie-read",
              "empirical-likelihood"]
INTERVALS = ["normal", "student-t", "hoeffding", "empirical-bernstein", "clopper-pearson", "cressie-read"]
QUESTIONS = [*ESTIMATORS, *(f"ips {interval}" for interval in INTERVALS)]
ALL = "all"
TOLERANCE = 1e-9
TOLERANCES = {"cressie-read": 1e-5, "empirical-likelihood": 1e-5, "ips cressie-read": 1e-5}
LIMIT_SECONDS = 10


class Bandolier:
    """The questions as commands on one log."""

    def __init__(self, command, log, rows, greatest):
        bounds = {"clopper-pearson": f":rmin=0,rmax={greatest}", "cressie-read": f":rmin=0,rmax={greatest}"}
        self.intervals = {interval: interval + bounds.get(interval, "") for interval in INTERVALS}
        model = "tabular:prior-sum={},prior-count={}".format(*logged_rows.PRIOR)
        self.command = [command, "evaluate", log, "--policy", logged_rows.policy(rows), "--reward-model", model,
                        "--progress", "never", "--format", "json"]

    def ask(self, question):
        """The answers of the command of a question, or of all, and its seconds."""
        estimators, intervals = ESTIMATORS, INTERVALS
        if question != ALL:
            estimator, _, interval = question.partition(" ")
            estimators, intervals = [estimator], [interval or "normal"]
        options = [option for name in estimators for option in ["--estimator", name]]
        options += [option for name in intervals for option in ["--interval", self.intervals[name]]]
        start = time.perf_counter()
        output = subprocess.run(self.command + options, check=True, capture_output=True).stdout
        seconds = time.perf_counter() - start
        answers = {}
        for row in json.loads(output)["rows"]:
            answers[row["estimator"]] = [row["value"]]
            if row["estimator"] == "ips":
                answers["ips " + row["interval"].partition(":")[0]] = [row["ci_low"], row["ci_high"]]
        return answers, seconds


def child(name, kind, count, runs):
    """What a process of evaluators.py says; None and a message when it failed."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as result:
        script = os.path.join(os.path.dirname(__file__), "evaluators.py")
        command = [sys.executable, script, result.name, name, kind, str(count), str(runs), str(LIMIT_SECONDS)]
        done = subprocess.run(command, capture_output=True, text=True,
                              env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})
        if done.returncode != 0:
            return None, (done.stderr.strip().splitlines() or ["no message"])[-1]
        return json.load(result), ""


def difference(ours, theirs):
    """The greatest relative difference of the numbers that the library has; some have only the lower end."""
    apart = 0.0
    for own, other in zip(ours, theirs):
        if own is None or other != other:
            return float("inf")
        if own != other:
            apart = max(apart, abs(own - other) / max(abs(own), abs(other)))
    return apart


class Comparison:
    def __init__(self, kind, count, runs):
        self.kind, self.count, self.runs = kind, count, runs
        self.rows = []
        self.agree = True
        self.answers = {}
        self.best = {}

    def add(self, question, library, version, runs, seconds, answer, apart, agrees, timed):
        least = min(seconds)
        ratio = least / self.best.setdefault(question, least)
        self.rows.append([
            self.kind, question, library, version, self.count, runs, round(median(seconds), 4),
            round(least, 4), round(max(seconds), 4), round(self.count / least),
            round(ratio, 2), faster(library, ratio), " ".join(map(repr, answer)),
            "" if apart is None else f"{apart:.1e}", "yes" if agrees else "no", timed])
        self.agree = self.agree and agrees

    def disagree(self, message):
        print(f"{self.kind} rewards, {message}", file=sys.stderr)
        return False

    def ask_bandolier(self, asked):
        """Asks all questions at once, then each; the answers must be the same."""
        timed = f"whole command, {os.cpu_count()} cores"
        for question in [ALL, *QUESTIONS]:
            seconds, agrees = [], True
            for _ in range(self.runs):
                answers, took = asked.ask(question)
                seconds.append(took)
                for name, answer in answers.items():
                    if self.answers.setdefault(name, answer) != answer:
                        agrees = self.disagree(f"bandolier, {name}: {answer}, before {self.answers[name]}")
            answer = self.answers.get(question, [])
            if None in answer or (question != ALL and not answer):
                agrees = self.disagree(f"bandolier, {question}: no answer")
            self.add(question, "bandolier", "", self.runs, seconds, answer, None, agrees, timed)

    def ask(self, name):
        made, problem = child(name, self.kind, self.count, self.runs)
        if made is None:
            print(f"{name}, {self.kind} rewards: {problem}", file=sys.stderr)
            return
        version, questions = made["version"], made["questions"]
        worst, agree = 0.0, True
        for question, asked in questions.items():
            ours, theirs = self.answers[question], asked["answer"]
            apart = difference(ours, theirs)
            agrees = apart <= TOLERANCES.get(question, TOLERANCE)
            if not agrees:
                self.disagree(f"{name}, {question}: {theirs} is not Bandolier's {ours[:len(theirs)]}")
            seconds = asked["seconds"]
            self.add(question, name, version, len(seconds), seconds, theirs, apart, agrees, EVALUATORS[name].note)
            worst, agree = max(worst, apart), agree and agrees
        every = [asked["seconds"] for asked in questions.values()]
        # Sums of minima, medians and maxima, in this order.
        sums = [sum(map(summary, every)) for summary in (min, median, max)]
        self.add(ALL, name, version, min(map(len, every)), sums, [], worst, agree, "sum of its questions")
        print(f"{name} {version}, {self.kind} rewards: greatest difference {worst:.1e}", flush=True)


def run(bandolier, target, count, runs):
    """Compares and writes the CSV. Returns whether all answers agree."""
    rows, agree = [], True
    there = []
    for name, evaluator in EVALUATORS.items():
        if importlib.util.find_spec(evaluator.module) is None:
            print(f"skipped {name}: pip could not install {evaluator.distribution}", file=sys.stderr)
        else:
            there.append(name)
    for kind, greatest in logged_rows.GREATEST.items():
        comparison = Comparison(kind, count, runs)
        with tempfile.TemporaryDirectory() as folder:
            log = os.path.join(folder, "rows.log")
            made = logged_rows.make(kind, count)
            logged_rows.write_log(bandolier, made, log)
            comparison.ask_bandolier(Bandolier(bandolier, log, made, greatest))
        for name in there:
            comparison.ask(name)
        comparison.rows.sort(key=lambda row: [*QUESTIONS, ALL].index(row[1]))
        rows += comparison.rows
        agree = agree and comparison.agree
    write_table(HEADING, rows, target)
    print(f"{os.cpu_count()} cores; seconds are medians; rows/s and ratios (seconds by Bandolier's) are of minima; "
          f"wrote {target}")
    return agree

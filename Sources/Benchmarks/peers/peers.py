"""Compares Bandolier with others: one question, bytes per event, imports, simulations, off-policy estimates, and Spark.

Run by `make peers`. Writes to FOLDER peers.csv (the question, see questions.py), peers-sizes.csv (bytes, see sizes.py),
peers-imports.csv (files of events in and out, see imports.py), peers-simulation.csv (steps and regret, see
simulation.py), peers-cells.csv (steps beside plain loops, see cells.py; skipped where Numba is missing),
peers-evaluate.csv (off-policy estimates, see evaluation.py), peers-spark.csv (attribution on a cluster, see
spark_attribution.py; skipped where Java or PySpark is missing) and spark-stages.csv (costs of the stages, see
spark_stages.py), and peers-serve.csv (decisions over HTTP, see serving.py; skipped where `make serve` has not built the
service). Ends with 1 when an answer differs.
"""

import argparse
import importlib
import importlib.util
import os
import shutil
import sys


def part(name):
    """The module of a part, imported when it is run, so that each part runs without the packages of the others."""
    return importlib.import_module(name)


def ask(options, target):
    return part("questions").run(options.bench, target("peers.csv"), options.events, options.runs)


def sizes(options, target):
    part("sizes").run(options.bandolier, options.bench, target("peers-sizes.csv"), options.size_events)


def imports(options, target):
    part("imports").run(options.bandolier, target("peers-imports.csv"), options.import_events, options.import_runs,
                        options.import_files)


def simulate(options, target):
    return part("simulation").run(options.bench, target("peers-simulation.csv"))


def cells(options, target):
    if importlib.util.find_spec("numba"):
        part("cells").run(options.bench, target("peers-cells.csv"))
    else:
        print("skipped cells: pip could not install numba", file=sys.stderr)


def evaluate(options, target):
    return part("evaluation").run(options.bandolier, target("peers-evaluate.csv"), options.evaluate_rows, options.runs)


def serve(options, target):
    part("serving").run(options.server, options.bench, target("peers-serve.csv"), options.serve_requests, options.runs)


def spark(options, target):
    part("spark_stages").run(options.bandolier, target("spark-stages.csv"), options.spark_events, options.runs)
    if shutil.which("java") and importlib.util.find_spec("pyspark"):
        return part("spark_attribution").run(options.bandolier, target("peers-spark.csv"), options.spark_events,
                                             options.runs)
    print("skipped spark: there is no Java, or no PySpark", file=sys.stderr)


# In the order in which they are run. A part returns whether answers agree, or None where there are none to compare.
PARTS = {"questions": ask, "sizes": sizes, "imports": imports, "simulate": simulate, "cells": cells,
         "evaluate": evaluate, "serve": serve, "spark": spark}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bandolier", default=".build/release/bandolier")
    parser.add_argument("--bench", default=".build/release/bandolier-bench")
    parser.add_argument("--server", default=".build/release/bandolier-serve")
    parser.add_argument("--folder", default="notebooks-out", help="where the CSV files go")
    parser.add_argument("--events", type=int, default=10_000_000, help="events that the question is about")
    parser.add_argument("--size-events", type=int, default=1_000_000, help="events whose bytes are counted")
    parser.add_argument("--import-events", type=int, default=500_000, help="events of the files that are imported")
    parser.add_argument("--import-runs", type=int, default=3, help="how often each file is imported")
    parser.add_argument("--import-files", default="", metavar="WORDS", help="only files whose names have these words")
    parser.add_argument("--evaluate-rows", type=int, default=1_000_000, help="decisions that policies are evaluated on")
    parser.add_argument("--spark-events", type=int, default=1_000_000, help="events of the files that a cluster reads")
    parser.add_argument("--serve-requests", type=int, default=50_000, help="requests to each service")
    parser.add_argument("--runs", type=int, default=5, help="how often the question is asked")
    parser.add_argument("--only", choices=PARTS, help="only this comparison")
    options = parser.parse_args()
    wanted = [options.only] if options.only else PARTS
    answers = [PARTS[name](options, lambda name: os.path.join(options.folder, name)) for name in wanted]
    if False in answers:
        raise SystemExit("answers differ")


main()

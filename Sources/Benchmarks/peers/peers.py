"""Compares Bandolier with others: one question, bytes per event, imports, simulations, off-policy estimates, and Spark.

Run by `make peers`. Writes FOLDER/peers.csv (the question, see questions.py), FOLDER/peers-sizes.csv (bytes, see sizes.py),
FOLDER/peers-imports.csv (files of events, see imports.py), FOLDER/peers-simulation.csv (steps and regret, see
simulation.py), FOLDER/peers-cells.csv (steps beside plain loops, see cells.py; skipped where Numba is missing),
FOLDER/peers-evaluate.csv (off-policy estimates, see evaluation.py) and FOLDER/peers-spark.csv (attribution on a
cluster, see spark_attribution.py; skipped where Java or PySpark is missing) and FOLDER/spark-stages.csv (costs of the
stages, see spark_stages.py), and FOLDER/peers-serve.csv (decisions over HTTP, see serving.py; skipped where
`make serve` has not built the service). Ends with 1 when an answer differs.
"""

import argparse
import importlib.util
import os
import shutil
import sys

import cells
import evaluation
import imports
import questions
import serving
import simulation
import sizes
import spark_attribution
import spark_stages

COMPARISONS = ["questions", "sizes", "imports", "simulate", "cells", "evaluate", "spark", "serve"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bandolier", default=".build/release/bandolier")
    parser.add_argument("--bench", default=".build/release/bandolier-bench")
    parser.add_argument("--server", default=".build/release/bandolier-serve")
    parser.add_argument("--folder", default="notebooks-out", help="where the CSV files go")
    parser.add_argument("--events", type=int, default=10_000_000, help="events that the question is about")
    parser.add_argument("--size-events", type=int, default=1_000_000, help="events whose bytes are counted")
    parser.add_argument("--import-events", type=int, default=2_000_000, help="events of the files that are imported")
    parser.add_argument("--evaluate-rows", type=int, default=1_000_000, help="decisions that policies are evaluated on")
    parser.add_argument("--spark-events", type=int, default=1_000_000, help="events of the files that a cluster reads")
    parser.add_argument("--serve-requests", type=int, default=50_000, help="requests to each service")
    parser.add_argument("--runs", type=int, default=5, help="how often the question is asked")
    parser.add_argument("--only", choices=COMPARISONS, help="only this comparison")
    options = parser.parse_args()
    agree = True
    wanted = [options.only] if options.only else COMPARISONS
    if "questions" in wanted:
        target = os.path.join(options.folder, "peers.csv")
        agree = questions.run(options.bench, target, options.events, options.runs)
    if "sizes" in wanted:
        target = os.path.join(options.folder, "peers-sizes.csv")
        sizes.run(options.bandolier, options.bench, target, options.size_events)
    if "imports" in wanted:
        target = os.path.join(options.folder, "peers-imports.csv")
        imports.run(options.bandolier, target, options.import_events, options.runs)
    if "simulate" in wanted:
        target = os.path.join(options.folder, "peers-simulation.csv")
        agree = simulation.run(options.bench, target) and agree
    if "cells" in wanted:
        if importlib.util.find_spec("numba"):
            cells.run(options.bench, os.path.join(options.folder, "peers-cells.csv"))
        else:
            print("skipped cells: pip could not install numba", file=sys.stderr)
    if "evaluate" in wanted:
        target = os.path.join(options.folder, "peers-evaluate.csv")
        agree = evaluation.run(options.bandolier, target, options.evaluate_rows, options.runs) and agree
    if "serve" in wanted:
        target = os.path.join(options.folder, "peers-serve.csv")
        serving.run(options.server, options.bench, target, options.serve_requests, options.runs)
    if "spark" in wanted:
        target = os.path.join(options.folder, "spark-stages.csv")
        spark_stages.run(options.bandolier, target, options.spark_events, options.runs)
        if shutil.which("java") and importlib.util.find_spec("pyspark"):
            target = os.path.join(options.folder, "peers-spark.csv")
            agree = spark_attribution.run(options.bandolier, target, options.spark_events, options.runs) and agree
        else:
            print("skipped spark: there is no Java, or no PySpark", file=sys.stderr)
    if not agree:
        raise SystemExit("answers differ")


main()

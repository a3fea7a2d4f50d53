"""Compares rewards of a cluster, made by `bandolier.spark`, with the same attribution as a query of PySpark's SQL.

Run by `peers.py`. The same eight files (.jsonl.gz), the same master and two workers on this machine (see
Tests/Spark/localcluster.py), executors with the same memory. A goal is credited to the latest decision of its unit and
experiment at or before it. `bandolier.spark` also drops duplicates and computes variances and intervals. Medians of the
runs count; the first run of each, which starts the processes of Python and compiles, is left out.
"""

import csv
import gzip
import io
import json
import math
import os
import random
import statistics
import sys
import tempfile
import time

from output import write_table

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
FILES = 8
START = 1_767_312_000_000_000
SCHEMA = "type string, time bigint, unit string, experiment string, variant string, goal string, value double"
QUERY = """
    WITH credited AS (
      SELECT type, unit, experiment, value,
        last_value(CASE WHEN type = 'decision' THEN variant END) IGNORE NULLS OVER (
          PARTITION BY unit, experiment ORDER BY time, type = 'goal' ROWS UNBOUNDED PRECEDING) AS variant
      FROM events)
    SELECT experiment, variant, count_if(type = 'decision') AS decisions,
      count(DISTINCT CASE WHEN type = 'decision' THEN unit END) AS units,
      count_if(type = 'goal') AS rewards,
      coalesce(sum(CASE WHEN type = 'goal' THEN coalesce(value, 1) END), 0) AS reward_sum
    FROM credited WHERE variant IS NOT NULL GROUP BY experiment, variant"""
MEASURES = ["decisions", "units", "rewards", "reward_sum"]


def write_files(folder, events):
    """Writes decisions and goals of units, in the order of time; a tenth of the goals have the time of a decision."""
    rng = random.Random(1)
    paths = [os.path.join(folder, f"events-{number}.jsonl.gz") for number in range(FILES)]
    size, now, unit, experiment = -(-events // FILES), START, "", ""
    for path in paths:
        with gzip.open(path, "wt", compresslevel=6, encoding="utf-8") as file:
            for _ in range(size):
                is_goal = rng.random() < 0.3
                if not (unit and is_goal and rng.random() < 0.1):
                    now += rng.randrange(1, 2_000_000)
                    unit, experiment = f"user-{rng.randrange(events // 12)}", f"experiment-{rng.randrange(4)}"
                event = {"type": "goal" if is_goal else "decision", "time": now, "unit": unit, "experiment": experiment}
                if is_goal:
                    event["goal"] = "purchase"
                    if rng.random() < 0.8:
                        event["value"] = rng.randrange(1, 10_000) / 100
                else:
                    event["variant"] = f"variant-{rng.randrange(5)}"
                file.write(json.dumps(event) + "\n")
    return paths


def of_bandolier(output):
    """The answer by experiment and variant in a report as CSV."""
    rows = csv.DictReader(io.StringIO(output.decode()))
    return {(row["experiment"], row["variant"]): [float(row[measure]) for measure in MEASURES] for row in rows}


def of_sql(spark, paths):
    """The answer by experiment and variant of the query."""
    spark.read.schema(SCHEMA).json(paths).createOrReplaceTempView("events")
    rows = spark.sql(QUERY).collect()
    return {(row.experiment, row.variant): [float(row[measure]) for measure in MEASURES] for row in rows}


def agree(ours, theirs):
    """Whether counts are the same, and sums nearly so."""
    return ours.keys() == theirs.keys() and all(
        ours[key][:3] == theirs[key][:3] and math.isclose(ours[key][3], theirs[key][3], rel_tol=1e-9) for key in ours)


def measured(ask, runs):
    """The answer, and the seconds of runs after the first."""
    answer, seconds = ask(), []
    for _ in range(runs):
        began = time.monotonic()
        answer = ask()
        seconds.append(time.monotonic() - began)
    return answer, seconds


def compare(spark, command, paths, events, runs):
    """Returns rows of the table, and whether the answers agree."""
    from bandolier.spark import report_output, shard

    kept = os.path.join(os.path.dirname(paths[0]), "shards")
    shard(spark, paths, kept, shards=FILES, executable=command)
    asked = {
        "bandolier.spark, rewards of files": lambda: of_bandolier(
            report_output(spark, ["rewards"], paths, shards=FILES, executable=command)),
        "bandolier.spark, rewards of kept shards": lambda: of_bandolier(
            report_output(spark, ["rewards"], kept, executable=command)),
        f"PySpark {spark.version} SQL, window over files": lambda: of_sql(spark, paths),
    }
    rows, answers = [], []
    for name, ask in asked.items():
        answer, seconds = measured(ask, runs)
        answers.append(answer)
        middle = statistics.median(seconds)
        rows.append([name, events, runs, round(middle, 2), round(min(seconds), 2), round(max(seconds), 2),
                     round(events / middle), "yes" if agree(answers[0], answer) else "no"])
    return rows, all(agree(answers[0], answer) for answer in answers)


def run(command, target, events, runs):
    """Compares and writes the CSV. Returns whether the answers agree."""
    sys.path[:0] = [os.path.join(ROOT, "Tests", "Spark"), os.path.join(ROOT, "Sources", "Python")]
    os.environ.update(SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
    os.environ["PYTHONPATH"] = os.path.join(ROOT, "Sources", "Python")
    from localcluster import LocalCluster, session_settings
    from pyspark.sql import SparkSession

    with tempfile.TemporaryDirectory() as folder:
        paths = write_files(folder, events)
        cluster = LocalCluster(folder)
        try:
            builder = SparkSession.builder
            for key, value in session_settings(cluster).items():
                builder = builder.config(key, value)
            spark = builder.getOrCreate()
            rows, agrees = compare(spark, os.path.realpath(command), paths, events, runs)
            spark.stop()
        finally:
            cluster.stop()
    heading = ["way", "events", "runs", "seconds", "seconds_min", "seconds_max", "events_per_second", "answers_agree"]
    write_table(heading, rows, target)
    print(f"a master and two workers of one core each; seed 1; wrote {target}")
    return agrees

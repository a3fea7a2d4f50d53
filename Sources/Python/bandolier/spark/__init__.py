"""Bandolier on Apache Spark: reports and simulations of a cluster, byte for byte those of one machine.

    from bandolier.spark import report, shard, simulate

    report(spark, "rewards", "/data/events/*.jsonl.gz", shards=64)
    shard(spark, "/data/events", "/data/shards", shards=64)
    report(spark, "compare", "/data/shards", "--metric", "value")
    simulate(spark, ["bernoulli:means=0.1;0.9"], ["thompson", "ucb1"], "--runs", "10000")

The same from a shell: ``spark-submit`` with the file ``submit.py`` of this folder, or ``python -m bandolier.spark``.
PySpark 3.5 or later is needed here, and nowhere else in the package.
"""

from bandolier.spark.errors import ClusterError, CommandError, KeptFolderError, TaskError
from bandolier.spark.reports import report
from bandolier.spark.shards import shard
from bandolier.spark.simulations import simulate

__all__ = ["ClusterError", "CommandError", "KeptFolderError", "TaskError", "report", "shard", "simulate"]

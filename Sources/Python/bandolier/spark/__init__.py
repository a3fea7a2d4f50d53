"""Reports and simulations on Apache Spark, byte for byte those of one machine.

    from bandolier.spark import report, shard, simulate

    report(spark, "rewards", "/data/events/*.jsonl.gz", shards=64)
    shard(spark, "/data/events", "/data/shards", shards=64)
    report(spark, "compare", "/data/shards", metric="revenue")
    simulate(spark, environment="bernoulli:means=0.1;0.9", policy=["thompson", "ucb1"], runs=10_000)

The same from a shell: `spark-submit` with the file `submit.py` of this folder, or `python -m bandolier.spark`. PySpark
is needed here, and nowhere else in the package.
"""

from ._errors import ClusterError, KeptFolderError, TaskError
from ._reports import report, report_output
from ._shards import shard
from ._simulations import simulate, simulation_output

__all__ = [
    "ClusterError", "KeptFolderError", "TaskError", "report", "report_output", "shard", "simulate", "simulation_output"]

for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
del _name

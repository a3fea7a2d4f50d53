"""Reports and simulations on Apache Spark, byte for byte those of one machine.

    from bandolier.spark import register, report, shard, simulate

    report(spark, "rewards", "/data/events/*.jsonl.gz", shards=64)
    shard(spark, "/data/events", "/data/shards", shards=64)
    report(spark, "compare", "/data/shards", metric="revenue")
    simulate(spark, environment="bernoulli:means=0.1;0.9", policy=["thompson", "ucb1"], runs=10_000)

    register(spark)
    spark.read.format("bandolier").option("kind", "decision").load("/data/shards").groupBy("variant").count()

The same from a shell: `spark-submit` with the file `submit.py` of this folder, or `python -m bandolier.spark`. PySpark
is needed here, and nowhere else in the package.
"""

from ._errors import ClusterError, KeptFolderError, TaskError
from ._reports import report, report_output
from ._shards import shard
from ._simulations import simulate, simulation_output

__all__ = [
    "ClusterError", "KeptFolderError", "TaskError", "register", "report", "report_output", "shard", "simulate",
    "simulation_output"]


def register(spark, /, *, executable=None):
    """Registers the data source `bandolier`, which reads logs: `spark.read.format("bandolier").load("shop.log")`.

    A row is an event, a column a field, as in the Arrow streams of `bandolier export --format arrow`. The path is the
    folder of a log, a folder of logs such as `bandolier.spark.shard` makes, or a pattern; each log is a partition. The
    option `kind` takes kinds of events, separated by commas: only their columns are read. PySpark 4 is needed.

    Args:
        spark: The session.
        executable: As in `bandolier.spark.report`.
    """
    from ._source import register_source

    register_source(spark, executable)


for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
del _name

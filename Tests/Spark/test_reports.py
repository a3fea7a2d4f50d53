"""Reports of a cluster are those of one machine, whatever the events come in."""

import pytest

import bandolier.spark
from bandolier.spark import _kept, _shards
from support import expect_nothing_left

REPORTS = [
    ["rewards"], ["rewards", "--format", "json"], ["compare"], ["compare", "--method", "bootstrap"], ["conversions"],
    ["quantiles"], ["regret"], ["health"], ["series"], ["visits"], ["retention"],
    ["funnel", "--steps", "click,purchase", "--any-order", "--window", "14d"], ["power", "--lift", "0.1"],
    ["evaluate", "--experiment", "recommendations", "--policy", "uniform", "--policy", "fixed:variant=popular"],
]


@pytest.mark.short
def test_a_report_of_eight_files_is_that_of_one_machine(spark, events, one_machine, executable, root):
    files = sorted(events.iterdir())
    made = bandolier.spark.report_output(spark, ["rewards"], str(events), shards=3, executable=executable)
    assert made == one_machine.report("rewards", files)
    expect_nothing_left(root)


@pytest.mark.parametrize("words", REPORTS, ids=" ".join)
def test_every_report_of_kept_shards_is_that_of_one_machine(spark, kept, events, one_machine, executable, words):
    name, *options = words
    made = bandolier.spark.report_output(spark, words, str(kept), executable=executable)
    assert made == one_machine.report(name, sorted(events.iterdir()), *options)


def test_parquet_files_give_what_json_lines_give(spark, parquet, events, one_machine, executable, root):
    made = bandolier.spark.report_output(spark, ["rewards"], str(parquet), shards=3, executable=executable)
    assert made == one_machine.report("rewards", sorted(events.iterdir()))
    expect_nothing_left(root)


def test_a_data_frame_gives_what_json_lines_give(spark, parquet, events, one_machine, executable, root):
    place = ["file_name", "row_index"]
    frame = spark.read.parquet(str(parquet)).select("*", *(f"_metadata.{name}" for name in place))
    frame = frame.repartitionByRange(4, *place).sortWithinPartitions(*place).drop(*place)
    made = bandolier.spark.report_output(spark, ["rewards"], frame, shards=3, executable=executable)
    assert made == one_machine.report("rewards", sorted(events.iterdir()))
    expect_nothing_left(root)


@pytest.mark.parametrize("count", [1, 7])
def test_the_number_of_shards_does_not_show(spark, events, one_machine, executable, count):
    made = bandolier.spark.report_output(spark, ["rewards"], str(events), shards=count, executable=executable)
    assert made == one_machine.report("rewards", sorted(events.iterdir()))


def test_partials_merged_in_a_tree_give_the_same(spark, kept, events, one_machine, executable):
    words = ["compare", "--method", "bootstrap"]
    made = bandolier.spark.report_output(spark, words, str(kept), executable=executable, fan=2)
    assert made == one_machine.report(*words[:1], sorted(events.iterdir()), *words[1:])


def test_shards_are_kept_once_and_only_missing_ones_are_made(spark, events, executable, tmp_path):
    folder = tmp_path / "shards"
    paths = bandolier.spark.shard(spark, str(events), str(folder), shards=3, executable=executable)
    assert [path.rpartition("/")[2] for path in paths] == [f"shard-{n}-of-3.log" for n in (1, 2, 3)]
    made = {path.name: path.stat().st_ino for path in folder.glob("*.log")}
    before = _content(folder / "shard-2-of-3.log")
    for file in (folder / "shard-2-of-3.log").iterdir():
        file.unlink()
    (folder / "shard-2-of-3.log").rmdir()
    bandolier.spark.shard(spark, str(events), str(folder), shards=3, executable=executable)
    again = {path.name: path.stat().st_ino for path in folder.glob("*.log")}
    assert sorted(made) == sorted(again)
    assert {name for name in made if made[name] == again[name]} >= {"shard-1-of-3.log", "shard-3-of-3.log"}
    assert _content(folder / "shard-2-of-3.log") == before


def test_a_folder_of_shards_of_other_files_is_refused(spark, events, executable, tmp_path):
    folder = str(tmp_path / "shards")
    bandolier.spark.shard(spark, str(events / "part-0.jsonl.gz"), folder, shards=2, executable=executable)
    with pytest.raises(bandolier.spark.KeptFolderError, match="whose files differ"):
        bandolier.spark.shard(spark, str(events), folder, shards=2, executable=executable)


@pytest.mark.parametrize("words", [["--metrics", "{}"], ["--metrics={}"], ["--policy", "table:path={},floor=0.1"]])
def test_kept_results_belong_to_the_contents_of_files(tmp_path, words):
    file = tmp_path / "metrics.yaml"
    words = [word.format(file) for word in words]
    names = []
    for text in ["metrics: {m: reward}", "metrics: {m: revenue}", "metrics: {m: reward}"]:
        file.write_text(text)
        names.append(_kept.question_name(_kept.with_files({"report": words}, words)))
    assert names[0] == names[2] != names[1]
    assert _kept.with_files({"report": ["rewards"]}, ["rewards"]) == {"report": ["rewards"]}


def test_times_of_any_precision_are_ordered():
    ordered = ["2026-01-31T13:13:15Z", "2026-01-31T13:13:15.4Z", "2026-01-31T13:13:15.477001Z", "2026-01-31T13:13:16Z"]
    assert sorted(reversed(ordered), key=_shards.time_key) == ordered


def _content(log):
    return {path.name: path.read_bytes() for path in log.iterdir() if path.name not in ("LOCK", "IMPORTS")}


def test_the_data_source_reads_the_events_of_kept_shards(spark, kept, executable, root):
    bandolier.spark.register(spark, executable=executable)
    frame = spark.read.format("bandolier").load(str(kept))
    counts = {row.type: row["count"] for row in frame.groupBy("type").count().collect()}
    assert counts == {
        "decision": 39126, "goal": 6044, "conversion": 1014, "dataPoint": 3722, "decisionConfirmed": 94}
    decisions = spark.read.format("bandolier").option("kind", "decision").load(str(kept))
    assert "revenue" not in decisions.columns
    first = decisions.where("features IS NOT NULL").orderBy("time", "unit").first()
    assert first.variant in first.choices and first.features[first.variant].price > 0
    expect_nothing_left(root)


def test_what_the_data_source_reads_can_be_reported(spark, kept, events, one_machine, executable):
    bandolier.spark.register(spark, executable=executable)
    frame = spark.read.format("bandolier").load(str(kept))
    made = bandolier.spark.report_output(spark, ["rewards"], frame, shards=2, executable=executable)
    assert made == one_machine.report("rewards", sorted(events.iterdir()))

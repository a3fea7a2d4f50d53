"""Events go into a log and come out of it as tables, without loss."""

import datetime
import json
import random

import pyarrow as pa
import pytest

from bandolier import Appended, Log, run

TEXTS = ["a", "é", "e\u0301", "x y", "🙂", "NA", "1", "true", 'q"q', "back\\slash", "tab\t", "\u2028"]


def random_events(seed, count):
    """Returns valid events of all kinds, whose texts and values are awkward."""
    draw = random.Random(seed)

    def value():
        return draw.choice([draw.choice(TEXTS), draw.random() * 10, draw.randrange(100), draw.random() < 0.5])

    def attributes():
        return {name: value() for name in draw.sample(TEXTS, draw.randrange(1, 4))}

    def event(number):
        kind = draw.choice(["decision", "goal", "conversion", "dataPoint", "decisionConfirmed"])
        micros = draw.randrange(-10**15, 4 * 10**15)
        time = datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=micros)
        event = {"type": kind, "time": time.isoformat(timespec="microseconds") + "Z", "unit": draw.choice(TEXTS)}
        optional = {}
        if kind == "decision":
            choices = draw.sample(TEXTS, 3)
            event |= {"experiment": draw.choice(TEXTS), "variant": choices[0]}
            optional = {
                "point": draw.choice(TEXTS), "choices": choices, "propensity": 0.5, "probabilities": [0.5, 0.25, 0.25],
                "policy": draw.choice(TEXTS), "status": draw.choice(["provisional", "repeated", "excluded"]),
                "context": attributes(), "features": {choice: attributes() for choice in choices[:2]}}
        elif kind == "goal":
            event |= {"experiment": draw.choice(TEXTS), "goal": draw.choice(TEXTS)}
            optional = {"value": draw.random(), "slot": draw.choice(TEXTS), "metadata": attributes()}
        elif kind == "conversion":
            event |= {"goal": draw.choice(TEXTS)}
            optional = {"revenue": draw.random() * 9, "negative": draw.random() < 0.5, "metadata": attributes()}
        elif kind == "dataPoint":
            event |= {"kind": draw.choice(TEXTS)}
            optional = {"key": draw.choice(TEXTS), "value": value()}
        else:
            event |= {"experiment": draw.choice(TEXTS), "point": draw.choice(TEXTS)}
        optional |= {"id": f"id-{number}", "system": "agents", "unheard": {"of": [1, None]}}
        event |= {name: content for name, content in optional.items() if draw.random() < 0.5}
        return event

    return [event(number) for number in range(count)]


def lines(log):
    return run("export", log).rstrip("\n").split("\n")


@pytest.mark.parametrize("seed", range(20))
def test_a_table_of_all_events_appended_to_another_log_is_the_same_log(tmp_path, seed):
    first, second = Log(tmp_path / "first.log"), Log(tmp_path / "second.log")
    events = random_events(seed, 200)
    assert first.append(events) == Appended(200, 0, 199)
    assert second.append(first.events()) == Appended(200, 0, 199)
    assert list(map(json.loads, lines(second))) == list(map(json.loads, lines(first)))


@pytest.mark.parametrize("seed", range(20))
def test_the_rows_of_a_kind_are_its_events_in_the_order_of_the_log(empty_log, seed):
    events = random_events(seed, 200)
    empty_log.append(events)
    tables = {
        "decision": empty_log.decisions(), "goal": empty_log.goals(), "conversion": empty_log.conversions(),
        "dataPoint": empty_log.data_points(), "decisionConfirmed": empty_log.events("decisionConfirmed")}
    assert sum(map(len, tables.values())) == len(empty_log.events()) == 200
    for kind, table in tables.items():
        expected = [event for event in events if event["type"] == kind]
        assert len(table) == len(expected)
        for name in ("unit", "experiment", "variant", "goal", "kind", "propensity", "choices", "id", "revenue"):
            if name in table.column_names:
                assert table[name].to_pylist() == [event.get(name) for event in expected]
        times = [datetime.datetime.fromisoformat(event["time"][:-1] + "+00:00") for event in expected]
        assert table["time"].to_pylist() == times


def test_columns_have_the_types_of_their_field(storefront):
    decisions, points = storefront.decisions(), storefront.data_points()
    assert decisions.schema.field("time").type == pa.timestamp("us", tz="UTC")
    assert pa.types.is_dictionary(decisions.schema.field("variant").type)
    assert decisions.schema.field("propensity").type == pa.float64()
    assert decisions.schema.field("context.age").type == pa.float64()
    assert decisions.schema.field("context.returning").type == pa.bool_()
    assert decisions.schema.field("choices").type.value_type in (pa.string(), pa.dictionary(pa.int32(), pa.string()))
    assert points.schema.field("value_text").type == pa.string()
    assert storefront.conversions()["revenue"].null_count == 339


def test_tables_are_data_frames_of_pandas_and_polars(storefront):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    goals = storefront.goals()
    assert goals.to_pandas().groupby("experiment", observed=True)["value"].sum().sum() > 0
    assert isinstance(goals.to_pandas(), pandas.DataFrame)
    assert polars.DataFrame(goals)["value"].sum() == pytest.approx(goals.to_pandas()["value"].sum())


def test_what_pandas_has_of_events_gives_the_same_events(storefront, tmp_path):
    pytest.importorskip("pandas")
    copy, table = Log(tmp_path / "copy.log"), Log(tmp_path / "table.log")
    copy.append(storefront.events().to_pandas())
    table.import_table(storefront.events().to_pandas())
    for log in (copy, table):
        assert log.events().combine_chunks().equals(storefront.events().combine_chunks())


def test_names_that_polars_has_as_categories_are_taken(storefront, tmp_path):
    polars = pytest.importorskip("polars")
    log = Log(tmp_path / "goals.log")
    assert log.append(polars.DataFrame(storefront.goals())).events == storefront.goals().num_rows


GOAL = {"type": "goal", "time": "2026-01-02T03:04:05.678901Z", "unit": "u-1", "experiment": "e", "goal": "g"}
TIME = datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, datetime.timezone.utc)


def test_events_may_be_records_tables_batches_or_data_frames(tmp_path):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    rows = [GOAL | {"value": 2.5}, GOAL | {"unit": "u-2", "value": None}]
    table = pa.Table.from_pylist(rows)
    frame = pandas.DataFrame(rows).assign(time=lambda frame: pandas.to_datetime(frame["time"]))
    forms = [
        rows, tuple(rows), iter(rows), table, table.to_batches()[0], table.to_reader(), frame,
        frame.iloc[::-1].sort_index(), polars.DataFrame(rows),
        polars.DataFrame(rows).with_columns(polars.col("time").str.to_datetime(time_zone="UTC")),
        polars.LazyFrame(rows)]
    for index, form in enumerate(forms):
        log = Log(tmp_path / f"{index}.log")
        assert log.append(form) == Appended(2, 0, 1), index
        assert log.goals()["value"].to_pylist() == [2.5, None], index
        assert log.goals()["time"].to_pylist() == [TIME, TIME], index
    assert Log(tmp_path / "one.log").append(GOAL).events == 1
    with pytest.raises(TypeError, match="not a Series|row 0 is a float"):
        Log(tmp_path / "one.log").append(frame["value"])


@pytest.mark.parametrize(
    "time",
    [TIME, 1767323045.678901, 1767323045678901, TIME.astimezone(datetime.timezone(datetime.timedelta(hours=5)))])
def test_times_are_numbers_texts_or_times_with_a_zone(empty_log, time):
    empty_log.append([GOAL | {"time": time}])
    assert empty_log.goals()["time"].to_pylist() == [TIME]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_of_tables_are_in_utc_whatever_their_unit_and_zone(tmp_path, unit):
    whole = TIME.replace(microsecond=0)
    for index, zone in enumerate([None, "UTC", "Asia/Kathmandu"]):
        times = pa.array([whole], pa.timestamp("us", "UTC")).cast(pa.timestamp(unit, zone or "UTC"))
        times = times.cast(pa.timestamp(unit)) if zone is None else times
        table = pa.Table.from_pylist([GOAL]).drop_columns("time").append_column("time", times)
        log, other = Log(tmp_path / f"{index}.log"), Log(tmp_path / f"{index}-other.log")
        log.append(table)
        other.import_table(table)
        assert log.goals()["time"].to_pylist() == other.goals()["time"].to_pylist() == [whole]


def test_what_pandas_and_numpy_have_for_missing_values_is_left_out(empty_log):
    pandas, numpy = pytest.importorskip("pandas"), pytest.importorskip("numpy")
    for missing in (None, float("nan"), numpy.nan, numpy.float32("nan"), pandas.NaT, pandas.NA):
        assert empty_log.append([GOAL | {"value": missing, "id": missing}]).events == 1
    assert empty_log.goals()["value"].null_count == 6 == empty_log.goals()["id"].null_count


def test_values_of_numpy_decimals_and_uuids_are_taken(empty_log):
    numpy = pytest.importorskip("numpy")
    import decimal
    import uuid

    number = uuid.uuid4()
    decision = {"type": "decision", "time": numpy.int64(1767323045), "unit": number, "experiment": "e", "variant": "a",
                "propensity": numpy.float32(0.5), "context": {"age": decimal.Decimal("33"), "is": numpy.bool_(True)}}
    empty_log.append([decision])
    row = empty_log.decisions().to_pylist()[0]
    assert (row["unit"], row["propensity"], row["context.age"], row["context.is"]) == (str(number), 0.5, 33, True)


def test_context_may_be_a_mapping_or_columns(empty_log):
    decision = {"type": "decision", "time": 1767323045, "unit": "u", "experiment": "e", "variant": "a"}
    mapped = [decision | {"context": {"country": "NZ"}, "features": {"a": {"price": 1.5}}}]
    columns = [decision | {"context.country": "NZ", "features.a.price": 1.5}]
    for form in (mapped, columns, pa.Table.from_pylist(mapped), pa.Table.from_pylist(columns)):
        empty_log.append(form)
    assert len(set(lines(empty_log))) == 1
    assert empty_log.decisions()["context.country"].to_pylist() == ["NZ"] * 4


@pytest.mark.parametrize(
    "events, message",
    [
        ("events.jsonl", "for files use import_files"),
        (__import__("pathlib").Path("events.jsonl"), "for files use import_files"),
        (None, "events are an Arrow table, a data frame or records"),
        ([GOAL, 3], "row 1 is a int"),
        ([GOAL | {"value": float("inf")}], "row 0: "),
        ([GOAL | {"value": object()}], "row 0: .* which JSON does not have"),
        ([GOAL, GOAL | {"time": datetime.datetime(2026, 1, 2)}], "row 1: .*no time zone"),
    ],
)
def test_what_is_no_event_is_refused_before_it_reaches_the_log(empty_log, events, message):
    with pytest.raises((TypeError, ValueError), match=message):
        empty_log.append(events)


def test_an_event_whose_id_is_there_is_skipped(empty_log):
    events = [GOAL | {"id": "a"}, GOAL]
    assert empty_log.append(events) == Appended(2, 0, 1)
    assert empty_log.append(events) == Appended(1, 1, 2)
    assert empty_log.append(events, allow_duplicates=True) == Appended(2, 0, 4)
    assert empty_log.append([]) == Appended(0, 0, None)


def test_a_large_table_is_appended_in_blocks(empty_log):
    count = 50_000
    table = pa.table({
        "type": ["dataPoint"] * count, "time": list(range(1_767_323_045, 1_767_323_045 + count)),
        "unit": [f"u-{index % 997}" for index in range(count)], "kind": ["custom"] * count})
    assert empty_log.append(table) == Appended(count, 0, count - 1)
    assert empty_log.data_points()["unit"].to_pylist() == table["unit"].to_pylist()


def test_importing_the_same_files_and_tables_again_adds_nothing(empty_log):
    first = empty_log.import_files("datasets/storefront.jsonl.gz")
    assert (first.records, first.events, first.duplicates, first.rejected) == (50_000, 50_000, 0, 0)
    assert empty_log.import_files(["datasets/storefront.jsonl.gz"]).events == 0
    assert empty_log.import_files(iter([b"datasets/storefront.jsonl.gz"])).events == 0
    visits = [{"ts": 1767607200 + index, "user": f"u-{index}", "group": "AB"[index % 2]} for index in range(10)]
    options = {"map": {"time": "ts", "unit": "user", "variant": "group"}, "experiment": "banner"}
    assert empty_log.import_table(visits, **options).events == 10
    assert empty_log.import_table(pa.Table.from_pylist(visits), **options).events == 0
    assert empty_log.report("rewards", experiment="banner").column("decisions").to_pylist() == [5, 5]


@pytest.mark.parametrize("seed", range(20, 30))
def test_a_table_of_all_events_imported_into_another_log_is_the_same_log(tmp_path, seed):
    first, second = Log(tmp_path / "first.log"), Log(tmp_path / "second.log")
    first.append(random_events(seed, 200))
    table = first.events()
    assert second.import_table(table).events == 200
    assert lines(second) == lines(first)
    assert second.events().equals(table)
    assert second.import_table(table).events == 0


def test_parquet_is_written_from_batches_and_imported_with_the_pyarrow_of_this_python(tmp_path, storefront):
    from pyarrow import dataset

    with storefront.batches() as batches:
        dataset.write_dataset(batches, tmp_path / "events", format="parquet")
    log = Log(tmp_path / "again.log")
    assert log.import_files(tmp_path / "events").events == 50_000
    assert log.report("rewards").table.equals(storefront.report("rewards").table)


def test_invalid_records_are_skipped_and_counted_on_request(empty_log, tmp_path):
    path = tmp_path / "events.jsonl"
    path.write_text(json.dumps(GOAL) + "\nnonsense\n")
    imported = empty_log.import_files(path, on_error="skip")
    assert (imported.events, imported.rejected) == (1, 1)


def test_info_has_numbers_and_times(storefront):
    info = storefront.info()
    assert (info["events"], info["events.goal"], info["segments"]) == (50_000, 6044, 1)
    assert info["earliest"] == datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    assert isinstance(info["bytes_per_event"], float) and isinstance(info["id"], str)


def test_a_log_without_events_has_tables_without_rows(empty_log):
    empty_log.append([])
    assert (empty_log.info()["events"], empty_log.info()["earliest"]) == (0, None)
    assert "type" in empty_log.events().column_names and "variant" in empty_log.decisions().column_names
    assert len(empty_log.events()) == len(empty_log.decisions()) == 0
    assert len(empty_log.report("rewards")) == 0
    with empty_log.batches() as batches:
        assert list(batches) == []


def test_a_log_is_a_path_and_prints_as_python(storefront):
    import os

    assert os.fspath(storefront) == "datasets/storefront.log"
    assert repr(storefront) == "Log('datasets/storefront.log')"

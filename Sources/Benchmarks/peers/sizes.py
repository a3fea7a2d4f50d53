"""Compares the bytes per event of Bandolier's logs with those of Parquet, for the same events.

Run by `peers.py`. The Parquet file is what a data scientist would make of the events: one table with a row
for each event and a typed column for each field, in the order of the log, written by pyarrow with its defaults
but for the compression and row groups of 2^20 rows. Context and features are written twice, as structs and as
JSON text, and the smaller file counts.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from datetime import datetime, timedelta, timezone

import pyarrow as pa
import pyarrow.parquet as pq

from output import write_table

PROFILES = ["fast", "balanced", "small"]
CODECS = ["zstd", "snappy"]
# JSON name, column name: names, of which there are few.
NAMES = ["unit", "experiment", "point", "slot", "variant", "policy", "reason", "goal", "status",
         "kind", "key", "system"]
NUMBERS = ["propensity", "value", "revenue"]
OBJECTS = ["context", "features", "metadata", "configuration"]
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def microseconds(text):
    return (datetime.fromisoformat(text.replace("Z", "+00:00")) - EPOCH) // timedelta(microseconds=1)


def rows(lines):
    """The columns of the events, as lists of Python values."""
    columns = {"type": [], "time": [], "id": [], "data_value": [], "negative": [], "choices": [],
               "probabilities": [], "changed": []}
    for name in NAMES + NUMBERS + OBJECTS:
        columns[name] = []
    for line in lines:
        event = json.loads(line)
        columns["type"].append(event["type"])
        columns["time"].append(microseconds(event["time"]))
        for name in ["id", "negative", "choices", "probabilities", "changed", *NAMES, *OBJECTS]:
            columns[name].append(event.get(name))
        is_data = event["type"] == "dataPoint"
        value = event.get("value")
        columns["data_value"].append(None if value is None or not is_data else
                                     value if isinstance(value, str) else json.dumps(value))
        for name in NUMBERS:
            number = event.get(name)
            columns[name].append(None if number is None or is_data else float(number))
    return columns


def structs(name, values):
    """Objects as structs; features as a list with one struct for each choice."""
    if name == "features":
        values = [None if value is None else
                  [{"variant": variant, **fields} for variant, fields in value.items()]
                  for value in values]
    return pa.array(values)


def table(columns, as_structs):
    arrays = {
        "type": pa.array(columns["type"]).dictionary_encode(),
        "time": pa.array(columns["time"], pa.int64()),
        "id": pa.array(columns["id"], pa.string()),
        "data_value": pa.array(columns["data_value"], pa.string()).dictionary_encode(),
        "negative": pa.array(columns["negative"], pa.bool_()),
        "choices": pa.array(columns["choices"], pa.list_(pa.string())),
        "probabilities": pa.array(columns["probabilities"], pa.list_(pa.float64())),
        "changed": pa.array(columns["changed"], pa.list_(pa.string())),
    }
    for name in NAMES:
        arrays[name] = pa.array(columns[name], pa.string()).dictionary_encode()
    for name in NUMBERS:
        arrays[name] = pa.array(columns[name], pa.float64())
    for name in OBJECTS:
        values = columns[name]
        if as_structs:
            arrays[name] = structs(name, values)
        else:
            text = [None if value is None else json.dumps(value, separators=(",", ":"))
                    for value in values]
            arrays[name] = pa.array(text, pa.string())
    # A column that no event has would be left out by everybody.
    return pa.table({name: array for name, array in arrays.items() if array.null_count < len(array)})


def parquet_sizes(lines, folder):
    """Bytes of the smaller Parquet file by codec, and which form it has."""
    columns = rows(lines)
    sizes = {}
    for as_structs in [True, False]:
        try:
            events = table(columns, as_structs)
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            continue  # Attributes of more than one type have no struct.
        for codec in CODECS:
            path = os.path.join(folder, "events.parquet")
            pq.write_table(events, path, compression=codec, row_group_size=1 << 20)
            size = os.path.getsize(path)
            if codec not in sizes or size < sizes[codec][0]:
                sizes[codec] = (size, "structs" if as_structs else "json")
    return sizes


def folder_size(path):
    return sum(os.path.getsize(os.path.join(path, name)) for name in os.listdir(path)
               if name.endswith(".bdl"))


def compare(name, log, bandolier, bench, folder, output):
    lines_path = os.path.join(folder, "events.jsonl")
    subprocess.run([bandolier, "export", log, "-o", lines_path, "--force"], check=True)
    with open(lines_path, encoding="utf-8") as lines:
        events = sum(1 for _ in lines)
    with open(lines_path, encoding="utf-8") as lines:
        parquet = parquet_sizes(lines, folder)
    zstd = parquet["zstd"][0]
    results = []
    for profile in PROFILES:
        target = os.path.join(folder, "again.log")
        shutil.rmtree(target, ignore_errors=True)
        subprocess.run([bench, "rewrite", log, target, "--profile", profile], check=True)
        results.append((f"bandolier {profile}", folder_size(target), ""))
    for codec in CODECS:
        results.append((f"parquet {codec}", *parquet[codec]))
    results.append(("jsonl", os.path.getsize(lines_path), ""))
    for form, size, note in results:
        output.append([name, events, form, note, size, round(size / events, 3), round(size / zstd, 3)])


def run(bandolier, bench, target, events):
    """Compares and writes the CSV; `events` of them are made up, others come from files where these are there."""
    output = []
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "storefront.log")
        subprocess.run([bandolier, "generate", "storefront", "--events", str(events), "--seed", "1",
                        "--log", log], check=True)
        compare("storefront", log, bandolier, bench, folder, output)
        data = os.environ.get("BANDOLIER_DATASETS", "../shared/datasets")
        for policy in ["random", "bts"]:
            path = os.path.join(data, "obd", policy, "men.csv.gz")
            if not os.path.exists(path):
                print(f"skipped the Open Bandit log {policy}/men: there is no {path}", file=sys.stderr)
                continue
            for items in [[], ["--items", os.path.join(data, "obd", policy, "item_context.csv")]]:
                name = f"open bandit {policy}/men" + (" with items" if items else "")
                log = os.path.join(folder, name.replace("/", "-") + ".log")
                subprocess.run([bandolier, "import", path, "--log", log, *items], check=True)
                compare(name, log, bandolier, bench, folder, output)
    heading = ["log", "events", "form", "objects_as", "bytes", "bytes_per_event", "ratio_to_parquet_zstd"]
    write_table(heading, output, target)
    print(f"pyarrow {pa.__version__}; events of generate storefront: {events}, seed 1; wrote {target}")

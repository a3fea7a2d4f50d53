"""Measures how fast Python gets a table of the events of a log, and of the same events as JSON Lines.

Each reader runs three times, in a process of its own. Run it with the Python of `make python`:

    .build/python-venv/bin/python Sources/Benchmarks/peers/python_events.py --events 1000000
"""

import argparse
import os
import subprocess
import sys
import tempfile

from bandolier import Log, find_executable, run

READERS = {
    "Log.events()": "count = len(bandolier.Log('events.log').events())",
    "Log.batches()": "count = sum(batch.num_rows for batch in bandolier.Log('events.log').batches())",
    "Log.events().to_pandas()": "count = len(bandolier.Log('events.log').events().to_pandas())",
    "duckdb read_json to Arrow": "count = duckdb.sql(\"SELECT * FROM read_json('events.jsonl', "
    "format='newline_delimited', maximum_depth=2)\").to_arrow_table().num_rows",
    "polars.read_ndjson": "count = polars.read_ndjson('events.jsonl', infer_schema_length=None).height",
    "pandas.read_json": "count = len(pandas.read_json('events.jsonl', lines=True))",
}
PROGRAM = """
import resource, time
import bandolier, duckdb, pandas, polars
def seconds():
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
before, start = seconds(), time.monotonic()
{reader}
print()
print(count, time.monotonic() - start, seconds() - before)
"""


def measured(reader, folder, count):
    """Returns the seconds on the clock and the seconds of the processor that a reader takes."""
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(reader=reader)], cwd=folder, check=True, capture_output=True, text=True)
    read, clock, processor = result.stdout.splitlines()[-1].split()
    assert int(read) == count, f"{reader} read {read} events"
    return float(clock), float(processor)


def main():
    """Writes a row of CSV for each reader."""
    parser = argparse.ArgumentParser(description="Measures readers of events in Python.")
    parser.add_argument("--events", type=int, default=1_000_000)
    count = parser.parse_args().events
    os.environ["BANDOLIER"] = find_executable()
    with tempfile.TemporaryDirectory() as folder:
        log = Log(os.path.join(folder, "events.log"))
        run("generate", "storefront", events=count, seed=3, log=log)
        run("export", log, output=os.path.join(folder, "events.jsonl"))
        print("reader,seconds_min,seconds_max,processor_seconds_min,processor_seconds_max")
        for name, reader in READERS.items():
            clock, processor = zip(*(measured(reader, folder, count) for _ in range(3)))
            figures = [min(clock), max(clock), min(processor), max(processor)]
            print(",".join([name, *(f"{figure:.2f}" for figure in figures)]), flush=True)


if __name__ == "__main__":
    main()

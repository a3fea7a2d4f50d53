"""The engines that are compared with Bandolier: how each stores the events, and the forms of the question to it.

    engines.py RESULT prepare ENGINE STORAGE PARQUET FOLDER
    engines.py RESULT ask ENGINE STORAGE FOLDER FORM RUNS

writes what came out to the file RESULT as JSON. An answer has rows of experiment, variant, measure, value.
"""

import json
import sys
import time

from chdb_engine import ChDB
from duckdb_engine import DuckDB
from polars_engine import Polars

ENGINES = {"duckdb": DuckDB, "polars": Polars, "chdb": ChDB}
# After so many seconds the question is not asked again.
ENOUGH_SECONDS = 20


def rows(answer):
    """An answer in rows: one for each measure."""
    for experiment, variant, decisions, credited, rewards in answer:
        yield experiment, variant, "decisions", float(decisions)
        yield experiment, variant, "credited_goals", float(credited or 0)
        yield experiment, variant, "reward_sum", float(rewards or 0)


def peak_mib():
    """The most memory that this process has held, whatever that of its parent is."""
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def ask(engine, storage, folder, form, runs):
    engine.open(storage, folder)
    seconds, processor = [], []
    while len(seconds) < int(runs) and sum(seconds) < ENOUGH_SECONDS:
        start, used = time.perf_counter(), time.process_time()
        answer = engine.ask(form)
        seconds.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
    return {"seconds": seconds, "cpu_seconds": processor, "peak_mib": peak_mib(), "rows": list(rows(answer))}


def main():
    result, task, name, storage, *arguments = sys.argv[1:]
    engine = ENGINES[name]()
    if task == "prepare":
        engine.prepare(storage, *arguments)
        output = {"version": engine.version()}
    else:
        output = ask(engine, storage, *arguments)
    with open(result, "w", encoding="utf-8") as file:
        json.dump(output, file)


if __name__ == "__main__":
    main()

"""The events of a log as a Parquet file from which each engine fills its own storage.

`bandolier-bench columns` writes the columns of a log as plain numbers; names stand for their codes again here, as
dictionaries. A column `turn` is added that no log has: it orders the events by time, among equal times decisions first,
and then by position, because joins to the latest decision take one column to order by. Making it is not timed.
"""

import json
import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 1 << 20
KINDS = ["none", "decision", "goal", "conversion"]
TYPES = {"position": "u8", "kind": "u1", "time": "i8", "unit": "u4", "experiment": "u4", "variant": "u4",
         "goal": "u4", "value": "f8", "propensity": "f8"}
FILES = {"u8": "u64", "u1": "u8", "i8": "i64", "u4": "u32", "f8": "f64"}


def turns(time, kind):
    """Numbers in the order of time, decisions first, then of position: 256 for each microsecond."""
    order = np.lexsort((kind != KINDS.index("decision"), time))
    ordered = time[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    lengths = np.diff(np.r_[starts, len(ordered)])
    ties = np.arange(len(ordered)) - np.repeat(starts, lengths)
    if lengths.max(initial=0) > 256 or (int(time.max()) - int(time.min())) >= 1 << 54:
        raise SystemExit("too many events have the same time, or times are too far apart, to number them")
    result = np.empty(len(time), "i8")
    result[order] = (ordered - ordered[0]) << 8 | ties
    return result


def named(codes, names):
    """Codes as a dictionary column; 0 is no name."""
    indices = pa.array(codes.astype("i4") - 1, mask=codes == 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(names[1:], pa.string()))


def to_parquet(folder, path):
    """Writes the columns in a folder as one Parquet file, in the order of the log. Returns how many events."""
    with open(os.path.join(folder, "names.json"), encoding="utf-8") as file:
        names = {"kind": KINDS, **json.load(file)}
    columns = {name: np.memmap(os.path.join(folder, f"{name}.{FILES[kind]}"), "<" + kind, "r")
               for name, kind in TYPES.items()}
    columns["turn"] = turns(columns["time"], columns["kind"])
    count = len(columns["kind"])
    writer = None
    for start in range(0, count, ROWS):
        arrays = {}
        for name, column in columns.items():
            part = np.asarray(column[start:start + ROWS])
            if name in names:
                arrays[name] = named(part, names[name])
            else:
                arrays[name] = pa.array(part, from_pandas=True)
        rows = pa.table(arrays)
        if writer is None:
            writer = pq.ParquetWriter(path, rows.schema, compression="lz4")
        writer.write_table(rows, row_group_size=ROWS)
    writer.close()
    return count

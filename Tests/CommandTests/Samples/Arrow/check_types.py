"""Imports a column of every type of Arrow in every use, as a mapped table and as a table of events: each is the value
that pyarrow has, or an error that names the column; usage: check_types.py FOLDER, with the command in the environment
variable BANDOLIER."""

import concurrent.futures
import datetime
import decimal
import json
import os
import subprocess
import sys

import pyarrow as pa

COMMAND = os.environ["BANDOLIER"]
TIME = "2026-01-05T10:00:00Z"
SECONDS = 1767607200
DAY = datetime.date(2026, 1, 5)
NOON = datetime.datetime(2026, 1, 5, 10)
REFUSED = object()
SKIPPED = object()


class Sample:
    """A type with a value, and what the value is in each use; a use that is not given is refused."""

    def __init__(self, type, value, name=None, **uses):
        (self.type, self.value, self.uses) = (type, value, uses)
        self.name = name or str(type)

    def column(self):
        """The value and a null, as a part of a longer column, so that offsets do not begin at 0."""
        if callable(self.value):
            return self.value()
        return pa.array([self.value, self.value, None], self.type).slice(1)


def number(type, value, text=None, attribute=None, **uses):
    text = text or str(value)
    plain = float(value)
    # Any number is a time, of a unit by its magnitude.
    return Sample(type, value, **{
        "text": text, "number": plain, "attribute": plain if attribute is None else attribute,
        "time": SKIPPED, "items": [text], "shares": [plain], **uses})


def text(type, value, plain):
    return Sample(type, value, text=plain, attribute=plain, items=[plain])


def instant(type, value, plain):
    return Sample(type, value, text=plain, attribute=plain, time=plain, items=[plain])


def samples():
    for bits in ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]:
        yield number(getattr(pa, bits)(), 7)
    yield number(pa.int64(), 2**63 - 1, attribute=2**63 - 1)
    yield number(pa.uint64(), 2**64 - 1, attribute=str(2**64 - 1))
    yield number(pa.int64(), SECONDS, time=TIME)
    yield number(pa.float16(), 0.5)
    yield number(pa.float32(), 0.25)
    yield number(pa.float64(), 2.5)
    yield number(pa.float64(), float(SECONDS), text=str(SECONDS), time=TIME)
    for type in [pa.decimal32(6, 2), pa.decimal64(12, 2), pa.decimal128(20, 2), pa.decimal256(50, 2)]:
        yield number(type, decimal.Decimal("1.50"))
        yield number(type, decimal.Decimal("-0.01"))
    yield number(pa.decimal256(76, 0), decimal.Decimal(10**75 + 1), attribute=str(10**75 + 1))
    yield number(pa.decimal128(38, 0), decimal.Decimal(2**53 + 1), attribute=2**53 + 1)
    yield number(pa.decimal256(60, 0), decimal.Decimal(SECONDS), time=TIME)
    yield Sample(pa.bool_(), True, text="true", attribute=True, flag=True, items=["true"])
    for type in [pa.string(), pa.large_string(), pa.string_view()]:
        yield text(type, "A text that is longer than twelve bytes", "A text that is longer than twelve bytes")
        yield text(type, "é", "é")
        yield instant(type, TIME, TIME)
    for type in [pa.binary(), pa.large_binary(), pa.binary_view(), pa.binary(3)]:
        yield text(type, b"abc", "abc")
        yield Sample(type, b"\xff\xfe\xfd", name=f"{type} that is not UTF-8")
    day = "2026-01-05T00:00:00Z"
    yield Sample(pa.date32(), DAY, text="2026-01-05", attribute="2026-01-05", time=day, items=["2026-01-05"])
    yield instant(pa.date64(), DAY, day)
    for unit in ["s", "ms", "us", "ns"]:
        yield instant(pa.timestamp(unit), NOON, TIME)
        yield instant(pa.timestamp(unit, "UTC"), NOON, TIME)
        yield instant(pa.timestamp(unit, "Europe/Berlin"), NOON, TIME)
        yield Sample(pa.duration(unit), 5, number=5, attribute=5, shares=[5])
    for type in [pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")]:
        yield text(type, datetime.time(13, 5), "13:05:00")
    yield Sample(pa.null(), lambda: pa.nulls(2), absent=True)
    yield Sample(pa.month_day_nano_interval(), pa.MonthDayNano([1, 2, 3]))
    for of in [pa.list_, pa.large_list, lambda type: pa.list_(type, 2)]:
        yield Sample(of(pa.string()), ["A", "B"], texts=["A", "B"], attribute='["A","B"]')
        yield Sample(of(pa.float64()), [0.25, 0.75], texts=["0.25", "0.75"], numbers=[0.25, 0.75],
                     attribute="[0.25,0.75]")
        yield Sample(of(pa.int8()), [1, 0], texts=["1", "0"], numbers=[1, 0], attribute="[1,0]")
        yield Sample(of(pa.decimal256(40, 1)), [decimal.Decimal("0.5")] * 2, texts=["0.5", "0.5"], numbers=[0.5, 0.5],
                     attribute="[0.5,0.5]")
    yield Sample(pa.list_(pa.float64()), [], texts=[], numbers=[], attribute="[]", name="an empty list")
    yield Sample(pa.list_view(pa.string()), ["A", "B"])
    yield Sample(pa.large_list_view(pa.string()), ["A", "B"])
    members = {"context": {"a": 1.0}, "attribute": '{"a":1}', "flat": {"x.a": 1.0}}
    yield Sample(pa.struct([("a", pa.float64()), ("b", pa.string())]), {"a": 1.0, "b": None}, **members)
    yield Sample(pa.map_(pa.string(), pa.float64()), [("a", 1.0)], **members)
    yield Sample(pa.struct([("a", pa.list_(pa.int8()))]), {"a": [1]}, attribute='{"a":[1]}', flat={"x.a": "[1]"})
    dictionary = pa.DictionaryArray.from_arrays
    yield Sample(None, lambda: dictionary(pa.array([1, None]), pa.array(["no", "A"])), name="dictionary of strings",
                 text="A", attribute="A", items=["A"])
    yield Sample(None, lambda: dictionary(pa.array([1, 2]), pa.array(["no", "A", None])), name="dictionary with a null",
                 text="A", attribute="A", items=["A"])
    yield Sample(None, lambda: dictionary(pa.array([1, None], pa.uint8()), pa.array([0.5, 2.5])), text="2.5",
                 number=2.5, attribute=2.5, shares=[2.5], items=["2.5"], time=SKIPPED, name="dictionary of numbers")
    yield Sample(None, lambda: dictionary(pa.array([1, None]), pa.array([0, SECONDS], pa.timestamp("s"))), text=TIME,
                 attribute=TIME, time=TIME, items=[TIME], name="dictionary of timestamps")
    yield Sample(None, lambda: dictionary(pa.array([1, None]), pa.array([False, True])), text="true", attribute=True,
                 flag=True, items=["true"], name="dictionary of truth values")
    yield Sample(None, lambda: dictionary(pa.array([1, None]), pa.array([["no"], ["A", "B"]])), texts=["A", "B"],
                 attribute='["A","B"]', name="dictionary of lists")
    yield Sample(pa.list_(pa.dictionary(pa.int8(), pa.string())), ["A", "B"], texts=["A", "B"], attribute='["A","B"]')
    yield Sample(None, lambda: pa.RunEndEncodedArray.from_arrays(pa.array([1, 2], pa.int32()), pa.array(["A", None])),
                 name="run_end_encoded")
    yield Sample(None, lambda: pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array(["A", "B"]),
                                                                                       pa.array([1, 2])]), name="union")


def is_text(sample):
    """Whether the column is a text, which a mapped column may also be that is a number, a flag or a list."""
    kind = sample.column().type
    return any(check(kind) for check in [
        pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_binary,
        pa.types.is_large_binary, pa.types.is_binary_view, pa.types.is_fixed_size_binary,
    ]) or (pa.types.is_dictionary(kind) and pa.types.is_string(kind.value_type))


def wrapped(column):
    """A list around each value; null where it is null."""
    return pa.ListArray.from_arrays(pa.array([0, 1, 1], pa.int32()), column)


# The use, its mapping, the kind and column of a table of events, and the field of the event.
USES = {
    "text": (["variant=x"], ("decision", "variant"), ["variant"]),
    "number": (["goal:=g", "revenue=x"], ("conversion", "revenue"), ["revenue"]),
    "time": (["goal:=g", "time=x"], ("conversion", "time"), ["time"]),
    "flag": (["goal:=g", "revenue:=1", "negative=x"], ("conversion", "negative"), ["negative"]),
    "texts": (["variant:=A", "choices=x"], ("decision", "choices"), ["choices"]),
    "numbers": (["variant:=A", "probabilities=x"], ("decision", "probabilities"), ["probabilities"]),
    "items": (["variant:=A", "choices=x"], ("decision", "choices"), ["choices"]),
    "shares": (["variant:=A", "probabilities=x"], ("decision", "probabilities"), ["probabilities"]),
    "attribute": (["variant:=A", "context.a=x"], ("decision", "context.a"), ["context", "a"]),
    "flat": (["variant:=A", "context.*=*"], None, ["context"]),
    "context": (None, ("decision", "context"), ["context"]),
}


def write(path, columns):
    table = pa.table(columns)
    with pa.ipc.new_stream(path, table.schema) as stream:
        stream.write_table(table)


def run(path, mapping):
    arguments = ["import", path, "--dry-run"]
    for entry in mapping:
        arguments += ["--map", entry]
    done = subprocess.run([COMMAND, *arguments], capture_output=True)
    lines = [line for line in done.stdout.decode().splitlines() if line.startswith("{")]
    return [json.loads(line) for line in lines], done.returncode, done.stderr.decode()


def found(event, place):
    for name in place:
        event = (event or {}).get(name)
    return event


def wanted(sample, use, is_mapped):
    """The value of the first row, or what becomes of the column."""
    nested = "texts" in sample.uses or "context" in sample.uses or "flat" in sample.uses
    if sample.uses.get("absent") or is_mapped and is_text(sample) and use in [
            "texts", "numbers", "number", "flag", "shares"]:
        # A text is read as the field has it in CSV.
        return SKIPPED
    if use in ["items", "shares"] and nested or use == "attribute" and nested and not is_mapped:
        return REFUSED
    if use == "flat" and "attribute" in sample.uses:
        return sample.uses.get("flat", {"x": sample.uses["attribute"]})
    return sample.uses.get(use, REFUSED)


def check(folder, index, sample, use):
    mapping, native, place = USES[use]
    problems = []
    for is_mapped in [True, False]:
        if (mapping if is_mapped else native) is None:
            continue
        column = sample.column()
        if use in ["items", "shares"]:
            column = wrapped(column)
        want = wanted(sample, use, is_mapped)
        path = f"{folder}/{index}-{use}-{is_mapped}.arrows"
        times = pa.array([NOON, NOON], pa.timestamp("us", "UTC"))
        if is_mapped:
            columns = {"ts": times, "user": ["u0", "u1"], "x": column}
            entries = ([] if use == "time" else ["time=ts"]) + ["unit=user", "experiment:=e"] + mapping
        else:
            kind, name = native
            columns = {"type": [kind] * 2, "time": times, "unit": ["u0", "u1"]}
            columns |= {"experiment": ["e"] * 2, "variant": ["A"] * 2} if kind == "decision" else {"goal": ["g"] * 2}
            columns[name] = column
            entries = []
        write(path, columns)
        events, code, errors = run(path, entries)
        what = f"{sample.name} as {use}, {'mapped' if is_mapped else 'of events'}"
        got = found(events[0], place) if events else None
        if want is SKIPPED:
            if sample.uses.get("absent") and use != "time" and got not in [None, []]:
                problems.append(f"{what}: {got} of nulls")
        elif want is REFUSED:
            names = ["x", *place, ".".join(place)]
            if got is not None:
                problems.append(f"{what}: not refused: {events}")
            elif code == 0:
                problems.append(f"{what}: left out: {errors}")
            elif not any(name in errors for name in names[1:] + ['"x"']):
                problems.append(f"{what}: the column is not named: {errors}")
        elif got != want:
            problems.append(f"{what}: {got} and not {want}: {errors}")
    return problems


def main(folder):
    os.mkdir(folder)
    cases = [(folder, index, sample, use) for index, sample in enumerate(samples()) for use in USES]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        problems = [line for lines in pool.map(lambda case: check(*case), cases) for line in lines]
    if problems:
        sys.exit("\n".join(problems))
    print(len(cases))


main(*sys.argv[1:])

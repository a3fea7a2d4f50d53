"""The types of the package, as mypy sees them from a script."""

import re

import pytest

SCRIPT = '''
import datetime
from pathlib import Path
from typing import Any, Optional

import bandolier
from bandolier import Log, Report, evaluate, learn, report, report_all, run, simulate, write_partial

log = Log(Path("shop.log"), progress=print)
compared: Report = report(
    "compare", log, experiment=["pricing"], metric="reward", window=datetime.timedelta(days=1), alpha=0.1, once=True)
rows: int = len(compared)
first: dict[str, Any] = compared[0]
names: list[str] = compared.keys + list(compared.descriptions)
for row in compared:
    print(row["lift"], "lift" in compared, compared["lift"], compared[["lift", "units"]], compared[:3])
print(compared.to_pandas().shape, compared.to_polars().shape, compared.plot("lift", x="day"), compared.notes["method"])
for value in (evaluate(log, ["uniform"]), learn(log, "tabular"), simulate({"runs": 3}), simulate(Path("plan.yaml"))):
    print(value.answer, log.report(value.name, analysis={"experiments": {}}))
try:
    log.report("health", fail_on="crossed")
except bandolier.CheckFailed as error:
    failed: Optional[Report] = error.report
    print(failed["check"] if failed else error.exit_code)
log.import_files("a.csv", map={"experiment": "=checkout"})
appended: Optional[int] = log.append([{"type": "goal"}]).position
messages: list[str] = report_all(log, Path("out"), force=True) + write_partial("rewards", None, "x", merge=["y"])
text: str = run("log info", log, progress=True) + bandolier.__version__ + bandolier.find_executable()
with log.batches("goal") as batches:
    print(sum(batch.num_rows for batch in batches))
'''

MISTAKES = [
    "report('compare', log, expriment='pricing')", "report('compares', log)", "report('compare', log).to_panda()",
    "compared[1.5]", "Log(3)", "print(log.info().events)"]


def test_mypy_accepts_a_script_and_finds_each_mistake(tmp_path, monkeypatch):
    api = pytest.importorskip("mypy.api")
    (tmp_path / "script.py").write_text(SCRIPT + "\n".join(MISTAKES) + "\n")
    monkeypatch.chdir(tmp_path)
    output = api.run(["--strict", "--hide-error-context", "script.py"])[0]
    lines = (SCRIPT + "\n".join(MISTAKES)).splitlines()
    found = {lines[int(number) - 1] for number in re.findall(r"^script.py:(\d+): error", output, re.MULTILINE)}
    assert found == set(MISTAKES), output[:2_000]

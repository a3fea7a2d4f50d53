"""The package is built from the checkout, without a network, and leaves nothing behind."""

import pathlib
import subprocess
import sys
import zipfile

import pytest

SOURCES = pathlib.Path("Sources/Python")


def test_a_wheel_has_all_modules_and_the_mark_of_types(tmp_path):
    pytest.importorskip("flit_core")
    before = sorted(SOURCES.rglob("*"))
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-index", "--no-build-isolation", "-w"]
    subprocess.run([*command, tmp_path, f"./{SOURCES}"], check=True)
    assert sorted(SOURCES.rglob("*")) == before
    [wheel] = tmp_path.glob("bandolier-*-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        [metadata] = [archive.read(name).decode() for name in names if name.endswith("/METADATA")]
    modules = {str(path.relative_to(SOURCES)) for path in SOURCES.glob("bandolier/**/*.py*") if path.suffix != ".pyc"}
    assert modules | {"bandolier/py.typed"} <= names
    required = [line for line in metadata.splitlines() if line.startswith("Requires-Dist") and "extra" not in line]
    assert [line.split()[1].split(">")[0] for line in required] == ["pyarrow"]
    assert "Requires-Python: >=3.9" in metadata


def test_the_version_is_that_of_the_command():
    import bandolier

    assert bandolier.run("--version").strip() == bandolier.__version__
    assert f'version = "{bandolier.__version__}"' in (SOURCES / "pyproject.toml").read_text()


def test_importing_the_package_imports_nothing_but_arrow_and_what_python_has():
    code = "import sys, bandolier; print(*{name.split('.')[0] for name in sys.modules})"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(result.stdout.split())
    assert not loaded & {"pandas", "polars", "duckdb", "pyspark", "matplotlib"}

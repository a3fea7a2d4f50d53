"""The example notebook is small, has no outputs, and runs."""

import pathlib

import pytest

FOLDER = pathlib.Path("notebooks-out/example")


@pytest.fixture
def notebook():
    nbformat = pytest.importorskip("nbformat")
    return nbformat.read(FOLDER / "storefront.ipynb", as_version=4)


def test_it_is_valid_and_has_no_outputs(notebook):
    import nbformat

    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(code) > 5
    assert not any(cell.outputs or cell.execution_count for cell in code)
    assert (FOLDER / "storefront.ipynb").stat().st_size < 10_000


@pytest.mark.long
def test_every_cell_runs_and_shows_tables_and_plots(notebook):
    nbclient = pytest.importorskip("nbclient")
    before = set(FOLDER.iterdir())
    nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    kinds = [kind for output in outputs if "data" in output for kind in output.data]
    assert kinds.count("image/png") == 2
    assert kinds.count("text/html") >= 4
    assert set(FOLDER.iterdir()) == before

"""Validates the notebook of a report folder, runs it, and expects that every cell of code succeeds and that pictures
are drawn.

    run_notebook.py FOLDER
"""

import pathlib
import sys

import nbclient
import nbformat

folder = pathlib.Path(sys.argv[1])
notebook = nbformat.read(folder / "report.ipynb", as_version=nbformat.NO_CONVERT)
nbformat.validate(notebook)
assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
code = [cell for cell in notebook.cells if cell.cell_type == "code"]
assert sum("parameters" in cell.metadata.get("tags", []) for cell in code) == 1
assert any("text/html" in output.data for cell in code for output in cell.outputs)
nbclient.NotebookClient(
    notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
nbformat.validate(notebook)
outputs = [output for cell in code for output in cell.outputs]
assert not [output for output in outputs if output.output_type == "error"]
kinds = [kind for output in outputs if "data" in output for kind in output.data]
print(f"{len(code)} cells, {kinds.count('text/html')} tables, {kinds.count('image/svg+xml')} pictures")
assert "image/svg+xml" in kinds and "text/html" in kinds

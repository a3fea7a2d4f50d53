"""Reports as cards, in a terminal and in a notebook."""

import pyarrow as pa
import pytest

from bandolier import Report, report


def test_it_prints_its_answer_its_rows_and_its_notes(storefront):
    compared = report("compare", storefront, experiment="pricing")
    assert all(sentence in str(compared) for sentence in compared.answer)
    assert "discount-10" in str(compared) and "method: welch" in str(compared)
    series = report("series", storefront)
    assert f"... {len(series) - 60} more rows and " in str(series)
    rows = str(series).splitlines()[len(series.answer):][:60]
    assert max(map(len, rows)) <= 100
    assert f"... {len(series) - 60} more rows" in series._repr_html_()


def test_it_shows_its_answer_first_and_folds_what_is_not_main(storefront):
    compared = report("compare", storefront, experiment="pricing", metric=["reward", "revenue"])
    html = compared._repr_html_()
    shown, folded = html.split("<details>", 1)
    assert shown.startswith(f"<p><strong>{compared.answer[0]}</strong></p>")
    assert "<th title=\"variant over baseline less 1\">lift</th>" in shown and "srm_p_value" not in shown
    assert "point-1" not in html and "<dt>srm_p_value</dt><dd>" in folded and "<dd>welch</dd>" in folded
    assert "point-1" not in str(compared)
    homepage = report("compare", storefront, experiment="homepage")
    assert "landing" in str(homepage) and "landing" in homepage._repr_html_()


def test_what_is_shown_of_a_large_report_is_small():
    count = 1_000
    large = Report(
        "rewards", ("a sentence",) * count, {"experiments": "x" * count},
        pa.table({f"column-{number}": ["x" * 1_000] * count for number in range(50)}))
    assert len(repr(large)) < 50_000 and len(large._repr_html_()) < 1_000_000
    assert "... 980 more sentences" in str(large)


def test_names_cannot_move_the_cursor_of_a_terminal_or_leave_their_cell(empty_log):
    name = "a\x1b[2Jb\nc\u202ed"
    empty_log.append([{"type": "decision", "time": 1767323161, "unit": "u", "experiment": name, "variant": name}])
    rewards = report("rewards", empty_log)
    for text in (str(rewards), rewards._repr_html_()):
        assert r"a\x1b[2Jb\nc\u202ed" in text
        assert not {"\x1b", "\u202e"} & set(text)


@pytest.mark.long
def test_a_notebook_shows_cards_and_plots(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    cells = ["from bandolier import report", "compared = report('compare', 'datasets/storefront.log')", "compared",
             "compared.plot();"]
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    kinds = [set(output.data) for cell in notebook.cells for output in cell.outputs]
    assert kinds == [{"text/plain", "text/html"}, {"text/plain", "image/png"}]

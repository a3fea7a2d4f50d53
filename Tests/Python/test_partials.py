"""Reports of the parts of a log are those of the whole log."""

import pytest

import bandolier
from bandolier import Log, report, run, write_partial


@pytest.fixture
def parts(storefront, tmp_path):
    """Returns the logs of three shards."""
    run("log split", storefront, into=3, output=tmp_path / "part")
    return [Log(tmp_path / f"part-{number}") for number in range(3)]


@pytest.mark.parametrize("name, options", [("rewards", {"by": "context.device"}), ("conversions", {}), ("series", {})])
def test_partials_make_the_report_of_the_whole_log(storefront, parts, tmp_path, name, options):
    files = [tmp_path / f"{number}.partial" for number in range(3)]
    for number, (log, file) in enumerate(zip(parts, files), start=1):
        assert "wrote" in write_partial(name, log, file, shard=f"{number}/3", **options)[0]
    merged = report(name, merge=files, **options)
    whole = report(name, storefront, **options)
    assert merged.table.equals(whole.table, check_metadata=True)
    assert merged.answer == whole.answer
    write_partial(name, None, tmp_path / "larger.partial", merge=files[:2], **options)
    assert report(name, merge=[tmp_path / "larger.partial", files[2]], **options).table.equals(whole.table)


def test_a_missing_shard_is_an_error(parts, tmp_path):
    write_partial("rewards", parts[0], tmp_path / "0.partial", shard="1/3")
    with pytest.raises(bandolier.BadDataError, match="2"):
        report("rewards", merge=tmp_path / "0.partial")


def test_report_points_to_the_function_for_partials(storefront):
    with pytest.raises(TypeError, match="write_partial"):
        report("rewards", storefront, partial="x")

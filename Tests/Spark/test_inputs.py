"""Files that overlap, are empty or are invalid give on a cluster what they give on one machine."""

import gzip

import pytest

import bandolier
import bandolier.spark


@pytest.fixture
def lines(events):
    return [gzip.open(events / f"part-{number}.jsonl.gz", "rt").readlines() for number in range(3)]


def write(folder, **files):
    folder.mkdir(exist_ok=True)
    for name, lines in files.items():
        (folder / f"{name}.jsonl").write_text("".join(lines))
    return sorted(folder.iterdir())


def expect_same(spark, files, one_machine, executable, *report):
    name, *options = report or ["rewards"]
    made = bandolier.spark.report_output(
        spark, [name, *options], [str(file) for file in files], shards=3, executable=executable)
    assert made == one_machine.report(name, files, *options)


@pytest.mark.parametrize("name", ["rewards", "conversions", "health"])
def test_a_file_given_twice_counts_once(spark, events, one_machine, executable, name):
    files = [events / "part-1.jsonl.gz", events / "part-1.jsonl.gz", events / "part-2.jsonl.gz"]
    expect_same(spark, files, one_machine, executable, name)


def test_a_copy_of_a_file_counts_once(spark, lines, one_machine, executable, tmp_path):
    expect_same(spark, write(tmp_path / "in", a=lines[0], b=lines[0]), one_machine, executable)


def test_events_that_files_share_count_once(spark, lines, one_machine, executable, tmp_path):
    files = write(tmp_path / "in", a=lines[0], b=lines[0][1000:] + lines[1], c=lines[1][::2] + lines[2])
    expect_same(spark, files, one_machine, executable)
    expect_same(spark, files, one_machine, executable, "health")


def test_equal_lines_of_one_file_are_events_of_their_own(spark, lines, one_machine, executable, tmp_path):
    files = write(tmp_path / "in", a=lines[0] + lines[0][:500], b=lines[0][:700] * 2)
    expect_same(spark, files, one_machine, executable)


def test_an_empty_file_adds_nothing(spark, lines, one_machine, executable, tmp_path):
    expect_same(spark, write(tmp_path / "in", a=[], b=lines[0], c=[]), one_machine, executable)


def test_a_bad_line_is_refused_as_on_one_machine(spark, lines, one_machine, executable, tmp_path):
    bad = lines[1][:4] + ['{"type":"goal","time":"x"}\n'] + lines[1][4:]
    files = write(tmp_path / "in", a=lines[0], b=bad, c=["nonsense\n"])
    code, message = one_machine.refusal(files)
    with pytest.raises(bandolier.BadDataError) as refused:
        bandolier.spark.report_output(
            spark, ["rewards"], [str(file) for file in files], shards=3, executable=executable)
    assert refused.value.exit_code == code == 65
    assert str(refused.value).splitlines()[-1] == message
    assert f"{files[1]}: line 5" in message


def test_bad_lines_are_skipped_as_on_one_machine(spark, lines, one_machine, executable, tmp_path, capfd):
    files = write(tmp_path / "in", a=lines[0], b=[lines[1][0], "nonsense\n", *lines[1][1:]])
    log = one_machine.log(files, "--on-error", "skip")
    made = bandolier.spark.report_output(
        spark, ["rewards"], [str(file) for file in files], shards=3, executable=executable,
        import_options=["--on-error", "skip"])
    assert made == one_machine.run("report", "rewards", log).stdout
    assert "rejected 1" in capfd.readouterr().err


@pytest.mark.parametrize("arguments, code", [(["nosuch"], 64), (["rewards", "--nosuch"], 64)])
def test_a_wrong_option_is_refused_with_the_message_of_the_command(spark, events, executable, arguments, code):
    with pytest.raises(bandolier.UsageError, match="nosuch") as refused:
        bandolier.spark.report_output(
            spark, arguments, str(events / "part-0.jsonl.gz"), shards=2, executable=executable)
    assert refused.value.exit_code == code


def test_a_missing_file_is_refused(spark, executable, tmp_path):
    with pytest.raises(bandolier.MissingInputError, match="no such file") as refused:
        bandolier.spark.report_output(spark, ["rewards"], str(tmp_path / "nothing"), executable=executable)
    assert refused.value.exit_code == 66


@pytest.mark.parametrize("option", ["-o", "--output=x", "--partial", "--shard=1/2", "--merge"])
def test_options_that_a_cluster_sets_itself_are_refused(spark, executable, option):
    with pytest.raises(bandolier.UsageError, match="sets this option itself"):
        bandolier.spark.report_output(spark, ["rewards", option], "events", executable=executable)


def test_options_of_an_import_that_a_cluster_sets_itself_are_refused(spark, events, executable):
    with pytest.raises(bandolier.UsageError, match="an import on a cluster sets this option itself"):
        bandolier.spark.report_output(
            spark, ["rewards"], str(events), import_options=["--rejects=x.csv"], executable=executable)

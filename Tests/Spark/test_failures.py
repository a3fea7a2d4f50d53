"""What a cluster gives stays the same when workers, tasks and drivers die, and nothing is left of them."""

import os
import signal
import subprocess
import sys
import threading

import pytest

import bandolier.spark
from localcluster import SPARK_HOME, children, session_settings
from support import Sessions, expect_nothing_left, scratch_folders, wait_until

HOST = "127.0.0.2"
SIMULATION = [
    "-e", "bernoulli:means=0.1;0.5;0.6", "-e", "clipped-gaussian:means=0.3;0.7", "-p", "thompson", "-p", "ucb1", "-p",
    "epsilon-greedy:epsilon=0.1", "--horizon", "500", "--runs", "24"]


class Background(threading.Thread):
    """Runs a function in a thread, and gives what it returned or raised."""

    def __init__(self, function):
        super().__init__()
        self.function = function
        self.outcome = None
        self.start()

    def run(self):
        try:
            self.outcome = self.function(), None
        except BaseException as error:
            self.outcome = None, error

    def result(self, seconds=240):
        self.join(seconds)
        assert self.outcome is not None, f"not done after {seconds} s"
        result, error = self.outcome
        if error is not None:
            raise error
        return result


def killed_in(cluster, stage, function):
    """Returns what a function gives while a worker and its executor are killed with signal 9 in a stage."""
    running = Background(function)
    try:
        wait_until(
            lambda: scratch_folders(cluster.local_folder(HOST), [stage]) or not running.is_alive(), 120, "no task")
        assert running.is_alive() or running.result() is None, f"{stage} was over before a worker could be killed"
        cluster.kill_worker(HOST)
        return running.result()
    finally:
        if HOST not in cluster.workers:
            cluster.start_worker(HOST)


@pytest.mark.parametrize("stage", [pytest.param("map", marks=pytest.mark.short), "reduce", "partial"])
def test_a_report_stays_the_same_when_a_worker_and_its_executor_are_killed(
    cluster, spark, events, one_machine, slowed, root, stage
):
    # Slow stages spread over both workers.
    for slow in ("map", "reduce", "partial"):
        slowed.wait_in_each(slow)
    made = killed_in(cluster, stage, lambda: bandolier.spark.report_output(
        spark, ["rewards"], str(events), shards=4, executable=slowed.path))
    assert made == one_machine.report("rewards", sorted(events.iterdir()))
    expect_nothing_left(root)


def test_a_simulation_of_two_environments_and_three_policies_is_that_of_one_machine(
    spark, one_machine, executable, root
):
    made = bandolier.spark.simulation_output(spark, SIMULATION, shards=5, executable=executable)
    assert made == simulated(one_machine)
    expect_nothing_left(root)


def test_a_simulation_stays_the_same_when_a_worker_and_its_executor_are_killed(
    cluster, spark, one_machine, slowed, root
):
    slowed.wait_in_each("simulate")
    made = killed_in(cluster, "simulate", lambda: bandolier.spark.simulation_output(
        spark, SIMULATION, shards=5, executable=slowed.path))
    assert made == simulated(one_machine)
    expect_nothing_left(root)


@pytest.mark.parametrize("stage", ["map", "reduce"])
def test_a_slow_task_is_run_twice_with_speculation_and_its_loser_leaves_nothing(
    cluster, events, one_machine, slowed, root, stage
):
    slowed.hang_once_in(stage)
    spark = Sessions.of(cluster, **{
        "spark.speculation": "true", "spark.speculation.interval": "200ms", "spark.speculation.multiplier": "1.5",
        "spark.speculation.quantile": "0.5", "spark.speculation.minTaskRuntime": "500ms"})
    made = bandolier.spark.report_output(spark, ["rewards"], str(events), shards=4, executable=slowed.path)
    assert slowed.has_hung_in(stage)
    assert made == one_machine.report("rewards", sorted(events.iterdir()))
    expect_nothing_left(root)


def test_a_driver_that_was_killed_goes_on_where_it_was(cluster, events, one_machine, slowed, executable, root):
    Sessions.stop()
    keep = root / "keep"
    slowed.wait_in_each("reduce")
    arguments = ["report", "rewards", str(events), "--shards", "6", "--keep", str(keep), "--executable", slowed.path]
    (root / "driver").mkdir()
    driver = started_driver(cluster, arguments, folder=root / "driver")
    wait_until(lambda: len(list(keep.glob("shards/*.log"))) >= 2 or driver.poll() is not None, 180, "no shard")
    assert driver.poll() is None
    machine = [pid for pid in children(driver.pid) if "java" in open(f"/proc/{pid}/comm").read()]
    assert len(machine) == 1
    for pid in [*machine, driver.pid]:
        os.kill(pid, signal.SIGKILL)
    driver.wait()
    there = {path.name: path.stat().st_ino for path in keep.glob("shards/*.log")}
    assert 2 <= len(there) < 6
    expect_nothing_left(root)
    assert scratch_folders(root / "driver", ["ship"]) == []
    made = bandolier.spark.report_output(
        Sessions.of(cluster), ["rewards"], str(events), shards=6, keep=str(keep), executable=executable)
    assert made == one_machine.report("rewards", sorted(events.iterdir()))
    again = {path.name: path.stat().st_ino for path in keep.glob("shards/*.log")}
    assert len(again) == 6 and there.items() <= again.items()
    expect_nothing_left(root)


@pytest.mark.parametrize("how", ["module", "spark-submit"])
def test_the_command_line_writes_what_one_machine_prints(cluster, events, one_machine, executable, tmp_path, how):
    Sessions.stop()
    target = tmp_path / "rewards.json"
    arguments = ["report", "rewards", str(events), "--shards", "2", "-o", str(target), "--", "--format", "json"]
    driver = started_driver(cluster, arguments, how, executable)
    assert driver.wait(240) == 0
    assert target.read_bytes() == one_machine.report("rewards", sorted(events.iterdir()), "--format", "json")


def simulated(one_machine):
    done = one_machine.run("simulate", *SIMULATION)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def started_driver(cluster, arguments, how="module", executable=None, folder=None):
    """Starts the command line of `bandolier.spark` as a process of its own, with a folder for its temporary files."""
    settings = [word for key, value in session_settings(cluster).items() for word in ("--conf", f"{key}={value}")]
    package = os.path.dirname(os.path.abspath(bandolier.spark.__file__))
    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(package)))
    if executable:
        environment["BANDOLIER"] = executable
    if folder:
        environment["TMPDIR"] = str(folder)
    if how == "module":
        environment["PYSPARK_SUBMIT_ARGS"] = " ".join(f"'{word}'" for word in settings) + " pyspark-shell"
        command = [sys.executable, "-m", "bandolier.spark", *arguments]
    else:
        del environment["PYTHONPATH"]
        submit = os.path.join(SPARK_HOME, "bin", "spark-submit")
        command = [submit, *settings, os.path.join(package, "submit.py"), *arguments]
    return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL)


def test_a_task_that_keeps_failing_ends_in_an_error_with_what_the_command_said(cluster, events, executable, tmp_path):
    command = tmp_path / "bandolier"
    command.write_text(
        '#!/bin/bash\ncase "$TMPDIR" in */bandolier-reduce-*) echo "the disk is full" >&2; exit 74;; esac\n'
        f'exec "{executable}" "$@"\n')
    command.chmod(0o755)
    spark = Sessions.of(cluster)
    with pytest.raises(bandolier.spark.TaskError) as failed:
        bandolier.spark.report_output(spark, ["rewards"], str(events), shards=2, executable=str(command))
    assert str(failed.value).splitlines()[0] == "the disk is full"
    assert "bandolier import" in str(failed.value) and "exit code 74" in str(failed.value)

"""The functions that make reports."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from ._command import Command, Finished, ProgressOption
from ._errors import CheckFailed
from ._executable import Path
from ._report import Report, read_report


def report(
    name: str, log: Union[Path, None] = None, /, *, executable: Optional[Path] = None,
    progress: ProgressOption = None, **options: Any,
) -> Report:
    """Returns a report of a log, or of a database of `bandolier replay`.

    Args:
        name: The name of the report, such as `rewards` or `compare`; `bandolier report --help` lists them.
        log: The folder of the log, or a `bandolier.Log`; none with `merge=[...]`, see `write_partial`.
        executable: The command, if it is not the one that `find_executable` finds.
        progress: `True` shows progress on standard error; a function gets each of its lines.
        options: The options of the report: see `bandolier report NAME --help`. Underscores become dashes; a list
            repeats an option, a mapping gives `KEY=VALUE` for each key, `True` is a flag. In place of a YAML file, such
            as `analysis` or `metrics`, a mapping may stand that has what the file would have.

    Raises:
        UsageError: A name or an option is unknown, or a value is not valid.
        MissingInputError: There is no log.
        BadDataError: The log is damaged, or does not have what the options name.
        CheckFailed: A check named by `fail_on` failed; the error has the report.

    >>> compared = report("compare", "datasets/storefront.log", experiment="pricing", metric=["reward", "revenue"])
    >>> compared.answer[0]
    'Of 2 comparisons, 2 have no difference found.'
    >>> report("rewards", "datasets/storefront.log", expriment="pricing")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    bandolier.UsageError: error: Unknown option '--expriment'. Did you mean '--experiment'?
    ...
    """
    command = Command(executable, progress)
    return table_report(command, ["report", name], [] if log is None else [log], options)


def report_all(
    log: Path, output: Path, /, *, executable: Optional[Path] = None, progress: ProgressOption = None, **options: Any,
) -> list[str]:
    """Writes every report of a log into a folder, as one page, notebook, CSV, SQLite and plots.

    Args:
        log: The folder of the log.
        output: The folder to write. Give `force=True` to replace one that was written before.
        options: The options of `bandolier report all`, as in `report`.

    Returns:
        The messages of the command, among them why reports were left out.
    """
    command = Command(executable, progress)
    return command.run(["report", "all"], [log], {"output": output, **options}).messages


def write_partial(
    name: str, log: Union[Path, None], output: Path, /, *, executable: Optional[Path] = None,
    progress: ProgressOption = None, **options: Any,
) -> list[str]:
    """Writes what a log adds to a report into a file; `report(name, merge=[...])` makes the report of such files.

    Args:
        name: The name of the report.
        log: The folder of the log; `None` with `merge=[...]`, which merges partials into a larger one.
        output: The file to write.
        options: The options of the report, as in `report`; `shard="1/4"` says which part of the units the log has.

    Returns:
        The messages of the command.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     partial = os.path.join(folder, "rewards.partial")
    ...     messages = write_partial("rewards", "datasets/storefront.log", partial, experiment="pricing")
    ...     report("rewards", merge=[partial], experiment="pricing").column("rewards").to_pylist()
    [8, 30]
    """
    command = Command(executable, progress)
    return command.run(["report", name], [] if log is None else [log], {"partial": output, **options}).messages


def evaluate(
    log: Path, /, policy: Union[str, Sequence[str]], *, executable: Optional[Path] = None,
    progress: ProgressOption = None, **options: Any,
) -> Report:
    """Returns what other policies would have earned, estimated from the decisions of a log.

    Args:
        log: The folder of the log.
        policy: A policy or several, such as `uniform` or `fixed:variant=X`.
        options: The options of `bandolier evaluate`, as in `report`.

    >>> values = evaluate("datasets/storefront.log", "uniform", experiment="pricing", estimator=["ips", "dr"])
    >>> values.column("estimator").to_pylist()
    ['dr', 'ips']
    """
    return table_report(Command(executable, progress), ["evaluate"], [log], {"policy": policy, **options})


def learn(
    log: Path, /, policy_class: Union[str, Sequence[str]], *, executable: Optional[Path] = None,
    progress: ProgressOption = None, **options: Any,
) -> Report:
    """Learns a policy from a log, and returns how it does on decisions that were held back.

    Args:
        log: The folder of the log.
        policy_class: A class of policies or several: `tabular`, `softmax-linear` or `tree`.
        options: The options of `bandolier learn`, as in `report`; `output="policy.json"` writes the policy.

    >>> learned = learn("datasets/storefront.log", "tabular", experiment="homepage")
    >>> learned.answer[0].split(",")[0]
    'Chosen: tabular:objective=dr'
    """
    return table_report(Command(executable, progress), ["learn"], [log], {"policy_class": policy_class, **options})


def simulate(
    plan: Union[Path, Mapping[str, Any], None] = None, /, *, executable: Optional[Path] = None,
    progress: ProgressOption = None, **options: Any,
) -> Report:
    """Simulates policies in environments, and returns their regret, or the table that `show` names.

    Args:
        plan: A plan in YAML or as a mapping, unless `environment` and `policy` are given.
        options: The options of `bandolier simulate`, as in `report`.

    >>> ranking = simulate(environment="bernoulli:means=0.1;0.5", policy=["thompson", "ucb1"], horizon=1000, runs=20,
    ...     show="ranking")
    >>> ranking.column("policy").to_pylist()
    ['thompson', 'ucb1']
    """
    command = Command(executable, progress)
    return table_report(command, ["simulate"], [] if plan is None else [plan], options)


def table_report(
    command: Command, verb: Sequence[str], operands: Iterable[Any], options: Mapping[str, Any], *,
    shows_progress: bool = True,
) -> Report:
    """Runs a verb that prints a table, and returns it."""
    for name in ("format", "output", "partial"):
        if name in options and (name, verb[0]) != ("output", "learn"):
            raise TypeError(f"{name!r} is not an option here: the table is returned, and write_partial writes partials")
    try:
        finished = command.run(verb, operands, {**options, "format": "json"}, shows_progress=shows_progress)
    except CheckFailed as error:
        error.report = read_report(Finished(error.output)) if error.output else None
        raise
    return read_report(finished)

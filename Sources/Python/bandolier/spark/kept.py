"""Folders of kept results: what question they belong to, so that results of two questions are never mixed."""

import hashlib
import json
import os

from bandolier.spark.errors import KeptFolderError

_NAME = "question.json"


def write_question(folder, question):
    """Makes a folder for the results of a question; one that is there must be of the same question.

    Raises
    ------
    KeptFolderError
        The folder has results of another question.
    """
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, _NAME)
    if not os.path.exists(path):
        made = f"{path}.{os.getpid()}"
        with open(made, "w", encoding="utf-8") as file:
            json.dump(question, file, ensure_ascii=False, indent=1)
        os.replace(made, path)
    there = read_question(folder)
    for key in question:
        if there.get(key) != json.loads(json.dumps(question[key])):
            raise KeptFolderError(
                f"{folder}: keeps results of another question: {key} differs; give another folder, or remove this one")


def read_question(folder):
    """Returns the question that the results of a folder belong to.

    Raises
    ------
    KeptFolderError
        The folder has none.
    """
    try:
        with open(os.path.join(folder, _NAME), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise KeptFolderError(f"{folder}: not a folder of kept results: {error}") from error


def question_name(question):
    """Returns a name for a folder that depends on a question alone."""
    text = json.dumps(question, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def is_kept(folder):
    """Returns whether a path is a folder of kept shards."""
    return isinstance(folder, (str, os.PathLike)) and os.path.isfile(os.path.join(folder, _NAME))

"""Folders of kept results, and the question that they belong to, so that results of two questions never mix."""

from __future__ import annotations

import hashlib
import json
import os
import re
from typing import Any, Mapping, Sequence

from ._errors import KeptFolderError

_NAME = "question.json"


def claim(folder: str, question: Mapping[str, Any]) -> None:
    """Makes a folder for the results of a question; one that is there must be for the same question.

    Raises:
        KeptFolderError: The folder keeps results of another question.
    """
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, _NAME)
    if not os.path.exists(path):
        made = f"{path}.{os.getpid()}"
        with open(made, "w", encoding="utf-8") as file:
            json.dump(question, file, ensure_ascii=False, indent=1)
        os.replace(made, path)
    there = kept_question(folder)
    for key, value in json.loads(json.dumps(question)).items():
        if there.get(key) != value:
            raise KeptFolderError(
                f"{folder}: keeps results of another question, whose {key} differ: {_cut(there.get(key))} is not "
                f"{_cut(value)}; name another folder, or remove this one")


def _cut(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:200] + "..."


def kept_question(folder: str) -> dict[str, Any]:
    """Returns the question that the results of a folder belong to.

    Raises:
        KeptFolderError: The folder does not say.
    """
    try:
        with open(os.path.join(folder, _NAME), encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise KeptFolderError(f"{folder}: not a folder of kept results: {error}") from error


def question_name(question: Mapping[str, Any]) -> str:
    """Returns a name for the folder of a question, which depends on the question alone."""
    text = json.dumps(question, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def with_files(question: Mapping[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """Returns a question with checksums of the files that its words name: their contents are part of it.

    Files are named by words, by the values of options (`--metrics=FILE`) and by the key `path` of specifications. Plots
    are written and not read.
    """
    named = {part for word in words for part in (word, word.partition("=")[2], *re.findall(r"path=([^,;]+)", word))}
    files = {}
    for path in sorted(named):
        if os.path.isfile(path) and not path.lower().endswith(".svg"):
            with open(path, "rb") as file:
                files[path] = hashlib.sha256(file.read()).hexdigest()
    return {**question, "files": files} if files else dict(question)


def has_shards(path: Any) -> bool:
    """Returns whether a path is that of a folder of kept shards."""
    return isinstance(path, (str, os.PathLike)) and os.path.isfile(os.path.join(path, _NAME))

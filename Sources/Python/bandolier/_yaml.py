"""Mappings as the YAML files that the command reads: analyses, metrics and plans."""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
from typing import Any, Mapping

from ._arguments import is_list, option_text, ordered

# What JSON may have in a text as it is, and YAML only as an escape.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def yaml_file(content: Mapping[str, Any], name: str, files: contextlib.ExitStack) -> str:
    """Writes a mapping into a temporary file that `files` removes, and returns its path."""
    text = yaml_text(content)
    path = os.path.join(files.enter_context(tempfile.TemporaryDirectory(prefix="bandolier-")), f"{name}.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def yaml_text(content: Mapping[str, Any]) -> str:
    """Returns a mapping as JSON that is YAML too. What is `None` is left out; times, durations and paths are texts as
    in options.

    >>> yaml_text({"experiments": {"free-shipping": {"baseline": "control", "shares": None, "title": "🙂\\u2028"}}})
    '{"experiments": {"free-shipping": {"baseline": "control", "title": "🙂\\\\u2028"}}}'
    """
    text = json.dumps(_present(content), ensure_ascii=False, allow_nan=False, default=_plain)
    return option_text(_ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text))


def _present(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _present(content) for key, content in value.items() if content is not None}
    return [_present(element) for element in ordered(value)] if is_list(value) else value


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else option_text(value)  # The first is a number of numpy.

"""Prints the licences of what the static commands are built from, as they lie on the machine that builds them.

`python3 notices.py CHECKOUTS`: the folder in which SwiftPM has the sources of packages.
"""
import pathlib
import re
import shutil
import sys

HEAD = """\
Bandolier is under the Apache License 2.0: see LICENSE. The commands bandolier and bandolier-serve have code of others
inside; what they are built from is below, under its licence. SQLite is in the public domain. libstdc++ and libgcc are
under the GNU General Public License 3 with the GCC Runtime Library Exception, by which they may be part of any program.
The GNU C Library is under the GNU Lesser General Public License 2.1: `make static serve-static` in the sources of
Bandolier links the commands with another version of it."""
PLACES = {
    "ICU, in Foundation": ["share/icu/*/LICENSE", "share/licenses/icu/*", "share/doc/libicu*/copyright"],
    "libyaml": ["share/doc/libyaml-dev/copyright", "share/licenses/libyaml/*"],
    "zlib": ["share/doc/zlib1g-dev/copyright", "share/licenses/zlib*/*"],
    "GNU C Library": ["share/doc/libc6-dev/copyright", "share/licenses/glibc/LICENSES"],
    "GNU Lesser General Public License 2.1": ["share/common-licenses/LGPL-2.1", "share/licenses/glibc/COPYING.LIB"]}
checkouts = pathlib.Path(sys.argv[1])
swift = pathlib.Path(shutil.which("swift") or "swift").resolve().parents[1] / "share/swift/LICENSE.txt"
found = {"Swift, Foundation and Dispatch": swift.read_text("utf-8")}
for name, patterns in PLACES.items():
    paths = [path for pattern in patterns for path in pathlib.Path("/usr").glob(pattern)]
    found[name] = paths[0].read_text("utf-8") if paths else sys.exit(f"notices.py: /usr has no {' or '.join(patterns)}")
for pattern in ("*/LICENSE*", "*/NOTICE*", "*/Sources/*/LICENSE*"):
    found.update((str(path.relative_to(checkouts)), path.read_text("utf-8")) for path in checkouts.glob(pattern))
for path in checkouts.glob("*/Sources/**/*.[ch]*"):
    comment = re.match(r"(?:\s|#.*\n|//.*\n|/\*[\s\S]*?\*/)*", path.read_text("utf-8")).group()
    if re.search("permission is|redistribution and use", comment, re.I) and "Apache" not in comment:
        found[str(path.relative_to(checkouts))] = comment
texts = {}
for name, text in sorted(found.items()):  # A text that several have is printed once.
    texts.setdefault("".join(text.split()), (text, []))[1].append(name)
print(HEAD, *(f"{'=' * 100}\n{', '.join(names)}\n\n{text}" for text, names in texts.values()), sep="\n\n")

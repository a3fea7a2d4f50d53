#!/usr/bin/env bash
# Makes a wheel of the package with commands inside: Sources/Python/wheel.sh PYTHON FOLDER NOTICES COMMAND...
# PYTHON has flit_core, wheel and auditwheel; NOTICES is a file of the licences of what the commands have inside.
set -euo pipefail
python=$1 folder=$2 notices=$3
shift 3
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# The build takes the licences that lie beside pyproject.toml.
cp -r "$(dirname "$0")" "$made/source"
install -m 644 "$(dirname "$0")/../../LICENSE" "$made/source"
install -m 644 "$notices" "$made/source/NOTICES.txt"
"$python" -m pip --disable-pip-version-check wheel -q --no-deps --no-index --no-build-isolation -w "$made" "$made/source"
"$python" -m wheel unpack -d "$made/tree" "$made"/*.whl >"$made/output"
tree=$(echo "$made"/tree/*)
# What lies there is installed beside the Python, as a program.
scripts=$tree/$(basename "$tree").data/scripts
for command; do
  install -D -s -m 755 "$command" "$scripts/$(basename "$command")"
done
sed -i -e 's/^Root-Is-Purelib:.*/Root-Is-Purelib: false/' -e "s/^Tag:.*/Tag: py3-none-linux_$(uname -m)/" \
  "$tree"/*.dist-info/WHEEL
"$python" -m wheel pack -d "$made" "$tree" >"$made/output"
wheel=$(echo "$made"/*-linux_*.whl)

# The oldest glibc that has all symbols which the commands need; none is needed by commands that have them inside.
"$python" -m auditwheel show --json "$wheel" >"$made/audit" 2>"$made/output" || { cat "$made/output" >&2; exit 1; }
tag=$("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["overall_tag"])' "$made/audit")
if [[ $tag != manylinux_* ]]; then
  echo "the commands need libraries that not every Linux has:" >&2
  "$python" -c 'import json, sys; print(*json.load(open(sys.argv[1]))["external_libs"])' "$made/audit" >&2
  exit 1
fi
# They start on Linux 3.2 or later, which systems with an older glibc than 2.17 need not have.
tag=$(printf '%s\n' "$tag" "manylinux_2_17_$(uname -m)" | sort -V | tail -n 1)
mkdir -p "$folder"
rm -f "$folder"/bandolier-*.whl
name=$("$python" -m wheel tags --platform-tag "$tag" "$wheel" | tail -n 1)
mv "$made/$name" "$folder"
echo "made $folder/$name, $((($(stat -c %s "$folder/$name") + 500000) / 1000000)) MB"

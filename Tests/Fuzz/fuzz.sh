#!/bin/bash
# Runs every fuzz target for so many seconds each; usage: fuzz.sh COMMAND SECONDS [TARGET ...]
# New inputs stay in .build/fuzz/corpora; only what should be kept is copied into Tests/Fuzz/Corpora.
set -euo pipefail
cd "$(dirname "$0")/../.."
command=$1 seconds=$2
shift 2
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(Tests/Fuzz/Corpora/*/)
found=.build/fuzz/found
mkdir -p "$found"
# A crash should end the run at once, not after a backtrace of minutes.
export SWIFT_BACKTRACE=enable=no
# Importers have buffers of a mebibyte, which are slow to get from the system for each input.
export MALLOC_TRIM_THRESHOLD_=268435456 MALLOC_MMAP_THRESHOLD_=268435456
for target in "${targets[@]}"; do
  target=$(basename "$target")
  corpus=.build/fuzz/corpora/$target
  mkdir -p "$corpus"
  echo "== $target"
  if ! FUZZ_TARGET=$target "$command" -seed="${SEED:-1}" -max_total_time="$seconds" \
    -max_len=8192 -timeout=10 -rss_limit_mb=512 -malloc_limit_mb=256 -print_final_stats=1 \
    -artifact_prefix="$found/$target-" "$corpus" "Tests/Fuzz/Corpora/$target" \
    >".build/fuzz/$target.log" 2>&1; then
    tail -n 40 ".build/fuzz/$target.log"
    echo "$target failed; the input is in $found: mend what it found, and keep it in Tests/Fuzz/Corpora/$target" >&2
    exit 1
  fi
  grep -E 'number_of_executed_units|peak_rss_mb' ".build/fuzz/$target.log"
done

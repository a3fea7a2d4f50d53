#!/bin/bash
# Compiles the elementary functions for several processors and optimization levels and compares the hashes of their
# values with the golden ones: with fused multiply-add instructions and without, every bit is the same.
set -euo pipefail
root=$(cd "$(dirname "$0")/../../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat > "$work/main.swift" <<'END'
for function in ElementaryFunction.functions {
  let hash = function.hash
  print("  \(function.name) 0x\(String(hash, radix: 16))\(hash == function.golden ? "" : " is not the golden hash")")
}
END
sed '/^import Statistics$/d' "$root/Tests/StatisticsTests/Elementary/ElementaryFunction.swift" > "$work/functions.swift"
cat > "$work/module.modulemap" <<END
module CElementary { header "$root/Sources/CElementary/include/elementary.h" export * }
END
case $(uname -m) in
  x86_64) processors="x86-64 haswell" ;;
  *) processors=generic ;;
esac
for processor in $processors; do
  for level in -Onone -O -Ounchecked; do
    clang -O2 -march="$processor" -c -I "$root/Sources/CElementary/include" -o "$work/tables.o" \
      "$root/Sources/CElementary/elementary.c"
    swiftc $level -target-cpu "$processor" -wmo -module-name Statistics -package-name bandolier -lm -o "$work/hashes" \
      -I "$work" "$work/tables.o" \
      "$root"/Sources/Statistics/Elementary/[!N]*.swift "$root"/Sources/Statistics/Special/{SpecialFunctions,StirlingError}.swift \
      "$root/Sources/Statistics/Random/SplitMix64.swift" "$work/functions.swift" "$work/main.swift"
    echo "$processor $level"
    "$work/hashes" > "$work/output"
    if grep "is not" "$work/output"; then exit 1; fi
  done
done

#!/usr/bin/env bash
# Checks the state of the tree that git tracks: Tests/check_tree.sh [FOLDER]
# Prints every fault it finds; exit code 1 if there is one.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

readonly largest_file=$((5 * 1024 * 1024))
readonly largest_traces=$((25 * 1024 * 1024))
# The brackets keep the patterns from finding themselves.
readonly machine_paths='(^|[^A-Za-z0-9._/-])/([h]ome|[U]sers|[r]oot|[w]ork|[m]nt)/[A-Za-z0-9._-]'
readonly build_products='(^|/)([.]build|[.]venv|[.]swiftpm|__pycache__|[.]ipynb_checkpoints|out)/'
readonly build_files='[.](o|a|so|dylib|pyc|swiftmodule|profraw|profdata)$|(^|/)[.]DS_Store$'

faults=0
fault() {
  echo "$1" >&2
  faults=$((faults + 1))
}

traces=0
while IFS= read -r -d '' file; do
  [ -f "$file" ] || continue
  size=$(($(wc -c <"$file")))
  [ "$size" -le "$largest_file" ] || fault "$file: at most $largest_file bytes, found $size"
  [[ "$file" != traces/* ]] || traces=$((traces + size))
  [[ ! "$file" =~ $build_products && ! "$file" =~ $build_files ]] \
    || fault "$file: a build product; take it out and add it to .gitignore"
done < <(git ls-files -z)
[ "$traces" -le "$largest_traces" ] \
  || fault "traces/: at most $largest_traces bytes in all, found $traces"

while IFS= read -r line; do
  fault "$line: a path of one machine; make it relative"
done < <(git grep -nIE "$machine_paths" || true)

while IFS= read -r line; do
  fault "$line: unsafe flags keep other packages from depending on this one"
done < <(git grep -n unsafeFlags -- Package.swift '*/Package.swift' || true)

if [ "$faults" -gt 0 ]; then
  echo "faults in the tree: $faults" >&2
  exit 1
fi

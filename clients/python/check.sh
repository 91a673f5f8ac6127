#!/usr/bin/env bash
# Checks the package against MNEME_BINARY. check.sh short: with one Python and one adapter; check.sh: with each Python from
# 3.10 on that is here, and with each adapter. An adapter's environment is requirements/ADAPTER.txt, its tests
# tests/adapters/test_ADAPTER.py.
set -euo pipefail
cd "$(dirname "$0")"
envs=$PWD/../../bin/clients uv=$PWD/../../bin/uv/bin/uv
export PYTHONPATH=$PWD/src

pythons() { # the newest of each version, on PATH or of pyenv
  local version found
  for version in 3.10 3.11 3.12 3.13 3.14; do
    for found in "$(command -v "python$version" || true)" "$HOME/.pyenv/versions/$version".*/bin/python3; do
      if [[ -x $found ]] && "$found" -c 'import venv, sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
        echo "$found"; break
      fi
    done
  done
}

environment() { # environment PYTHON NAME: prints the Python of a virtual environment with requirements/NAME.txt
  local python=$1 name=$2 dir
  dir=$envs/$name-$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  if ! cmp --quiet "requirements/$name.txt" "$dir/installed.txt"; then
    "$uv" venv --quiet --clear --python "$python" "$dir"
    "$uv" pip install --quiet --python "$dir/bin/python" -r "requirements/$name.txt"
    cp "requirements/$name.txt" "$dir/installed.txt"
  fi
  echo "$dir/bin/python"
}

step() { printf '\n-- %s\n' "$*"; }

core() {
  local python
  python=$(environment "$1" test)
  step "the core with $("$python" --version)"
  "$python" -m ruff check .
  "$python" -m ruff format --check .
  "$python" -m mypy --exclude "/($(IFS='|'; echo "${adapters[*]}"))\.py$" --exclude tests/adapters/
  "$python" -m pytest --ignore tests/adapters
}

adapter() {
  local python name=$2 least
  least=$(sed -n 's/^# Python \([0-9.]*\) or later.*/\1/p' "requirements/$name.txt")
  "$1" -c "import sys; sys.exit(sys.version_info < tuple(map(int, '${least:-3.10}'.split('.'))))" || return 0
  python=$(environment "$1" "$name")
  step "$name with $("$python" --version)"
  "$python" -m mypy "src/mneme_client/$name.py" "tests/adapters/test_$name.py"
  "$python" -m pytest "tests/adapters/test_$name.py"
}

mapfile -t adapters < <(cd requirements && ls | sed 's/\.txt$//' | grep -vx -e codegen -e test)
mapfile -t found < <(pythons)
[[ ${#found[@]} -gt 0 ]] || { echo "install Python 3.10 or later"; exit 1; }
tried=("${adapters[@]}")
if [[ ${1:-} == short ]]; then
  found=("$(command -v python3)")
  tried=(langchain)
fi
for python in "${found[@]}"; do
  core "$python"
  for name in "${tried[@]}"; do
    adapter "$python" "$name"
  done
done

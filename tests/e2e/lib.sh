# Shared by the end-to-end scripts: a fresh folder, the tools on PATH, and checks that say what
# they expected. Source it with the tools' folder as the script's first argument.
set -uo pipefail
export PATH=$(realpath "$1"):$PATH LC_ALL=C ZL_BACKEND=host NO_COLOR=1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data=$here/../data
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# expect_status WANTED COMMAND…: runs it, its output in $work/out and $work/err.
expect_status() {
  local wanted=$1 got
  shift
  "$@" >"$work/out" 2>"$work/err" </dev/null
  got=$?
  [ "$got" -eq "$wanted" ] || {
    fail "exit $got instead of $wanted: $*"
    sed 's/^/  err: /' "$work/err" | head -5
  }
}

# expect_line FILE PATTERN: some line of FILE matches the extended regular expression.
expect_line() {
  grep -Eq -- "$2" "$1" || {
    fail "no line of $1 matches: $2"
    head -20 "$1" | sed 's/^/  | /'
  }
}

expect_equal() { [ "$1" = "$2" ] || fail "expected '$2', got '$1'${3:+ ($3)}"; }

# running PATTERN: processes (zombies aside) whose arguments contain PATTERN.
running() { ps -eo pid=,stat=,args= | awk -v self=$$ -v p="$1" '$2 !~ /^Z/ && $1 != self && index($0, p) && !/awk/'; }

expect_nobody() {
  local left
  left=$(running "$1")
  [ -z "$left" ] || fail "still running: $left"
}

# cards INDEX…: from now on these cards are there, by a stand-in for the vendor's tool.
cards() {
  mkdir -p "$work/bin"
  ln -sf "$here/stand-in-smi" "$work/bin/nvidia-smi"
  export PATH=$work/bin:${PATH#"$work/bin:"} CARDS=$work/cards MODE=$work/mode ASLEEP=31.$$
  export ZL_BACKEND=cuda
  printf '%s\n' "$@" >"$CARDS"
}

skip() {
  echo "SKIPPED: $*"
  exit 77
}

finish() {
  [ "$failures" -eq 0 ] && echo "all held"
  exit $((failures > 0))
}

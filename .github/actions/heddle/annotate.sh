#!/usr/bin/env bash
# annotate.sh HEDDLE: runs `HEDDLE check` and `HEDDLE run` on what HEDDLE_CHECK and HEDDLE_RUN name, and prints
# findings as annotations of GitHub. Ends with the greater of the two exit codes.
set -uo pipefail
heddle=$1
worst=0

# Keeps a value within one property or message of an annotation.
escape='def e: gsub("%";"%25") | gsub("\r";"%0D") | gsub("\n";"%0A"); def p: e | gsub(":";"%3A") | gsub(",";"%2C");'

report() {
  local code=$1 what=$2
  [ "$code" -gt "$worst" ] && worst=$code
  echo "heddle $what: exit code $code"
}

if [ -n "${HEDDLE_CHECK:-}" ]; then
  # Words and patterns are split and expanded here, as on a command line.
  # shellcheck disable=SC2086
  "$heddle" check --json -- $HEDDLE_CHECK | tee heddle-check.json | jq -r "$escape"'
    .file as $file
    | (.findings[]? | "::\(if .severity == "note" then "notice" else .severity end) file=\($file|p),line=\(.line),col=\(.column),title=\(.rule|p)::\(.message|e)"),
      (.complaints[]? | "::error::\(.|e)")'
  report "${PIPESTATUS[0]}" check
fi

if [ -n "${HEDDLE_RUN:-}" ]; then
  # shellcheck disable=SC2086
  "$heddle" run --json ${HEDDLE_RUN_OPTIONS:-} -- $HEDDLE_RUN | tee heddle-run.json | jq -r "$escape"'
    select(.launch)
    | if (.findings // []) != [] then
        .findings[] | (.place | capture("^(?<file>.*):(?<line>[0-9]+):(?<col>[0-9]+)$")? // {file: "", line: "1", col: "1"}) as $at
        | "::error file=\($at.file|p),line=\($at.line),col=\($at.col),title=\(.rule|p)::\(.verdict): \(.message|e)"
      else .launch as $launch | .complaints[]? | "::error file=\($launch|p)::\(.|e)" end'
  report "${PIPESTATUS[0]}" run
fi
exit "$worst"

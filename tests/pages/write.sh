#!/usr/bin/env bash
# write.sh PROGRAM SOURCE FOLDER WEB: writes pages of the program and tables of the same runs to FOLDER, for the tests in WEB/tests.
set -euo pipefail
program=$1 source=$2 folder=$3 web=$4
step=0.016666666666666666  # that of the pages
rm -rf "$folder"
mkdir -p "$folder"

both() {  # NAME MODEL [options]
  local name=$1 model=$2
  shift 2
  "$program" view "$source/$model" "$@" --output "$folder/$name.html" --quiet
  "$program" run "$source/$model" "$@" --output-step "$step" --channel '*' --channel energy --output "$folder/$name.csv" --quiet
}
both fourbar examples/fourbar_ladder/fourbar_ladder.json
both vehicle examples/vehicle/step_steer.json --until 10
both quadruped examples/quadruped_walk/quadruped_walk.json

size=$(stat -c %s "$folder/vehicle.html")
((size <= 8000000)) || { printf 'the page of the vehicle has %d bytes, more than 8 MB\n' "$size" >&2; exit 1; }
rm -rf "$web/tests"
cp -r "$source/web/tests" "$web/tests"

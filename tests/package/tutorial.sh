#!/usr/bin/env bash
# tutorial.sh PAGE PREFIX FOLDER
#
# Does what a page tells its reader, exactly as printed, in an empty folder, with the package installed in PREFIX: runs its blocks ```sh, in which
# a line "! command" is one that fails, writes its blocks ```LANGUAGE file=NAME to files, and finds every line of its blocks ```text in what the
# commands before have printed, numbers to five digits.
set -euo pipefail
page=$(realpath "$1") prefix=$(realpath "$2") folder=$3
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
export PATH="$prefix/bin:$PATH" CMAKE_PREFIX_PATH="$prefix"
script=$PWD/.tutorial.sh output=$PWD/.output

awk '
  /^```/ && block { print closing; block = ""; next }
  /^```sh$/ { block = "sh"; print "{"; closing = "} >\"$output\" 2>&1\ncat \"$output\""; ++blocks; next }
  /^```[a-z]+ file=/ { block = "file"; sub(/.*file=/, ""); print "cat >\"" $0 "\" <<\"END_OF_FILE\""; closing = "END_OF_FILE"; next }
  /^```text$/ { block = "text"; print "expect <<\"END_OF_TEXT\""; closing = "END_OF_TEXT"; next }
  /^```/ { block = "other"; closing = ""; next }
  block == "sh" && /^! / { print "if " substr($0, 3) "; then echo \"this should have failed\"; exit 1; fi"; next }
  block && block != "other" { print }
  END { if (!blocks) exit 1 }' "$page" >"$script"

rounded() {
  awk '{ n = split($0, word, /[ ,]+/); line = ""
         for (i = 1; i <= n; ++i) line = line " " (word[i] ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ ? sprintf("%.5g", word[i]) : word[i])
         print line }' "$@"
}
expect() {
  while IFS= read -r line; do
    rounded "$output" | grep -qxF -- "$line" || { echo "not printed:$line" >>"$output"; exit 1; }
  done < <(rounded)
}
trap 'if (($?)); then cat "$output"; echo "tutorial: $(basename "$page") does not work as printed" >&2; fi' EXIT
source "$script"
echo "tutorial: $(basename "$page") works as printed"

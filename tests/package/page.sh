#!/usr/bin/env bash
# page.sh PAGE PREFIX FOLDER
#
# Does what a page of the documentation tells its reader, exactly as printed, with the package installed in PREFIX, in an empty FOLDER in which
# examples, subsystems and scripts are those of the repository: runs its blocks ```sh, in which a line "! command" is one that fails, writes its
# blocks ```LANGUAGE file=NAME to files, and finds every line of its blocks ```text in what the commands of the block before have printed. A number
# is found when the printed one rounds to it, digit by digit; commas count as blanks, "..." stands for lines left out.
set -euo pipefail
page=$(realpath "$1") prefix=$(realpath "$2") folder=$3
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
ln -s "$root"/{examples,subsystems,scripts} .
export PATH="$prefix/bin:$PATH" CMAKE_PREFIX_PATH="$prefix"
script=$PWD/.page.sh output=$PWD/.output

awk '
  /^```/ && block { print closing; block = ""; next }
  /^```sh$/ { block = "sh"; print "{"; closing = "} >\"$output\" 2>&1\ncat \"$output\""; ++blocks; next }
  /^```[a-z]+ file=/ { block = "file"; sub(/.*file=/, ""); print "cat >\"" $0 "\" <<\"END_OF_FILE\""; closing = "END_OF_FILE"; next }
  /^```text$/ { block = "text"; print "expect <<\"END_OF_TEXT\""; closing = "END_OF_TEXT"; next }
  /^```/ { block = "other"; closing = ""; next }
  block == "sh" && /^! / { print "if " substr($0, 3) "; then echo \"this should have failed\"; exit 1; fi"; next }
  block && block != "other" { print }
  END { if (!blocks) exit 1 }' "$page" >"$script"

expect() {
  awk -v printed="$output" '
    function is_number(word) { return word ~ /^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$/ }
    # Half a unit of the last digit of a number.
    function half_digit(word,   parts, digits, exponent) {
      exponent = split(word, parts, /[eE]/) > 1 ? parts[2] : 0
      digits = index(parts[1], ".") ? length(parts[1]) - index(parts[1], ".") : 0
      return 0.5 * 10 ^ (exponent - digits) * (1 + 1e-6)
    }
    function words_of(line, words) { gsub(/[ ,]+/, " ", line); gsub(/^ | $/, "", line); return split(line, words, " ") }
    function matches(expected, line,   a, b, n, i) {
      n = words_of(expected, a)
      if (words_of(line, b) != n) return 0
      for (i = 1; i <= n; ++i)
        if (is_number(a[i]) && is_number(b[i]) ? (b[i] - a[i])^2 > half_digit(a[i])^2 : a[i] "" != b[i] "") return 0
      return 1
    }
    BEGIN { while ((getline line < printed) > 0) lines[++count] = line }
    $0 == "..." { next }
    { found = 0
      for (i = 1; i <= count && !found; ++i) found = matches($0, lines[i])
      if (!found) { print "not printed: " $0 >>printed; exit 1 } }'
}
trap 'if (($?)); then cat "$output"; echo "page: $(basename "$page") does not work as printed" >&2; fi' EXIT
source "$script"
echo "page: $(basename "$page") works as printed"

# What the scripts that write pages share, to be sourced from the root of the repository. $work is a folder for what goes between the marks.

# markdown NAME HEADING...: a table of that name from lines of comma-separated cells.
markdown() {
  { printf '| %s ' "${@:2}"; printf '|\n'; printf '|---%.0s' "${@:2}"; printf '|\n'; sed 's/^/| /; s/,/ | /g; s/$/ |/'; } >"$work/$1"
}
rows() { tail -q -n +2 "$@"; }

# fill PAGE: puts every $work/NAME between the lines <!-- NAME --> and <!-- end --> of the page.
fill() {
  awk -v work="$work" '
    skip && /^<!-- end -->$/ { skip = 0 }
    skip { next }
    { print }
    match($0, /^<!-- [a-z]+ -->$/) && $2 != "end" {
      file = work "/" $2
      while ((getline line < file) > 0) print line
      close(file); skip = 1
    }' "$1" >"$work/page"
  cp "$work/page" "$1"
}

# machine BUILD LOAD PACKAGE...: where it was measured, as CSV; LOAD is what it was before.
machine() {
  local flags package
  flags=$(sed -n 's/^  FLAGS = //p' "$1/build.ninja" | tr ' ' '\n' | { grep -E '^-(O|march)' || true; } | sort -u | tr '\n' ' ')
  printf 'processor,%s\ncompiler,%s\nflags,%s\nload before,%s\nload after (this program is one),%s\n' "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)" \
    "$(c++ --version | head -1 | tr -d ,)" "${flags% }" "$2" "$(cut -d' ' -f1 /proc/loadavg)"
  for package in "${@:3}"; do printf '%s,%s\n' "$package" "$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null || echo absent)"; done
}

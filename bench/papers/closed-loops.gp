# Figures 5, 8 and 9 of the closed-loop HDCA paper: rows energy, velocity level, position level; columns the three cases.
set terminal pngcairo size 1200, 900 font "DejaVu Sans,12" rounded
set multiplot
set datafile nocolumnheaders
# Largest absolute value of the columns that a pattern names, less their first value where it is an energy; zero is drawn at the lower edge.
largest(file, pattern) = sprintf("< awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /%s/) pick[i] = 1; next } \
  { most = 1e-18; for (i in pick) { if (NR == 2) first[i] = $i; v = $i - (\"%s\" == \"energy\" ? first[i] : 0); \
    if (v < 0) v = -v; if (v > most) most = v } print $1 \",\" most }' '%s%s.csv'", pattern, pattern, runs, file)
array examples[3] = ["loop4", "loop8", "double_loop"]
array titles[3] = ["case 1: loop of four", "case 2: loop of eight", "case 3: double loop"]
array patterns[3] = ["energy", "opening_rate", "opening.r*[xyz] "]
array labels[3] = ["energy error [J]", "velocity level [m/s, rad/s]", "position level [m, rad]"]
array lows[3] = [1e-12, 1e-17, 1e-17]
array highs[3] = [1e-2, 1e-11, 1e-4]
set logscale y
set format y "1e%T"
set xrange [0:10]
set xtics 2
unset mytics
do for [row = 1:3] {
  do for [column = 1:3] {
    set origin 0.005 + 0.33*(column - 1), 0.66 - 0.33*(row - 1)
    set size 0.335, 0.335
    set lmargin 10
    set rmargin 2
    set title (row == 1 ? titles[column] : "")
    set ylabel (column == 1 ? labels[row] : "")
    set xlabel (row == 3 ? "time [s]" : "")
    set yrange [lows[row]:highs[row]]
    decades = row == 1 ? 1e2 : 1e3
    set ytics decades
    if (row == 1 && column == 1) { set key bottom right } else { unset key }
    plot largest(examples[column]."-10-neither", patterns[row]) using 1:2 with lines linestyle 2 title "neither", \
         largest(examples[column]."-10-both", patterns[row]) using 1:2 with lines linestyle 1 title "re-anchored and projected"
  }
}
unset multiplot

# 600 s of case 1: energy error and loop opening, with and without re-anchoring and projection.
set terminal pngcairo size 1200, 420 font "DejaVu Sans,12" rounded
set multiplot
set datafile nocolumnheaders
largest(file, pattern) = sprintf("< awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /%s/) pick[i] = 1; next } \
  { most = 1e-18; for (i in pick) { if (NR == 2) first[i] = $i; v = $i - (\"%s\" == \"energy\" ? first[i] : 0); \
    if (v < 0) v = -v; if (v > most) most = v } print $1 \",\" most }' '%sloop4-600-%s.csv'", pattern, pattern, runs, file)
set logscale y
set format y "1e%T"
set xrange [0:600]
set xtics 100
unset mytics
set xlabel "time [s]"
set size 0.5, 1
set lmargin 10
set rmargin 2
set origin 0, 0
set title "energy error of case 1"
set ylabel "energy error [J]"
set yrange [1e-8:1]
set ytics 1e2
set key bottom right
plot largest("neither", "energy") using 1:2 with lines linestyle 2 title "neither", \
     largest("project", "energy") using 1:2 with lines linestyle 5 title "projected alone", \
     largest("reanchor", "energy") using 1:2 with lines linestyle 3 title "re-anchored alone", \
     largest("both", "energy") using 1:2 with lines linestyle 1 title "both"
set origin 0.5, 0
set title "opening of its loop"
set ylabel "position level [m, rad]"
set yrange [1e-14:1e-1]
set ytics 1e3
unset key
plot largest("neither", "opening.r*[xyz] ") using 1:2 with lines linestyle 2, \
     largest("project", "opening.r*[xyz] ") using 1:2 with lines linestyle 5, \
     largest("reanchor", "opening.r*[xyz] ") using 1:2 with lines linestyle 3, \
     largest("both", "opening.r*[xyz] ") using 1:2 with lines linestyle 1
unset multiplot

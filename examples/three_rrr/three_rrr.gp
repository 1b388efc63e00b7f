# run bars: --tolerance 1e-12 --output-step 0.05 --channel '*.position'
# run fine: --tolerance 1e-12 --output-step 0.005 --channel P.position
# run tol6: --tolerance 1e-6 --channel P.position
# run tol9: --tolerance 1e-9 --channel P.position
# run tol12: --tolerance 1e-12 --channel P.position
set terminal pngcairo size 1200, 620 font "DejaVu Sans,13" rounded
set multiplot

# The arms at a time, each joint mirroring the one before at the centre of mass of the link between, then the platform.
find = "NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next } function x(body) { return $column[body \".position.x [m]\"] } \
  function y(body) { return $column[body \".position.y [m]\"] } "
arms(at) = sprintf("< awk -F, '%s ($1 - %g)^2 < 1e-6 { split(\"0 1 0.5\", u, \" \"); split(\"0 0 0.8660254037844386\", v, \" \"); \
  for (k = 1; k <= 3; k++) { p = u[k]; q = v[k]; print p \",\" q; p = 2*x(\"a\" k) - p; q = 2*y(\"a\" k) - q; print p \",\" q; \
    p = 2*x(\"b\" k) - p; q = 2*y(\"b\" k) - q; print p \",\" q; print \"\" } }' '%sbars.csv'", find, at, results)
plate(at) = sprintf("%s | awk 'NF == 0 { print last } { last = $0 }'", arms(at))
# Distance of P from the reference solution, row beside row.
error(run) = sprintf("< paste -d, '%s%s.csv' tests/data/three_rrr.csv | \
  awk -F, 'NR > 1 { print $1 \",\" sqrt(($2 - $6)^2 + ($3 - $7)^2) }'", \
  results, run)

set datafile nocolumnheaders
set size ratio -1
set xrange [-0.1:1.45]
set yrange [-0.5:0.95]
set margins 0, 0, 0, 0
unset border
unset tics
unset grid
set label 1 "" at 0, 0 point pointtype 9 pointsize 2 linecolor rgb "#303030" front
set label 2 "" at 1, 0 point pointtype 9 pointsize 2 linecolor rgb "#303030" front
set label 3 "" at 0.5, 0.866 point pointtype 9 pointsize 2 linecolor rgb "#303030" front
do for [i = 0:5] {
  set origin 0.01 + 0.187*(i % 3), 0.52 - 0.5*(i/3)
  set size 0.18, 0.4
  set title sprintf("%.1f s", 0.2*i)
  plot plate(0.2*i) using 1:2 with filledcurves closed fillcolor rgb "#f2d7a0" notitle, \
       results."fine.csv" every ::1::(1 + 40*i) using 2:3 with lines linewidth 1.5 linecolor rgb "#d8401c" notitle, \
       arms(0.2*i) using 1:2 with linespoints linewidth 3 pointtype 7 pointsize 0.8 linecolor rgb "#1f5fbf" notitle
}
unset label

set border 3
set grid
set xtics nomirror textcolor rgb "#303030"
set ytics nomirror textcolor rgb "#303030"
unset margins
set size noratio
set lmargin 10
set rmargin 6
set origin 0.56, 0.5
set size 0.435, 0.5
set title "centre of the platform"
set xrange [0:5]
set autoscale y
set xtics 1
set ytics 0.5
set ylabel "x, y [m]"
set label 1 "x" at 5.07, 0.5 textcolor rgb "#2a9d55"
set label 2 "y" at 5.07, 0 textcolor rgb "#1f5fbf"
plot results."fine.csv" every ::1 using 1:2 with lines linestyle 3 notitle, \
     results."fine.csv" every ::1 using 1:3 with lines linestyle 1 notitle

set origin 0.56, 0
set title "error of P at tolerances 1e-6, 1e-9, 1e-12"
set xlabel "time [s]"
set ylabel "error [m]"
set yrange [1e-15:1e1]
set logscale y
set format y "1e%T"
set ytics 1e3
unset mytics
set label 1 "1e-6" at 5.07, 3e-1 textcolor rgb "#d8401c"
set label 2 "1e-9" at 5.07, 3e-3 textcolor rgb "#c08a00"
set label 3 "1e-12" at 5.07, 3e-6 textcolor rgb "#1f5fbf"
plot error("tol6") using 1:2 with lines linestyle 2 notitle, \
     error("tol9") using 1:2 with lines linestyle 5 notitle, \
     error("tol12") using 1:2 with lines linestyle 1 notitle
unset multiplot

# run bars: --output-step 0.02 --channel 'L*.position' --channel 'C*.position'
# run fine: --output-step 0.01 --channel K.position --channel K2.position
# run tol6: --tolerance 1e-6 --channel K.position
# run tol9: --tolerance 1e-9 --channel K.position
# run tol12: --tolerance 1e-12 --channel K.position
set terminal pngcairo size 1200, 620 font "DejaVu Sans,13" rounded
set multiplot

# The windows at a time: each joint mirrors another at the centre of mass of the link between. Columns L1, L2, L3, L4, C1, C2, C3, C4.
window(at) = sprintf("< awk -F, 'function far(i) { x = 2*$i - x; y = 2*$(i + 1) - y; print x \",\" y } \
  function side(pivot, upper, lower, cross, bottom) { x = pivot; y = 0; print x \",\" y; far(upper); a = x; b = y; far(cross); print \"\"; \
    x = a; y = b; print x \",\" y; far(lower); far(bottom); print \"\" } \
  NR > 1 && ($1 - %g)^2 < 1e-6 { side(0, 2, 8, 14, 20); side(2, 5, 11, 17, 23) }' '%sbars.csv'", at, results)
# Distance of K from the reference solution, row beside row.
error(run) = sprintf("< paste -d, '%s%s.csv' tests/data/double_loop.csv | \
  awk -F, 'NR > 1 { print $1 \",\" sqrt(($2 - $6)^2 + ($3 - $7)^2) }'", \
  results, run)

set datafile nocolumnheaders
set size ratio -1
set xrange [-0.3:2.3]
set yrange [-2.95:0.2]
set xtics 1
set ytics 1
set label 1 "" at 0, 0 point pointtype 9 pointsize 2 linecolor rgb "#303030" front
set label 2 "" at 2, 0 point pointtype 9 pointsize 2 linecolor rgb "#303030" front
do for [i = 0:5] {
  set origin 0.005 + 0.185*(i % 3), 0.5 - 0.5*(i/3)
  set size 0.19, 0.5
  set title sprintf("%.1f s", 0.6*i)
  plot window(0.6*i) using 1:2 with linespoints linewidth 3 pointtype 7 pointsize 0.8 linecolor rgb "#1f5fbf" notitle
}
unset label

set datafile columnheaders
set size noratio
set lmargin 10
set rmargin 6
set origin 0.56, 0.5
set size 0.435, 0.5
set title "height of the middle joints"
set xrange [0:10]
set yrange [-3:-0.6]
set xtics 2
set ytics 0.5
set ylabel "y [m]"
set label 1 "K2" at 10.15, -1.7 textcolor rgb "#2a9d55"
set label 2 "K" at 10.15, -2.7 textcolor rgb "#1f5fbf"
plot results."fine.csv" using "t [s]":"K2.position.y [m]" with lines linestyle 3 notitle, \
     results."fine.csv" using "t [s]":"K.position.y [m]" with lines linestyle 1 notitle

set origin 0.56, 0
set title "error of K at tolerances 1e-6, 1e-9, 1e-12"
set xlabel "time [s]"
set ylabel "error [m]"
set yrange [1e-15:1e-2]
set logscale y
set format y "1e%T"
set ytics 1e3
unset mytics
set label 1 "1e-6" at 10.15, 3e-4 textcolor rgb "#d8401c"
set label 2 "1e-9" at 10.15, 3e-7 textcolor rgb "#c08a00"
set label 3 "1e-12" at 10.15, 3e-10 textcolor rgb "#1f5fbf"
set datafile nocolumnheaders
plot error("tol6") using 1:2 with lines linestyle 2 notitle, \
     error("tol9") using 1:2 with lines linestyle 5 notitle, \
     error("tol12") using 1:2 with lines linestyle 1 notitle
unset multiplot

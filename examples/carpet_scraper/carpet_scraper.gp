# run bars: --until 0.5 --output-step 0.07 --channel 'P*.position' --channel scraper.position
# run fine: --output-step 0.005 --channel scraper.position --channel j1.velocity
set terminal pngcairo size 1200, 640 font "DejaVu Sans,13" rounded
set multiplot

# The links at a time, lines through their joints.
find = "NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next } function x(p) { return $column[p \".position.x [m]\"] } \
  function y(p) { return $column[p \".position.y [m]\"] } function to(p) { print x(p) \",\" y(p) } "
links(body, t) = sprintf("< awk -F, '%s ($1 - %g)^2 < 1e-6 { %s }' '%sbars.csv'", find, t, body, results)
linkage(t) = links("print \"0,0\"; to(\"P8\"); to(\"P9\"); print \"\"; print \"0.0894666667,0\"; to(\"P3\")", t)
pantograph(t) = links("print \"0.0895,0.41\"; to(\"P6\"); to(\"scraper\"); print \"\"; to(\"P5\"); to(\"P9\"); to(\"P7\")", t)

set datafile nocolumnheaders
set size ratio -1
set xrange [-0.3:0.62]
set yrange [-0.42:0.62]
set margins 0, 0, 0, 0
unset border
unset tics
unset grid
set label 1 "" at 0, 0 point pointtype 9 pointsize 1.5 linecolor rgb "#303030" front
set label 2 "" at 0.0895, 0 point pointtype 9 pointsize 1.5 linecolor rgb "#303030" front
set label 3 "" at 0.0895, 0.41 point pointtype 9 pointsize 1.5 linecolor rgb "#303030" front
do for [i = 0:5] {
  set origin 0.01 + 0.187*(i % 3), 0.5 - 0.49*(i/3)
  set size 0.18, 0.44
  set title sprintf("%.2f s", 0.07*i)
  plot results."fine.csv" every ::1 using 2:3 with lines linewidth 1.5 linecolor rgb "#b0b0b0" notitle, \
       pantograph(0.07*i) using 1:2 with linespoints linewidth 3 pointtype 7 pointsize 0.7 linecolor rgb "#1f5fbf" notitle, \
       linkage(0.07*i) using 1:2 with linespoints linewidth 3 pointtype 7 pointsize 0.7 linecolor rgb "#d8401c" notitle
}
unset label

set border 3
set grid
set xtics 1 nomirror textcolor rgb "#303030"
set ytics 0.2 nomirror textcolor rgb "#303030"
unset margins
set size noratio
set lmargin 10
set rmargin 6
set origin 0.57, 0.5
set size 0.425, 0.5
set title "scraper"
set xrange [0:5]
set autoscale y
set ylabel "x, y [m]"
set label 1 "x" at 5.07, 0.3 textcolor rgb "#2a9d55"
set label 2 "y" at 5.07, -0.3 textcolor rgb "#1f5fbf"
plot results."fine.csv" every ::1 using 1:2 with lines linestyle 3 notitle, \
     results."fine.csv" every ::1 using 1:3 with lines linestyle 1 notitle
unset label

set origin 0.57, 0
set title "speed of the crank"
set xlabel "time [s]"
set ylabel "[rad/s]"
set ytics 20
plot results."fine.csv" every ::1 using 1:5 with lines linestyle 2 notitle
unset multiplot

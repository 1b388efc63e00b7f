# run bars: --output-step 0.5 --channel 'P*.position' --channel teeth.position
# run fine: --channel teeth.position --channel j10.position --channel j13.position --channel j4.position
set terminal pngcairo size 1200, 640 font "DejaVu Sans,13" rounded
set multiplot

find = "NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next } function x(p) { return $column[p \".position.x [m]\"] } \
  function y(p) { return $column[p \".position.y [m]\"] } function to(p) { print x(p) \",\" y(p) } "
at_time(body, t) = sprintf("< awk -F, '%s ($1 - %g)^2 < 1e-6 { %s }' '%sbars.csv'", find, t, body, results)
bars(t) = at_time("print \"-0.35,1.35\"; to(\"P2\"); print \"\"", t)
boom(t) = at_time("print \"0,1\"; to(\"P15\"); to(\"P12\"); to(\"P7\"); to(\"P15\")", t)
crank(t) = at_time("to(\"P2\"); to(\"P15\"); to(\"P3\"); to(\"P11\"); to(\"P2\")", t)
stick(t) = at_time("to(\"P14\"); to(\"P7\"); to(\"P8\"); to(\"P14\")", t)
bucket(t) = at_time("to(\"P5\"); to(\"P8\"); to(\"teeth\"); to(\"P5\")", t)
cylinders(t) = at_time("print \"0.45,0.5\"; to(\"P11\"); print \"\"; to(\"P12\"); to(\"P14\"); print \"\"; to(\"P3\"); to(\"P5\"); print \"\"", t)

set datafile nocolumnheaders
set size ratio -1
set xrange [-0.6:4.6]
set yrange [-0.3:4.2]
set margins 0, 0, 0, 0
unset border
unset tics
unset grid
set label 1 "" at 0, 1 point pointtype 9 pointsize 1.5 linecolor rgb "#303030" front
set label 2 "" at -0.35, 1.35 point pointtype 9 pointsize 1.5 linecolor rgb "#303030" front
set label 3 "" at 0.45, 0.5 point pointtype 9 pointsize 1.5 linecolor rgb "#303030" front
array moments[4] = [0, 2, 4, 6]
do for [i = 1:4] {
  set origin 0.01 + 0.29*((i - 1) % 2), 0.5 - 0.49*((i - 1)/2)
  set size 0.28, 0.43
  set title sprintf("%.1f s", moments[i])
  plot results."fine.csv" every ::1 using 2:3 with lines linewidth 1.5 linecolor rgb "#b0b0b0" notitle, \
       boom(moments[i]) using 1:2 with filledcurves closed fillcolor rgb "#f2d7a0" notitle, \
       boom(moments[i]) using 1:2 with lines linewidth 3 linecolor rgb "#c08a00" notitle, \
       stick(moments[i]) using 1:2 with lines linewidth 3 linecolor rgb "#c08a00" notitle, \
       bars(moments[i]) using 1:2 with linespoints linewidth 3 pointtype 7 pointsize 0.7 linecolor rgb "#606060" notitle, \
       cylinders(moments[i]) using 1:2 with linespoints linewidth 2.5 pointtype 7 pointsize 0.7 linecolor rgb "#1f5fbf" notitle, \
       crank(moments[i]) using 1:2 with filledcurves closed fillcolor rgb "#8fc7a3" notitle, \
       bucket(moments[i]) using 1:2 with filledcurves closed fillcolor rgb "#d8401c" notitle
}
unset label

set border 3
set grid
set xtics 2 nomirror textcolor rgb "#303030"
set ytics nomirror textcolor rgb "#303030"
unset margins
set size noratio
set lmargin 10
set rmargin 8
set origin 0.58, 0.5
set size 0.42, 0.5
set title "teeth of the bucket"
set xrange [0:8]
set autoscale y
set ytics 1
set ylabel "x, y [m]"
set label 1 "x" at 8.1, 3.4 textcolor rgb "#2a9d55"
set label 2 "y" at 8.1, 0.4 textcolor rgb "#1f5fbf"
plot results."fine.csv" every ::1 using 1:2 with lines linestyle 3 notitle, \
     results."fine.csv" every ::1 using 1:3 with lines linestyle 1 notitle
unset label

set origin 0.58, 0
set title "strokes of the cylinders"
set xlabel "time [s]"
set ylabel "[m]"
set ytics 0.2
set yrange [-0.5:0.5]
set label 1 "boom (j10)" at 2.2, 0.33 textcolor rgb "#1f5fbf"
set label 2 "stick (j13)" at 3.6, 0.11 textcolor rgb "#d8401c"
set label 3 "bucket (j4)" at 3.6, -0.36 textcolor rgb "#c08a00"
plot results."fine.csv" every ::1 using 1:5 with lines linestyle 1 notitle, \
     results."fine.csv" every ::1 using 1:6 with lines linestyle 2 notitle, \
     results."fine.csv" every ::1 using 1:7 with lines linestyle 5 notitle
unset multiplot

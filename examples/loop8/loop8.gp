# run chain: --output-step 0.05 --channel 'L*.position'
# run reaction: --output-step 0.01 --channel j4.reaction.force
# run tol6: --tolerance 1e-6 --channel K.position
# run tol9: --tolerance 1e-9 --channel K.position
# run tol12: --tolerance 1e-12 --channel K.position
set terminal pngcairo size 1200, 540 font "DejaVu Sans,13" rounded
set multiplot

# Every row becomes a line through the joints: each joint mirrors the one before at the centre of mass of the link between.
lines(to) = sprintf("< awk -F, 'NR==1 { print \"x,y,t\"; next } $1 <= %g { x = y = 0; print x \",\" y \",\" $1; \
  for (i = 2; i < NF; i += 3) { x = 2*$i - x; y = 2*$(i + 1) - y; print x \",\" y \",\" $1 } print \"\" }' '%schain.csv'", to, results)
# Distance of K from the reference solution, row beside row.
error(run) = sprintf("< paste -d, '%s%s.csv' tests/data/loop8.csv | awk -F, 'NR > 1 { print $1 \",\" sqrt(($2 - $6)^2 + ($3 - $7)^2) }'", \
  results, run)
set origin 0, 0
set size 0.56, 1
set size ratio -1
set title "the loop every 0.05 s of the first 1.2 s"
set xrange [-1:5]
set yrange [-3.6:0.3]
set xtics 1
set ytics 1
set xlabel "x [m]"
set ylabel "y [m]"
set cblabel "time [s]"
set cbrange [0:1.2]
set label 1 "K" at 2, -1.85 center textcolor rgb "#303030"
set label 2 "" at 0, 0 point pointtype 9 pointsize 2 linecolor rgb "#303030" front
set label 3 "" at 4, 0 point pointtype 9 pointsize 2 linecolor rgb "#303030" front
plot lines(1.2) using "x":"y":"t" with lines linewidth 2 linecolor palette notitle
unset label

set size noratio
unset colorbox
set origin 0.56, 0.5
set size 0.435, 0.5
set lmargin 10
set rmargin 6
set title "force in the cut joint j4"
set xrange [0:10]
set yrange [-70:25]
set xtics 2
set ytics 25
unset xlabel
set ylabel "force [N]"
set label 1 "vertical: none, by symmetry" at 0.15, 11 textcolor rgb "#d8401c"
set label 2 "horizontal" at 0.15, -58 textcolor rgb "#1f5fbf"
plot results."reaction.csv" using "t [s]":"j4.reaction.force.x [N]" with lines linestyle 1 notitle, \
     results."reaction.csv" using "t [s]":"j4.reaction.force.y [N]" with lines linestyle 2 notitle

set origin 0.56, 0
set title "error of K at tolerances 1e-6, 1e-9, 1e-12"
set xlabel "time [s]"
set ylabel "error [m]"
set yrange [1e-15:1e-2]
set logscale y
set format y "1e%T"
set ytics 1e3
unset mytics
set label 1 "1e-6" at 10.15, 3e-5 textcolor rgb "#d8401c"
set label 2 "1e-9" at 10.15, 3e-8 textcolor rgb "#c08a00"
set label 3 "1e-12" at 10.15, 3e-11 textcolor rgb "#1f5fbf"
set datafile nocolumnheaders
plot error("tol6") using 1:2 with lines linestyle 2 notitle, \
     error("tol9") using 1:2 with lines linestyle 5 notitle, \
     error("tol12") using 1:2 with lines linestyle 1 notitle
unset multiplot

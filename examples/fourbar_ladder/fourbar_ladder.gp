# run bars: --output-step 0.04 --channel 'crank*.position'
# run fine: --output-step 0.005 --channel A0.position
# run rk4: --channel B0.position
# run shorter: --step 0.0008 --channel B0.position
# run dopri5: --integrator dopri5 --tolerance 1e-6 --channel B0.position
# run tighter: --integrator dopri5 --tolerance 1e-9 --channel B0.position
set terminal pngcairo size 1200, 540 font "DejaVu Sans,13" rounded
set multiplot

# Every row becomes a ladder: the cranks from their feet, mirrored at their centres of mass, and the couplers that join their tops.
ladders(to) = sprintf("< awk -F, 'NR > 1 && $1 <= %g { for (i = 0; i < 3; i++) { \
  x[i] = 2*$(2 + 3*i) - i; y[i] = 2*$(3 + 3*i); print i \",0,\" $1; print x[i] \",\" y[i] \",\" $1; print \"\" } \
  for (i = 0; i < 3; i++) print x[i] \",\" y[i] \",\" $1; print \"\" }' '%sbars.csv'", \
  to, results)
# Rows at which the cranks pass the horizontal.
singular = sprintf("< awk -F, 'NR > 1 { c = cos($2); if (NR > 2 && c*before < 0) print $1 \",\" $2; before = c }' '%sfine.csv'", results)
# Distance of B0 from the exact solution, row beside row.
error(run) = sprintf("< paste -d, '%s%s.csv' tests/data/fourbar_ladder.csv | \
  awk -F, 'NR > 1 && $1 != \"\" { print $1 \",\" sqrt(($2 - $6)^2 + ($3 - $7)^2) }'", \
  results, run)

set datafile nocolumnheaders
set origin 0, 0
set size 0.56, 1
set size ratio -1
set title "the ladder every 0.04 s of its first fall"
set xrange [-0.3:3.2]
set yrange [-1.2:1.3]
set xtics 1
set ytics 1
set xlabel "x [m]"
set ylabel "y [m]"
set cblabel "time [s]"
set cbrange [0:1]
set label 4 "B0" at 0, 1.12 center textcolor rgb "#303030"
do for [i = 0:2] { set label i + 1 "" at i, 0 point pointtype 9 pointsize 2 linecolor rgb "#303030" front }
plot ladders(0.97) using 1:2:3 with lines linewidth 2 linecolor palette notitle
unset label

set size noratio
unset colorbox
set lmargin 10
set rmargin 8
set origin 0.56, 0.5
set size 0.435, 0.5
set title "turns of the cranks; dots mark singular positions"
set xrange [0:10]
set yrange [0:5.5]
set xtics 2
set ytics 1
unset xlabel
set ylabel "turns"
plot results."fine.csv" every ::1 using 1:(-$2/(2*pi)) with lines linestyle 1 notitle, \
     singular using 1:(-$2/(2*pi)) with points pointtype 7 pointsize 1.2 linecolor rgb "#d8401c" notitle

set origin 0.56, 0
set title "error of B0: rk4 by its step, dopri5 by its tolerance"
set xlabel "time [s]"
set ylabel "error [m]"
set yrange [1e-15:1e1]
set logscale y
set format y "1e%T"
set ytics 1e3
unset mytics
set label 1 "1e-9" at 10.15, 2e-8 textcolor rgb "#c08a00"
set label 2 "1e-6" at 10.15, 3e-5 textcolor rgb "#d8401c"
set label 3 "0.8 ms" at 10.15, 3e-13 textcolor rgb "#8a5fbf"
set label 4 "1 ms" at 10.15, 5e-11 textcolor rgb "#1f5fbf"
plot error("tighter") using 1:2 with lines linestyle 5 notitle, \
     error("dopri5") using 1:2 with lines linestyle 2 notitle, \
     error("shorter") using 1:2 with lines linestyle 4 notitle, \
     error("rk4") using 1:2 with lines linestyle 1 notitle
unset multiplot

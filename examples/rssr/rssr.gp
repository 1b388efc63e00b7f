# run bars: --output-step 0.02 --channel P.position --channel Q.position
# run fine: --output-step 0.002 --channel RO.position --channel RQ.position
# run tol6: --tolerance 1e-6 --channel Q.position
# run tol9: --tolerance 1e-9 --channel Q.position
# run tol12: --tolerance 1e-12 --channel Q.position
set terminal pngcairo size 1200, 540 font "DejaVu Sans,13" rounded
set multiplot

# Every row becomes a line from the pivot of the crank over P and Q to the pivot of the rocker.
lines(to) = sprintf("< awk -F, 'NR > 1 && $1 <= %g { print \"0,0,0,\" $1; \
  print $2 \",\" $3 \",\" $4 \",\" $1; print $5 \",\" $6 \",\" $7 \",\" $1; print \"1,0.8,0,\" $1; print \"\" }' '%sbars.csv'", to, results)
# Distance of Q from the reference solution, row beside row.
error(run) = sprintf("< paste -d, '%s%s.csv' tests/data/rssr.csv | \
  awk -F, 'NR > 1 { print $1 \",\" sqrt(($2 - $9)^2 + ($3 - $10)^2 + ($4 - $11)^2) }'", \
  results, run)

set datafile nocolumnheaders
set origin -0.02, -0.02
set size 0.6, 1.02
set title "crank, coupler and rocker every 0.02 s of the first 0.64 s"
set view 68, 32
set view equal xyz
set xyplane at -0.7
set xrange [-0.2:1.1]
set yrange [-0.1:1.1]
set zrange [-0.7:0.7]
set xlabel "x [m]"
set ylabel "y [m]"
set zlabel "z [m]" rotate
set xtics 0.5
set ytics 0.5
set ztics 0.5
set border 31
set cblabel "time [s]"
set cbrange [0:0.64]
set colorbox user origin 0.47, 0.2 size 0.016, 0.6
set label 1 "P" at 0.25, 0, 0.47 textcolor rgb "#303030"
set label 2 "Q" at 1, 0.85, 0.65 textcolor rgb "#303030"
set label 3 "" at 0, 0, 0 point pointtype 9 pointsize 2 linecolor rgb "#303030" front
set label 4 "" at 1, 0.8, 0 point pointtype 9 pointsize 2 linecolor rgb "#303030" front
splot lines(0.645) using 1:2:3:4 with lines linewidth 2 linecolor palette notitle
unset label
set border 3

unset colorbox
set lmargin 10
set rmargin 6
set origin 0.56, 0.5
set size 0.435, 0.5
set title "angles of crank and rocker"
set xrange [0:2]
set autoscale y
set xtics 0.5
set ytics auto
unset xlabel
set ylabel "angle [deg]"
set label 1 "crank" at 2.02, 50 textcolor rgb "#1f5fbf"
set label 2 "rocker" at 2.02, 173 textcolor rgb "#2a9d55"
plot results."fine.csv" every ::1 using 1:($2*180/pi) with lines linestyle 1 notitle, \
     results."fine.csv" every ::1 using 1:($3*180/pi) with lines linestyle 3 notitle
unset label

set origin 0.56, 0
set title "error of Q at tolerances 1e-6, 1e-9, 1e-12"
set xlabel "time [s]"
set ylabel "error [m]"
set yrange [1e-15:1e-2]
set logscale y
set format y "1e%T"
set ytics 1e3
unset mytics
set label 1 "1e-6" at 2.03, 1e-4 textcolor rgb "#d8401c"
set label 2 "1e-9" at 2.03, 4e-8 textcolor rgb "#c08a00"
set label 3 "1e-12" at 2.03, 1e-11 textcolor rgb "#1f5fbf"
plot error("tol6") using 1:2 with lines linestyle 2 notitle, \
     error("tol9") using 1:2 with lines linestyle 5 notitle, \
     error("tol12") using 1:2 with lines linestyle 1 notitle
unset multiplot

# run first:
# run second: --set lower_angle=20.000001
first = results."first.csv"
second = results."second.csv"
set multiplot

# The tip's path with the pendulum at both ends.
set origin 0, 0
set size 0.5, 1
set size ratio -1
set title "path of the tip in the first 8 s"
set xrange [-1.1:1.1]
set yrange [-1.1:1.1]
set xlabel "x [m]"
set ylabel "z [m]"
set cblabel "time [s]"
set cbrange [0:8]
rods(row) = sprintf("< awk -F, 'NR==1 { for (i = 1; i <= NF; ++i) at[$i] = i } NR==%d { print \"x,z\"; print \"0,0\"; \
  print $at[\"joint.position.x [m]\"] \",\" $at[\"joint.position.z [m]\"]; print $at[\"tip.position.x [m]\"] \",\" $at[\"tip.position.z [m]\"] }' '%s'", row + 2, first)
plot first every ::0::800 using "tip.position.x [m]":"tip.position.z [m]":"t [s]" with lines linewidth 1.5 linecolor palette notitle, \
     rods(0) using 1:2 with linespoints linewidth 4 pointtype 7 pointsize 1.4 linecolor rgb "#30123b" notitle, \
     rods(800) using 1:2 with linespoints linewidth 4 pointtype 7 pointsize 1.4 linecolor rgb "#d8401c" notitle

# Two runs that differ by a millionth of a degree.
unset colorbox
set size noratio
set title "two runs whose start differs by a millionth of a degree"
set origin 0.51, 0.5
set size 0.48, 0.5
set xrange [0:20]
set yrange [-1.3:1.6]
unset xlabel
set ylabel "tip height z [m]"
set key top right horizontal
plot first using "t [s]":"tip.position.z [m]" with lines linestyle 1 title "first", \
     second using "t [s]":"tip.position.z [m]" with lines linestyle 2 dashtype 2 title "second"
set title "distance of the two tips"
set origin 0.51, 0
set logscale y
set yrange [1e-10:10]
set format y "10^{%T}"
set xlabel "time [s]"
set ylabel "distance [m]"
both = sprintf("< paste -d, '%s' '%s'", first, second)
columns = 14  # of one file
plot both using 1:(sqrt((column("tip.position.x [m]") - column(columns + 9))**2 + (column("tip.position.z [m]") - column(columns + 11))**2)) \
  with lines linestyle 1 notitle
unset multiplot

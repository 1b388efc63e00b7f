# run circles:
csv = results."circles.csv"
columns = "NR==1 { for (i = 1; i <= NF; ++i) at[$i] = i; print \"x,z\" } "
point(name) = sprintf("print $at[\"%s.position.x [m]\"] \",\" $at[\"%s.position.z [m]\"]; ", name, name)
row(t, body) = sprintf("< awk -F, '%s NR==%d { %s }' '%s'", columns, t/0.01 + 2.5, body, csv)
leg(t) = row(t, point("leg.hip_centre").point("leg.knee_centre").point("ankle_centre"))
foot(t) = row(t, point("ankle_centre").point("toe_tip").point("heel_tip").point("ankle_centre"))
rod(t) = row(t, point("crank_pivot").point("rod_top").point("rod_end").point("ankle_centre"))
floor = -0.7*cos(25*pi/180) - 0.075
set multiplot
set lmargin 9
set rmargin 2
set size ratio -1
set title "side view at 1.25 and 1.75 s"
set xlabel "x [m]"
set ylabel "z [m]"
set origin 0, 0
set size 0.36, 1
set xrange [-0.25:0.25]
set yrange [-0.74:0.06]
set xtics 0.1
set arrow 1 from -0.25, floor to 0.25, floor nohead linewidth 3 linecolor rgb "#909090"
plot rod(1.75) using 1:2 with lines linewidth 3 linecolor rgb "#f0c4b8" notitle, \
     foot(1.75) using 1:2 with lines linewidth 3 linecolor rgb "#c0c0c0" notitle, \
     leg(1.25) using 1:2 with linespoints linewidth 5 pointtype 7 pointsize 1.2 linecolor rgb "#1f5fbf" notitle, \
     foot(1.25) using 1:2 with lines linewidth 4 linecolor rgb "#404040" notitle, \
     rod(1.25) using 1:2 with linespoints linewidth 3 pointtype 7 linecolor rgb "#d8401c" notitle
unset arrow
set size noratio
set lmargin 10
set xrange [0:3]
set xtics 1
set xlabel "time [s]"
set origin 0.36, 0
set size 0.32, 1
set title "angles"
set ylabel "[degrees]"
set yrange [-20:70]
degrees(name) = column(name." [rad]")*180/pi
plot csv using "t [s]":(degrees("ankle.position.0")) with lines linestyle 1 linewidth 3 title "ankle pitch", \
     csv using "t [s]":(degrees("ankle.position.1")) with lines linestyle 3 linewidth 3 title "ankle roll", \
     csv using "t [s]":(degrees("outer_motor.position")) with lines linestyle 2 linewidth 1.5 title "outer motor", \
     csv using "t [s]":(degrees("inner_motor.position")) with lines linestyle 5 linewidth 1.5 title "inner motor"
set origin 0.68, 0
set title "forces on the corners of the foot"
set ylabel "[N]"
set yrange [0:180]
force(corner) = column(corner.".normal_force [N]")
plot csv using "t [s]":(force("outer_toe")) with lines linestyle 1 title "outer toe", \
     csv using "t [s]":(force("inner_toe")) with lines linestyle 3 title "inner toe", \
     csv using "t [s]":(force("outer_heel")) with lines linestyle 2 title "outer heel", \
     csv using "t [s]":(force("inner_heel")) with lines linestyle 5 title "inner heel"
unset multiplot

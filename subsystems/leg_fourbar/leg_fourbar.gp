# run taps:
csv = results."taps.csv"
columns = "NR==1 { for (i = 1; i <= NF; ++i) at[$i] = i; print \"x,z\" } "
point(name) = sprintf("print $at[\"%s_centre.position.x [m]\"] \",\" $at[\"%s_centre.position.z [m]\"]; ", name, name)
row(t, body) = sprintf("< awk -F, '%s NR==%d { %s }' '%s'", columns, t/0.01 + 2.5, body, csv)
leg(t) = row(t, point("hip").point("knee").point("foot"))
rod(t) = row(t, point("hip").point("rod_top").point("rod_foot").point("knee"))
floor = -0.6*cos(40*pi/180)
set multiplot
set lmargin 9
set rmargin 2
set size ratio -1
set title "side view at 0 and 0.5 s"
set xlabel "x [m]"
set ylabel "z [m]"
set origin 0, 0
set size 0.36, 1
set xrange [-0.33:0.17]
set yrange [-0.55:0.08]
set xtics 0.1
set arrow 1 from -0.33, floor - 0.025 to 0.17, floor - 0.025 nohead linewidth 3 linecolor rgb "#909090"
plot leg(0.5) using 1:2 with lines linewidth 4 linecolor rgb "#b0c4e8" notitle, \
     rod(0.5) using 1:2 with lines linewidth 3 linecolor rgb "#f0c4b8" notitle, \
     leg(0) using 1:2 with linespoints linewidth 5 pointtype 7 pointsize 1.2 linecolor rgb "#1f5fbf" notitle, \
     rod(0) using 1:2 with linespoints linewidth 3 pointtype 7 linecolor rgb "#d8401c" notitle
unset arrow
set size noratio
set lmargin 10
set xrange [0:4]
set xtics 1
set xlabel "time [s]"
set origin 0.36, 0
set size 0.32, 1
set title "angles: knee = motor - pitch"
set ylabel "[degrees]"
set yrange [-160:120]
degrees(joint) = column(joint.".position [rad]")*180/pi
plot csv using "t [s]":(degrees("pitch")) with lines linestyle 1 title "pitch", \
     csv using "t [s]":(degrees("knee_motor")) with lines linestyle 3 title "motor of the knee", \
     csv using "t [s]":(degrees("knee")) with lines linestyle 2 title "knee"
set origin 0.68, 0
set title "torques"
set ylabel "[N m]"
set yrange [-20:30]
plot csv using "t [s]":"abduction.effort [N m]" with lines linestyle 4 title "abduction", \
     csv using "t [s]":"pitch.effort [N m]" with lines linestyle 1 title "pitch", \
     csv using "t [s]":"knee_motor.effort [N m]" with lines linestyle 3 title "motor of the knee"
unset multiplot

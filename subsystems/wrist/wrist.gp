# run wave:
csv = results."wave.csv"
set multiplot
set lmargin 9
set rmargin 2
set origin 0, 0
set size 0.33, 1
set title "path of the flange, seen from the front"
set size ratio -1
set xlabel "y [m]"
set ylabel "z [m]"
set xrange [-0.1:0.1]
set yrange [-0.1:0.1]
set xtics 0.05
set ytics 0.05
plot csv using "tip.position.y [m]":"tip.position.z [m]" with lines linestyle 1 notitle, \
     csv every ::0::0 using "tip.position.y [m]":"tip.position.z [m]" with points pointtype 7 pointsize 1.5 linecolor rgb "#1f5fbf" title "start"
set size noratio
set lmargin 10
set xrange [0:4]
set xtics 1
set ytics auto
set xlabel "time [s]"
set origin 0.33, 0
set size 0.335, 1
set title "angles and their targets (wide)"
set ylabel "[degrees]"
set yrange [-60:140]
degrees(joint) = column(joint.".position [rad]")*180/pi
rise(x) = x < 0 ? 0 : x > 1 ? 1 : x*x*(3 - 2*x)
plot csv using "t [s]":(0.8*sin(pi*column("t [s]"))*rise(column("t [s]"))*180/pi) with lines linewidth 6 linecolor rgb "#b0c4e8" notitle, \
     csv using "t [s]":(0.6*(1 - cos(pi*column("t [s]")))*180/pi) with lines linewidth 6 linecolor rgb "#f0c4b8" notitle, \
     csv using "t [s]":(1.5*rise((column("t [s]") - 0.5)/2)*180/pi) with lines linewidth 6 linecolor rgb "#b8e0c4" notitle, \
     csv using "t [s]":(degrees("roll")) with lines linestyle 1 title "roll", \
     csv using "t [s]":(degrees("pitch")) with lines linestyle 2 title "pitch", \
     csv using "t [s]":(degrees("turn")) with lines linestyle 3 title "turn"
set origin 0.665, 0
set title "torques, friction included"
set ylabel "[N m]"
set yrange [-0.4:0.4]
plot csv using "t [s]":"roll.effort [N m]" with lines linestyle 1 title "roll", \
     csv using "t [s]":"pitch.effort [N m]" with lines linestyle 2 title "pitch", \
     csv using "t [s]":"turn.effort [N m]" with lines linestyle 3 title "turn"
unset multiplot

# Pictures of corner suspensions: what the wheel does while it droops. `body` is the one that carries the hub.
csv = results."droop.csv"
q(c) = column(body.".orientation.".c." [1]")
axis_x(c) = 2*(q("x")*q("y") - q("w")*q("z"))
axis_y(c) = 1 - 2*(q("x")**2 + q("z")**2)
axis_z(c) = 2*(q("y")*q("z") + q("w")*q("x"))
travel(c) = 1e3*(column("centre.position.z [m]") - 0.3)
set multiplot
set lmargin 10
set rmargin 3
set size 0.5, 1
set origin 0, 0
set title "alignment over rebound travel"
set xlabel "wheel travel [mm]"
set ylabel "[degrees], [cm]"
set key above maxrows 2
plot csv using (travel(0)):(atan2(-axis_z(0), axis_y(0))*180/pi) with lines linestyle 1 title "camber", \
     csv using (travel(0)):(atan2(axis_x(0), axis_y(0))*180/pi) with lines linestyle 2 title "toe", \
     csv using (travel(0)):(1e2*column("centre.position.x [m]")) with lines linestyle 3 title "centre forward [cm]", \
     csv using (travel(0)):(1e2*(column("centre.position.y [m]") - 0.75)) with lines linestyle 4 title "centre outward [cm]"
set origin 0.5, 0
set title "droop from the drawn position, no wheel below"
set xlabel "time [s]"
set ylabel "wheel travel [mm]"
set xrange [0:0.5]
set y2label "strut [kN], push positive"
set y2tics
set rmargin 9
set ytics nomirror
set key above maxrows 2
plot csv using "t [s]":(travel(0)) with lines linestyle 1 title "wheel travel", \
     csv using "t [s]":(-column("strut.spring.force [N]")/1000) axes x1y2 with lines linestyle 2 title "spring", \
     csv using "t [s]":(column("strut.rebound_stop.force [N]")/1000) axes x1y2 with lines linestyle 3 title "rebound stop"
unset multiplot

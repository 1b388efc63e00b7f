# run flight:
csv = results."flight.csv"
qw(d) = column("box.orientation.w [1]")
qx(d) = column("box.orientation.x [1]")
qy(d) = column("box.orientation.y [1]")
qz(d) = column("box.orientation.z [1]")
wx(d) = column("box.angular_velocity.x [rad/s]")
wy(d) = column("box.angular_velocity.y [rad/s]")
wz(d) = column("box.angular_velocity.z [rad/s]")
# Angular velocity along the box's own axes: R^T w.
along_x(d) = (1 - 2*(qy(0)**2 + qz(0)**2))*wx(0) + 2*(qx(0)*qy(0) + qw(0)*qz(0))*wy(0) + 2*(qx(0)*qz(0) - qw(0)*qy(0))*wz(0)
along_y(d) = 2*(qx(0)*qy(0) - qw(0)*qz(0))*wx(0) + (1 - 2*(qx(0)**2 + qz(0)**2))*wy(0) + 2*(qy(0)*qz(0) + qw(0)*qx(0))*wz(0)
along_z(d) = 2*(qx(0)*qz(0) + qw(0)*qy(0))*wx(0) + 2*(qy(0)*qz(0) - qw(0)*qx(0))*wy(0) + (1 - 2*(qx(0)**2 + qy(0)**2))*wz(0)
flip = 4.725904
set multiplot
set xrange [0:20]
set origin 0, 0.42
set size 1, 0.58
set lmargin 9
set rmargin 2
set title "spin about the box's own axes: the middle one (y) reverses again and again"
set yrange [-8:11]
set ytics 2
set ylabel "angular velocity [rad/s]"
set key top right horizontal
set for [i=0:3] arrow i+1 from (i + 0.5)*flip, -8 to (i + 0.5)*flip, 8 nohead dashtype 2 linewidth 1.5 linecolor rgb "#909090"
set arrow 9 from 0.5*flip, 8.3 to 1.5*flip, 8.3 heads size 0.15, 20 filled linewidth 1.5 linecolor rgb "#606060"
set label 9 "closed form: 4.726 s from flip to flip" at flip, 9.2 center textcolor rgb "#606060"
plot csv using "t [s]":(along_x(0)) with lines linestyle 1 title "long axis x", \
     csv using "t [s]":(along_y(0)) with lines linestyle 2 title "middle axis y", \
     csv using "t [s]":(along_z(0)) with lines linestyle 3 title "short axis z"
unset label
unset arrow
set origin 0, 0
set size 1, 0.42
set title "height of the nose, the marker on the box's y axis, along the world's y axis"
set yrange [-0.13:0.13]
set ytics 0.1
set xlabel "time [s]"
set ylabel "y [m]"
plot csv using "t [s]":"nose.position.y [m]" with lines linestyle 2 notitle
unset multiplot

# run steer: step_steer.json
# run bump: bump.json
set multiplot
set lmargin 10
set rmargin 2
set xlabel "time [s]"
csv = results."steer.csv"
set size 0.5, 0.5
set origin 0, 0.5
set title "step steer to the left at 20 m/s"
set ylabel "[m/s^2], [degrees]"
set xrange [0:4]
set yrange [-1:6]
set key bottom right
q(c) = column("car.body.orientation.".c." [1]")
yaw(c) = atan2(2*(q("w")*q("z") + q("x")*q("y")), 1 - 2*(q("y")**2 + q("z")**2))
roll(c) = atan2(2*(q("w")*q("x") + q("y")*q("z")), 1 - 2*(q("x")**2 + q("y")**2))
a(c) = column("car.body.acceleration.".c." [m/s^2]")
plot csv using "t [s]":(a("y")*cos(yaw(0)) - a("x")*sin(yaw(0))) with lines linestyle 1 title "lateral acceleration [m/s^2]", \
     csv using "t [s]":(roll(0)*180/pi) with lines linestyle 2 title "roll of the body [degrees]"
set origin 0, 0
set title ""
set ylabel "wheel load [kN]"
set yrange [0:7]
set key top right maxrows 2
load(wheel) = column("car.".wheel.".load [N]")/1000
plot csv using "t [s]":(load("front_left")) with lines linestyle 1 title "front left", \
     csv using "t [s]":(load("front_right")) with lines linestyle 1 dashtype 2 title "front right", \
     csv using "t [s]":(load("rear_left")) with lines linestyle 2 title "rear left", \
     csv using "t [s]":(load("rear_right")) with lines linestyle 2 dashtype 2 title "rear right"
csv = results."bump.csv"
set xrange [0.3:1.8]
set origin 0.5, 0.5
set title "bump of 50 mm below the left wheels at 10 m/s"
set ylabel "rise [mm]"
set yrange [-20:80]
set key top right maxrows 4
height(part, start) = 1e3*(column("car.".part.".position.z [m]") - start)
plot csv using "t [s]":(height("front.left.centre", 0.2989)) with lines linestyle 1 title "front left wheel", \
     csv using "t [s]":(height("rear.left.centre", 0.3017)) with lines linestyle 2 title "rear left wheel", \
     csv using "t [s]":(height("body", 0.55)) with lines linestyle 3 title "body"
set origin 0.5, 0
set title ""
set ylabel "wheel load [kN]"
set yrange [0:12]
set key top right maxrows 2
plot csv using "t [s]":(load("front_left")) with lines linestyle 1 title "front left", \
     csv using "t [s]":(load("front_right")) with lines linestyle 1 dashtype 2 title "front right", \
     csv using "t [s]":(load("rear_left")) with lines linestyle 2 title "rear left", \
     csv using "t [s]":(load("rear_right")) with lines linestyle 2 dashtype 2 title "rear right"
unset multiplot

# run bump:
csv = results."bump.csv"
set multiplot
set lmargin 10
set rmargin 2
set xrange [0.8:2.6]
set xlabel "time [s]"
set origin 0, 0
set size 0.5, 1
set title "wheel centres and posts on the left"
set ylabel "height over the drawn position [mm]"
set yrange [-15:70]
set key top right
height(corner) = 1e3*(column(corner.".centre.position.z [m]") - 0.3)
post(corner) = 1e3*column(corner.".post.position.z [m]")
plot csv using "t [s]":(post("front.left")) with lines linecolor rgb "#b0c4e8" linewidth 4 title "front post", \
     csv using "t [s]":(post("rear.left")) with lines linecolor rgb "#f0c4b8" linewidth 4 title "rear post", \
     csv using "t [s]":(height("front.left")) with lines linestyle 1 title "front.left", \
     csv using "t [s]":(height("rear.left")) with lines linestyle 2 title "rear.left"
set origin 0.5, 0
set title "the same sensor of four instances: front.left.travel ..."
set ylabel "arm angle [degrees]"
set yrange [-5:6]
travel(corner) = column(corner.".travel [rad]")*180/pi
plot csv using "t [s]":(travel("front.left")) with lines linestyle 1 title "front.left", \
     csv using "t [s]":(travel("front.right")) with lines linestyle 1 dashtype 2 title "front.right", \
     csv using "t [s]":(travel("rear.left")) with lines linestyle 2 title "rear.left", \
     csv using "t [s]":(travel("rear.right")) with lines linestyle 2 dashtype 2 title "rear.right"
unset multiplot

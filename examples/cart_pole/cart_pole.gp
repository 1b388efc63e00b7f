# run balance:
csv = results."balance.csv"
set multiplot
set lmargin 10
set rmargin 3

# Cart and pole every 0.1 s while it rights itself.
set origin 0, 0.5
set size 1, 0.5
set size ratio -1
set xrange [-0.6:2.6]
set yrange [-0.15:1.15]
set xlabel "x [m]"
set ylabel "z [m]"
set xtics 0.5
set ytics 0.5
set cbrange [0:2]
set cblabel "time [s]"
set title "the first 2 s: the cart runs under the leaning pole and comes back (a pole every 0.1 s)"
plot csv every 5::0::100 using (column("plant.place [m]")):(0):(column("plant.tip.position.x [m]") - column("plant.place [m]")):(column("plant.tip.position.z [m]")):(column("t [s]")) \
       with vectors nohead linewidth 2 linecolor palette notitle, \
     csv every 5::0::100 using (column("plant.place [m]")):(0):(column("t [s]")) with points pointtype 5 pointsize 1.5 linecolor palette notitle
unset colorbox

# Place and tilt over time.
set size noratio
set origin 0, 0
set size 1, 0.5
set xrange [0:14]
set yrange [-0.8:2.2]
set xtics 1
set xlabel "time [s]"
set ylabel "place [m]"
set y2range [-24:66]
set y2tics 20
set y2label "tilt [degrees]"
set rmargin 9
set border 11
set key top right
set title "place and tilt: righted from 20 degrees, sent to 1 m at 4 s, shoved at the tip with 3 N for 0.1 s at 9 s"
plot csv using "t [s]":"plant.place [m]" with lines linestyle 1 title "place of the cart", \
     csv using "t [s]":(column("plant.tilt [rad]")*180/pi) axes x1y2 with lines linestyle 2 title "tilt of the pole"
unset multiplot

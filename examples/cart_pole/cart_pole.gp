# run balance: --channel plant.place --channel plant.tilt --channel plant.tip.position
csv = results."balance.csv"
set multiplot

# Cart and pole while the pole is righted.
set origin 0, 0
set size 0.4, 1
set size ratio -1
set xrange [-0.3:1.1]
set yrange [-0.2:1.3]
set xlabel "x [m]"
set ylabel "z [m]"
set xtics 0.5
set ytics 0.5
set cbrange [0:0.8]
set colorbox horizontal user origin 0.09, 0.86 size 0.26, 0.025
set label 1 "every 0.1 s of the first 0.8 s; colour: time [s]" at screen 0.22, 0.93 center
plot csv every 5::0::40 using (column("plant.place [m]")):(0):(column("plant.tip.position.x [m]") - column("plant.place [m]")):(column("plant.tip.position.z [m]")):(column("t [s]")) \
       with vectors nohead linewidth 3 linecolor palette notitle, \
     csv every 5::0::40 using (column("plant.place [m]")):(0):(column("t [s]")) with points pointtype 5 pointsize 2.5 linecolor palette notitle
unset label 1
unset colorbox

# Place and tilt over time.
set size noratio
set lmargin at screen 0.49
set rmargin at screen 0.98
set origin 0.4, 0.5
set size 0.6, 0.5
set xrange [0:14]
set yrange [-0.4:2.4]
set xtics 2
set ytics 0.5
unset xlabel
set ylabel "place of the cart [m]"
set label 1 "let go at 20 degrees" at 0.8, 0.85
set label 2 "sent to 1 m" at 5.9, 0.4
set label 3 "shoved" at 9.1, 2.1
plot csv using "t [s]":"plant.place [m]" with lines linestyle 1 notitle
unset label
set origin 0.4, 0
set yrange [-22:24]
set ytics 10
set xlabel "time [s]"
set ylabel "tilt of the pole [degrees]"
plot csv using "t [s]":(column("plant.tilt [rad]")*180/pi) with lines linestyle 2 notitle
unset multiplot

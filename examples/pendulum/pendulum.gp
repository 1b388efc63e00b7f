# run swing:
csv = results."swing.csv"
period = 1.933335
set multiplot

# One half swing, a rod every 0.05 s.
set origin 0, 0
set size 0.42, 1
set size ratio -1
set xrange [-1.15:1.15]
set yrange [-1.15:0.25]
set xlabel "x [m]"
set ylabel "z [m]"
set cbrange [0:1]
set colorbox horizontal user origin 0.09, 0.88 size 0.28, 0.025
set label 1 "the rod every 0.05 s of the first half swing; colour: time [s]" at screen 0.23, 0.95 center
plot csv every 5::0::95 using (0):(0):(column("tip.position.x [m]")):(column("tip.position.z [m]")):(column("t [s]")) \
       with vectors nohead linewidth 3 linecolor palette notitle, \
     csv every 5::0::95 using (column("tip.position.x [m]")):(column("tip.position.z [m]")):(column("t [s]")) \
       with points pointtype 7 pointsize 1 linecolor palette notitle, \
     "+" every 1000 using (0):(0) with points pointtype 7 pointsize 1.6 linecolor rgb "#303030" notitle
unset label 1

# Angle and energies over time, with the period of the closed form.
set size noratio
set origin 0.43, 0.5
set size 0.56, 0.5
set xrange [0:4.2]
set yrange [-100:130]
set ytics 45
unset xlabel
set ylabel "angle [degrees]"
set for [i=1:2] arrow i from i*period, -100 to i*period, 105 nohead dashtype 2 linewidth 1.5 linecolor rgb "#606060"
set label 1 "period T = 1.9333 s" at period, 116 center textcolor rgb "#606060"
set label 2 "2 T" at 2*period, 116 center textcolor rgb "#606060"
plot csv using "t [s]":(column("hinge.position [rad]")*180/pi) with lines linestyle 1 notitle
unset label
unset arrow
set origin 0.43, 0
set yrange [-11:16]
set ytics 5
set xlabel "time [s]"
set ylabel "energy [J]"
set key top center horizontal
plot csv using "t [s]":"energy.kinetic [J]" with lines linestyle 2 title "kinetic", \
     csv using "t [s]":"energy.potential [J]" with lines linestyle 1 title "potential", \
     csv using "t [s]":"energy.total [J]" with lines linestyle 6 title "total"
unset multiplot

# run taps:
csv = results."taps.csv"
columns = "NR==1 { for (i = 1; i <= NF; ++i) at[$i] = i; print \"x,z\" } "
point(name) = sprintf("print $at[\"%s_centre.position.x [m]\"] \",\" $at[\"%s_centre.position.z [m]\"]; ", name, name)
leg(t) = sprintf("< awk -F, '%s NR==%d { %s }' '%s'", columns, t/0.01 + 2.5, point("hip").point("knee").point("foot"), csv)
floor = -0.6*cos(40*pi/180)
set multiplot
set lmargin 9
set rmargin 2
set size ratio -1
set origin 0, 0
set size 0.36, 1
set title "side view, 0 to 0.5 s"
set xlabel "x [m]"
set ylabel "z [m]"
set xrange [-0.33:0.17]
set yrange [-0.55:0.08]
set xtics 0.1
set arrow 1 from -0.33, floor - 0.025 to 0.17, floor - 0.025 nohead linewidth 3 linecolor rgb "#909090"
set palette defined (0 "#1f5fbf", 1 "#d8401c")
unset colorbox
plot for [i = 0:5] leg(0.1*i) using 1:2 with linespoints linewidth 4 pointtype 7 pointsize 1.2 linecolor palette frac i/5. notitle
unset arrow
set size noratio
set lmargin 10
set xrange [0:4]
set xtics 1
set xlabel "time [s]"
set origin 0.36, 0
set size 0.32, 1
set title "foot above the floor, force on it"
set ylabel "height [mm], force [N]"
set yrange [-10:180]
set key top right
plot csv using "t [s]":(1e3*(column("foot_centre.position.z [m]") - floor)) with lines linestyle 1 title "height [mm]", \
     csv using "t [s]":"load [N]" with lines linestyle 2 title "force [N]"
set origin 0.68, 0
set title "torques"
set ylabel "[N m]"
set yrange [-20:30]
plot csv using "t [s]":"abduction.effort [N m]" with lines linestyle 3 title "abduction", \
     csv using "t [s]":"pitch.effort [N m]" with lines linestyle 1 title "pitch", \
     csv using "t [s]":"knee.effort [N m]" with lines linestyle 2 title "knee"
unset multiplot

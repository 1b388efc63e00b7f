# run walk: --channel float.position --channel '*_centre.position' --channel '*.load'
csv = results."walk.csv"
set terminal pngcairo size 1200, 680 font "DejaVu Sans,13" rounded
columns = "NR==1 { for (i = 1; i <= NF; ++i) at[$i] = i; print \"x,z\" } "
point(name) = sprintf("print $at[\"%s_centre.position.x [m]\"] \",\" $at[\"%s_centre.position.z [m]\"]; ", name, name)
row(t, body) = sprintf("< awk -F, '%s NR==%d { %s }' '%s'", columns, t/0.01 + 2.5, body, csv)
leg(t, name) = row(t, point(name.".hip").point(name.".knee").point(name.".foot"))
body(t) = row(t, point("rear_left.hip").point("front_left.hip"))
times = "1.5 3.37 3.5 3.62 4.3"
say(i) = i == 1 ? "1.5 s: stands" : i == 5 ? "4.3 s: pushed" : sprintf("%.2f s", when(i))
when(i) = real(word(times, i))
set multiplot
set origin 0, 0.62
set size 1, 0.38
set lmargin 8
set rmargin 2
set size ratio -1
set xrange [-0.45:4.55]
set yrange [-0.02:0.68]
set ylabel "z [m]"
set format x ""
set xtics scale 0 ()
set ytics 0.2
unset grid
do for [i=1:5] { set label say(i) at i - 1, 0.62 center }
set arrow 1 from -0.45, 0 to 4.55, 0 nohead linewidth 2 linecolor rgb "#909090"
plot for [i=1:5] leg(when(i), "front_right") using ($1 + i - 1):2 with lines linewidth 3 linecolor rgb "#f0a48f" notitle, \
     for [i=1:5] leg(when(i), "rear_right") using ($1 + i - 1):2 with lines linewidth 3 linecolor rgb "#9dbbe6" notitle, \
     for [i=1:5] body(when(i)) using ($1 + i - 1):2 with lines linewidth 10 linecolor rgb "#505050" notitle, \
     for [i=1:5] leg(when(i), "front_left") using ($1 + i - 1):2 with linespoints linewidth 4 pointtype 7 linecolor rgb "#1f5fbf" notitle, \
     for [i=1:5] leg(when(i), "rear_left") using ($1 + i - 1):2 with linespoints linewidth 4 pointtype 7 linecolor rgb "#d8401c" notitle
unset label
unset arrow
set grid
set size noratio
set lmargin 9
set format x
set xtics auto scale 1
set xrange [0:7]
set xlabel "time [s]"
set origin 0, 0
set size 0.34, 0.63
set title "heights of trunk and feet"
set yrange [0:0.6]
set ytics 0.1
set key at graph 1, 0.72
plot csv using "t [s]":(column("float.position.z [m]") + 0.4846) with lines linewidth 2 linecolor rgb "#505050" title "trunk", \
     csv using "t [s]":"front_left.foot_centre.position.z [m]" with lines linestyle 1 title "front left", \
     csv using "t [s]":"front_right.foot_centre.position.z [m]" with lines linestyle 2 title "front right"
set origin 0.34, 0
set size 0.33, 0.63
set key default samplen 1.5 spacing 1.2
set key top right horizontal
set title "attitude of the trunk"
set ylabel "[degrees]"
set yrange [-6:8]
set ytics 2
angle(c) = column("float.position.".c." [rad]")*180/pi
plot csv using "t [s]":(angle("rz")) with lines linestyle 4 linewidth 1.5 title "yaw", \
     csv using "t [s]":(angle("rx")) with lines linestyle 3 title "roll", \
     csv using "t [s]":(angle("ry")) with lines linestyle 5 title "pitch"
set origin 0.67, 0
set key top right vertical
set title "foot forces"
set ylabel "[N]"
set yrange [0:900]
set ytics 100
total(a) = column("front_left.load [N]") + column("front_right.load [N]") + column("rear_left.load [N]") + column("rear_right.load [N]")
plot csv using "t [s]":(total(0)) with lines linestyle 6 linewidth 1.2 title "all", \
     262.9 with lines linecolor rgb "#000000" dashtype 2 title "weight", \
     csv using "t [s]":"front_left.load [N]" with lines linestyle 1 linewidth 1.2 title "front left"
unset multiplot

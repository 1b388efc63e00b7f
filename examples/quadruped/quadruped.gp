# run trot: --output-step 0.01
csv = results."trot.csv"
set terminal pngcairo size 1200, 620 font "DejaVu Sans,13" rounded
# One leg at time t, seen from the side: hip, knee, foot; and the trunk from rear to front with the straps.
columns = "NR==1 { for (i = 1; i <= NF; ++i) at[$i] = i; print \"x,z\" } "
point(name) = sprintf("print $at[\"%s.position.x [m]\"] \",\" $at[\"%s.position.z [m]\"]; ", name, name)
row(t, body) = sprintf("< awk -F, '%s NR==%d { %s }' '%s'", columns, t/0.01 + 2.5, body, csv)
leg(t, name) = row(t, point(name."_thigh").point(name."_shank").point(name."_foot"))
trunk(t) = row(t, "print \"-0.3,1.7\"; ".point("rl_hip").point("fl_hip")."print \"0.3,1.7\"; ")
body(t) = row(t, point("rl_hip").point("fl_hip").point("nose"))
times = "0 0.3 4.1 4.28 4.46 4.64"
when(i) = real(word(times, i))
set multiplot
set origin 0, 0.42
set size 1, 0.58
set lmargin 8
set rmargin 2
set size ratio -1
set xrange [-0.6:6.8]
set yrange [0.2:1.85]
set ylabel "z [m]"
set format x ""
set xtics scale 0 ()
unset grid
say(i) = i == 1 ? "0 s: let go" : i == 2 ? "0.3 s: caught" : sprintf("%.2f s", when(i))
do for [i=1:6] { set label say(i) at 1.25*(i - 1), 1.8 center }
plot for [i=1:6] trunk(when(i)) using ($1 + 1.25*(i - 1)):2 with lines linewidth 1.5 linecolor rgb "#c08a00" notitle, \
     for [i=1:6] leg(when(i), "fr") using ($1 + 1.25*(i - 1)):2 with lines linewidth 3 linecolor rgb "#f0a48f" notitle, \
     for [i=1:6] leg(when(i), "rr") using ($1 + 1.25*(i - 1)):2 with lines linewidth 3 linecolor rgb "#9dbbe6" notitle, \
     for [i=1:6] body(when(i)) using ($1 + 1.25*(i - 1)):2 with lines linewidth 9 linecolor rgb "#505050" notitle, \
     for [i=1:6] leg(when(i), "fl") using ($1 + 1.25*(i - 1)):2 with linespoints linewidth 4 pointtype 7 linecolor rgb "#1f5fbf" notitle, \
     for [i=1:6] leg(when(i), "rl") using ($1 + 1.25*(i - 1)):2 with linespoints linewidth 4 pointtype 7 linecolor rgb "#d8401c" notitle
unset label
set grid
set size noratio
set lmargin
set rmargin
set format x
set xtics auto scale 1
set xrange [0:8]
set xlabel "time [s]"
set origin 0, 0
set size 0.5, 0.46
set title "height of the trunk and of the left feet"
set yrange [0.25:1.05]
set ytics 0.2
set ylabel "z [m]"
set label 1 "trunk" at 6.5, 0.98
set label 2 "feet" at 6.5, 0.58
plot csv using "t [s]":"trunk.position.z [m]" with lines linewidth 2 linecolor rgb "#505050" notitle, \
     csv using "t [s]":"fl_foot.position.z [m]" with lines linestyle 1 linewidth 1.5 notitle, \
     csv using "t [s]":"rl_foot.position.z [m]" with lines linestyle 2 linewidth 1.5 notitle
unset label
set origin 0.5, 0
set title "roll and yaw of the trunk: the push at 4 s sets it swinging"
set yrange [-18:22]
set ytics 10
set ylabel "[degrees]"
set key top left horizontal
plot csv using "t [s]":(column("float.position.rx [rad]")*180/pi) with lines linestyle 3 title "roll", \
     csv using "t [s]":(column("float.position.rz [rad]")*180/pi) with lines linestyle 4 title "yaw"
unset multiplot

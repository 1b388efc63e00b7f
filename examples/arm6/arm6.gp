# run poses: --output-step 0.02
csv = results."poses.csv"
set terminal pngcairo size 1200, 600 font "DejaVu Sans,13" rounded
# The arm at time t as a line through its joints.
parts = "carousel upper_arm forearm tube wrist gripper tool"
arm(t) = sprintf("< awk -F, 'NR==1 { for (i = 1; i <= NF; ++i) at[$i] = i } NR==%d { print \"x,y,z,t\"; print \"0,0,0,\" $1; \
  n = split(\"%s\", part, \" \"); for (k = 1; k <= n; ++k) { p = at[part[k] \".position.x [m]\"]; print $p \",\" $(p + 1) \",\" $(p + 2) \",\" $1 } }' '%s'", t/0.02 + 2.5, parts, csv)
set multiplot

set origin -0.03, -0.1
set size 0.66, 1.22
set label 1 "poses from 0.5 s to 3 s, path of the tool and its shadow" at screen 0.3, 0.95 center
set view 62, 328
set view equal xyz
set xyplane at 0
set xrange [-0.5:1.5]
set yrange [-0.3:1.6]
set zrange [0:1.6]
set xtics 0.5 offset 0, -0.3
set ytics 0.5
set ztics 0.5
set xlabel "x [m]"
set ylabel "y [m]"
set zlabel "z [m]" offset 2
set cbrange [0:3]
set cblabel "time [s]"
set colorbox user origin 0.6, 0.3 size 0.015, 0.45
set border 127+256+512 linecolor rgb "#b0b0b0"
splot csv every ::0::150 using "tool.position.x [m]":"tool.position.y [m]":(0):"t [s]" with lines linewidth 1 linecolor rgb "#b0b0b0" notitle, \
      csv every ::0::150 using "tool.position.x [m]":"tool.position.y [m]":"tool.position.z [m]":"t [s]" with lines linewidth 2 linecolor palette notitle, \
      for [t in "0.5 1 1.4 1.8 2.2 3"] arm(real(t)) using "x":"y":"z":"t" with linespoints linewidth 5 pointtype 7 pointsize 1.2 linecolor palette notitle
unset label
unset colorbox
set border 3 linecolor rgb "#606060"

set origin 0.67, 0.5
set size 0.33, 0.5
set title "torques of the drives"
set xrange [0:4]
set xtics 1
set yrange [-1500:500]
set ytics 500
unset xlabel
set ylabel "torque [N m]"
set label 1 "j1" at 0.75, 330 textcolor rgb "#1f5fbf"
set label 2 "j2" at 1.75, -600 textcolor rgb "#d8401c"
set label 3 "j3" at 3.3, -380 textcolor rgb "#2a9d55"
plot csv using "t [s]":"j1.effort [N m]" with lines linestyle 1 notitle, \
     csv using "t [s]":"j2.effort [N m]" with lines linestyle 2 notitle, \
     csv using "t [s]":"j3.effort [N m]" with lines linestyle 3 notitle
unset label
set origin 0.67, 0
set title "the compliant wrist"
set yrange [-3:7]
set ytics 2
set xlabel "time [s]"
set ylabel "[degrees], [rad/s]"
set label 1 "speed of j6" at 1.9, 5.6 textcolor rgb "#8a5fbf"
set label 2 "j5 gives way" at 1.7, -1.9 textcolor rgb "#c08a00"
plot csv using "t [s]":(column("j5.position [rad]")*180/pi - 45) with lines linestyle 5 notitle, \
     csv using "t [s]":"j6.velocity [rad/s]" with lines linestyle 4 notitle
unset multiplot

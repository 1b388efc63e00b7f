# run car: --channel '*.ring.position' --channel '*.cylinder.position' --channel '*.piston.position' --channel 'body.body.position' --channel '*.opening'
# run drifting: --no-project --channel '*.opening'
# run fine: --integrator dopri5 --tolerance 1e-10 --channel body.body.position.z
set terminal pngcairo size 1200, 620 font "DejaVu Sans,13" rounded
csv = results."car.csv"
columns = "NR==1 { for (i = 1; i <= NF; ++i) at[$i] = i; print \"x,z\" } "
# Seen from behind: arms from pivot to hub; dampers from foot to top, which lie half of the distance of their centres of mass beyond them.
row(t, body) = sprintf("< awk -F, '%s function of(name) { x = $at[name \".position.x [m]\"]; z = $at[name \".position.z [m]\"] } \
  NR==%d { of(\"body.body\"); bx = x; bz = z; %s }' '%s'", columns, t/0.01 + 2.5, body, csv)
arm(side, sign) = sprintf("of(\"%s_wheel.ring\"); print bx + %g*0.4 \",\" bz \"\\n\" x \",\" z \"\\n\"; ", side, sign)
damper(side) = sprintf("of(\"%s_suspension.damper.piston\"); px = x; pz = z; of(\"%s_suspension.damper.cylinder\"); \
  print px - (x - px)/2 \",\" pz - (z - pz)/2 \"\\n\" x + (x - px)/2 \",\" z + (z - pz)/2 \"\\n\"; ", side, side)
tyre(side) = sprintf("of(\"%s_wheel.ring\"); print x \",\" z - 0.3 \"\\n\" x \",\" z + 0.3 \"\\n\"; ", side)
corner(x, z) = sprintf("print bx + %g \",\" bz + %g; ", x, z)
box = corner(-0.4, -0.1).corner(0.4, -0.1).corner(0.4, 0.1).corner(0.55, 0.35).corner(0.55, 0.45).corner(-0.55, 0.45).corner(-0.55, 0.35).corner(-0.4, 0.1).corner(-0.4, -0.1)
# Largest component of all openings in each row.
drift(run) = sprintf("< awk -F, 'NR > 1 { m = 0; for (i = %d; i <= NF; ++i) { a = $i < 0 ? -$i : $i; if (a > m) m = a } \
  if (m > 0) print $1 \",\" m }' '%s%s.csv'", run eq "car" ? 23 : 2, results, run)
set multiplot
set lmargin 8
set rmargin 2
set size ratio -1
set xrange [-1.15:1.15]
set yrange [-0.12:0.85]
unset grid
set xtics 0.5
set ytics 0.2
set ylabel "z [m]"
do for [i = 0:1] {
  t = i == 0 ? 0 : 0.34
  set origin 0, 0.5 - 0.5*i
  set size 0.36, 0.5
  set title i == 0 ? "as drawn: wheel springs relaxed" : "0.34 s: the lowest point"
  plot row(t, tyre("left").tyre("right")) using 1:2 with lines linewidth 14 linecolor rgb "#d8401c" notitle, \
       row(t, arm("left", -1).arm("right", 1)) using 1:2 with linespoints linewidth 5 pointtype 7 linecolor rgb "#8a5fbf" notitle, \
       row(t, damper("left").damper("right")) using 1:2 with linespoints linewidth 5 pointtype 7 linecolor rgb "#c08a00" notitle, \
       row(t, box) using 1:2 with lines linewidth 3 linecolor rgb "#606060" notitle
}
set grid
set size noratio
set xrange [0:1.3]
set xtics 0.2
set lmargin 10
set origin 0.36, 0
set size 0.32, 1
set xlabel "time [s]"
set title "height of the car body"
set ylabel "z [m]"
set yrange [0.17:0.32]
set ytics 0.02
set key top right
plot results."fine.csv" using "t [s]":"body.body.position.z [m]" with lines linecolor rgb "#b0c4e8" linewidth 6 title "dopri5, 1e-10", \
     csv using "t [s]":"body.body.position.z [m]" with lines linestyle 1 title "rk2, 0.01 s"
set origin 0.68, 0
set title "drift: largest opening of a joint"
set ylabel "[m, rad]"
set logscale y
set format y "1e%T"
set yrange [1e-18:1e-2]
set ytics 1e2
unset mytics
set datafile nocolumnheaders
plot drift("drifting") using 1:2 with lines linestyle 2 title "not projected", \
     drift("car") using 1:2 with lines linestyle 1 title "projected"
unset multiplot

# Energy error over a million steps of an open chain, a loop in a plane and a loop in space.
set terminal pngcairo size 1200, 470 font "DejaVu Sans,12" rounded
set multiplot
array models[3] = ["double_pendulum", "loop4", "rssr"]
array titles[3] = ["double pendulum, h = 5 ms", "loop of four, h = 20 ms", "spatial four-bar, h = 2 ms"]
set logscale xy
set format x "10^{%T}"
set format y "1e%T"
set xrange [10:1e6]
set yrange [1e-14:1]
set xtics 10
set ytics 1e2
unset mxtics
unset mytics
set xlabel "steps"
set lmargin 9
set rmargin 1.5
unset key
set size 0.332, 0.92
# What the lines are, below all three.
array names[5] = ["implicit midpoint", "gauss4", "gauss4, loops corrected after steps", "rk4 at gauss4's cost", "dopri5 at gauss4's cost"]
array places[5] = [0.04, 0.2, 0.3, 0.585, 0.785]
array styles[5] = [3, 1, 6, 5, 2]
set style line 6 dashtype 2
do for [k = 1:5] {
  from = places[k]
  to = from + 0.03
  set arrow k from screen from, screen 0.045 to screen to, screen 0.045 nohead linestyle styles[k]
  set label k names[k] at screen to + 0.007, screen 0.045
}
do for [i = 1:3] {
  set origin 0.005 + 0.332*(i - 1), 0.08
  set title titles[i]
  set ylabel (i == 1 ? "energy error [J]" : "")
  file = results."long-energy-".models[i].".csv"
  plot file using 1:3 with lines linestyle 3, \
       file using 1:5 with lines linestyle 5, \
       file using 1:6 with lines linestyle 2, \
       file using 1:(i == 1 ? column(4) : column(7)) with lines linestyle 6, \
       file using 1:4 with lines linestyle 1
  unset arrow
  unset label
}
unset multiplot

# Energy error over a million steps of an open chain, a loop in a plane and a loop in space.
set terminal pngcairo size 1200, 460 font "DejaVu Sans,12" rounded
set multiplot
array models[3] = ["double_pendulum", "loop4", "rssr"]
array titles[3] = ["double pendulum, h = 5 ms", "loop of four, h = 20 ms", "spatial four-bar, h = 2 ms"]
array highs[3] = [1, 1, 1]
array lows[3] = [1e-12, 1e-14, 1e-14]
set logscale xy
set format x "10^{%T}"
set format y "1e%T"
set xrange [10:1e6]
set xtics 10
set ytics 1e2
unset mxtics
unset mytics
set xlabel "steps"
set lmargin 9
set rmargin 1.5
set bmargin 6.5
do for [i = 1:3] {
  set origin 0.005 + 0.332*(i - 1), 0
  set size 0.332, 1
  set title titles[i]
  set ylabel (i == 1 ? "energy error [J], largest since the last point" : "")
  set yrange [lows[i]:highs[i]]
  if (i == 2) { set key at screen 0.5, screen 0.055 center center horizontal maxrows 1 width 1 } else { unset key }
  file = results."long-energy-".models[i].".csv"
  if (i == 1) {
    plot file using 1:3 with lines linestyle 3, file using 1:4 with lines linestyle 1, file using 1:5 with lines linestyle 5, \
         file using 1:6 with lines linestyle 2
  } else {
    plot file using 1:3 with lines linestyle 3 title "implicit midpoint", file using 1:4 with lines linestyle 1 title "gauss4", \
         file using 1:5 with lines linestyle 5 title "rk4 of the same cost", file using 1:6 with lines linestyle 2 title "dopri5 of the same cost", \
         file using 1:7 with lines linestyle 6 dashtype 2 title "gauss4, loops only corrected after steps"
  }
}
unset multiplot

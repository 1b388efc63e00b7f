# Largest energy error over many steps: symplectic methods beside explicit ones that evaluate as often.
set terminal pngcairo size 1200, 460 font "DejaVu Sans,12" rounded
set multiplot layout 1, 2 margins 0.07, 0.985, 0.14, 0.92 spacing 0.085, 0
set logscale xy
set format xy "1e%T"
set xlabel "steps"
set ylabel "energy error [J]"
unset mxtics
unset mytics
array names[2] = ["double_pendulum", "loop4"]
array titles[2] = ["double pendulum, steps of 5 ms", "loop of four (case 1), steps of 10 ms"]
array methods[5] = ["implicit midpoint", "gauss4", "rk4", "dopri5", "gauss4 corrected after steps"]
array styles[5] = [5, 1, 2, 3, 4]
drawn(x) = x > 0 ? x : NaN
do for [pane = 1:2] {
  set title titles[pane]
  set yrange [pane == 1 ? 1e-13 : 1e-16:pane == 1 ? 10 : 1e-1]
  set ytics 1e2
  if (pane == 1) { set key bottom right } else { set key top left horizontal }
  plot for [i = (pane == 1 ? 1 : 5):(pane == 1 ? 4 : 5)] results."long-energy-".names[pane].".csv" \
         using "step":(drawn(column(methods[i]." [J]"))) with lines linestyle styles[i] title methods[i], \
       for [i = 1:(pane == 1 ? 0 : 4)] results."long-energy-".names[pane].".csv" \
         using "step":(drawn(column(methods[i]." [J]"))) with lines linestyle styles[i] notitle
}
unset multiplot

# Figures 7 and 8 of the subsystem-multiplier paper: carpet scraper above, 3-RRR manipulator below.
set terminal pngcairo size 1200, 760 font "DejaVu Sans,12" rounded
set multiplot layout 2, 3 margins 0.055, 0.985, 0.08, 0.95 spacing 0.08, 0.13
set xrange [0:5]
drawn(x) = x > 0 ? x : NaN
array names[2] = ["carpet_scraper", "three_rrr"]
array joints[2] = ["j1", "A1 A2 A3"]
array wide[3] = ["#b0c4e8", "#f3c0b2", "#b7e0c6"]
do for [row = 1:2] {
  name = names[row]
  set xlabel (row == 2 ? "time [s]" : "")
  set title row == 1 ? "scraper, free: HDCA wide, SSLM thin" : "3-RRR, free: HDCA wide, SSLM thin"
  set ylabel "angle [rad]"
  if (row == 1) { set key top left } else { set key bottom left }
  file = results."free-".name.".csv"
  plot for [i = 1:words(joints[row])] file using "t":word(joints[row], i)."_hdca" with lines linewidth 5 linecolor rgb wide[i] notitle, \
       for [i = 1:words(joints[row])] file using "t":word(joints[row], i)."_sslm" with lines linestyle i linewidth 1.2 \
         title word(joints[row], i)
  file = results."forced-".name.".csv"
  set title "forced: efforts of the drives"
  set ylabel "effort [N m]"
  unset key
  plot for [i = 1:words(joints[row])] file using "t":word(joints[row], i)."_effort" with lines linestyle i
  set title "forced: deviation from the motion"
  set ylabel "largest of all joints [rad]"
  set logscale y
  set format y "1e%T"
  set yrange [1e-14:1e-1]
  set ytics 1e3
  unset mytics
  if (row == 1) { set key top left } else { unset key }
  plot file using "t":(drawn(column("deviation"))) with lines linestyle 1 title "at 1e-8", \
       file using "t":(drawn(column("deviation_fine"))) with lines linestyle 3 title "at 1e-12"
  unset logscale y
  set format y
  set autoscale y
  set ytics autofreq
}
unset multiplot

# Figures 7 and 8 of the subsystem-multiplier paper: carpet scraper above, 3-RRR manipulator below.
set terminal pngcairo size 1200, 760 font "DejaVu Sans,12" rounded
set multiplot layout 2, 3 margins 0.06, 0.985, 0.08, 0.95 spacing 0.075, 0.13
set xrange [0:5]
array names[2] = ["carpet_scraper", "three_rrr"]
array joints[2] = ["j1", "A1 A2 A3"]
array wide[3] = ["#b0c4e8", "#f3c0b2", "#b7e0c6"]
do for [row = 1:2] {
  name = names[row]
  set xlabel (row == 2 ? "time [s]" : "")
  set title row == 1 ? "carpet scraper, free: HDCA wide, SSLM thin" : "3-RRR manipulator, free"
  set ylabel "angle [rad]"
  set key top left opaque
  file = results."free-".name.".csv"
  plot for [i = 1:words(joints[row])] file using "t":word(joints[row], i)."_hdca" with lines linewidth 5 linecolor rgb wide[i] notitle, \
       for [i = 1:words(joints[row])] file using "t":word(joints[row], i)."_sslm" with lines linestyle i linewidth 1.2 \
         title word(joints[row], i)
  file = results."forced-".name.".csv"
  set title "forced: efforts of the drives"
  set ylabel "effort [N m]"
  unset key
  plot for [i = 1:words(joints[row])] file using "t":word(joints[row], i)."_effort" with lines linestyle i
  set title "forced: deviation from the prescribed motion"
  set ylabel "largest of all joints [rad]"
  set logscale y
  set format y "1e%T"
  plot file using "t":(column("deviation") > 0 ? column("deviation") : NaN) with lines linestyle 1
  unset logscale y
  set format y
}
unset multiplot

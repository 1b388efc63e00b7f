# Figures 3 and 4 of the block-module paper: height of the car's body, and the drift of its joints.
set terminal pngcairo size 1200, 420 font "DejaVu Sans,12" rounded
set multiplot layout 1, 2 margins 0.06, 0.98, 0.14, 0.9 spacing 0.09, 0
file = results."car.csv"
set xrange [0:1.3]
set xlabel "time [s]"
set title "height of the car body"
set ylabel "z [m]"
set key top right
plot file using "t":"z_fine" with lines linewidth 5 linecolor rgb "#b0c4e8" title "HDCA, dopri5 at 1e-10", \
     file using "t":"z" with lines linestyle 1 title "block-module, rk2 of 0.01 s"
set title "drift: largest opening of a joint"
set ylabel "[m, rad]"
set logscale y
set format y "1e%T"
set yrange [1e-17:1e-1]
set ytics 1e2
unset mytics
set key center right
drawn(x) = x > 1e-17 ? x : NaN
plot file using "t":(drawn(column("drift_drifting"))) with lines linestyle 2 title "block-module, not stabilised", \
     file using "t":(drawn(column("drift"))) with lines linestyle 1 title "block-module, post-stabilised", \
     file using "t":(drawn(column("drift_hdca"))) with lines linestyle 3 linewidth 1.2 title "HDCA, projected"
unset multiplot

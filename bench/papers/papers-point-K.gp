# Figures 6 and 7 of the closed-loop HDCA paper: point K of case 1.
set terminal pngcairo size 1200, 400 font "DejaVu Sans,12" rounded
set multiplot layout 1, 2 margins 0.06, 0.98, 0.15, 0.9 spacing 0.08, 0
set xrange [0:10]
set xlabel "time [s]"
file = results."point-K.csv"
set title "height of K"
set ylabel "y [m]"
set key top right horizontal
set yrange [-1.8:-0.85]
plot file using "t":"y_hdca" with lines linewidth 5 linecolor rgb "#b0c4e8" title "HDCA", \
     file using "t":"y_dca" with lines linestyle 2 linewidth 1.5 title "DCA"
set title "vertical velocity of K"
set ylabel "velocity [m/s]"
unset key
set autoscale y
plot file using "t":"v_hdca" with lines linewidth 5 linecolor rgb "#b0c4e8" title "HDCA", \
     file using "t":"v_dca" with lines linestyle 2 linewidth 1.5 title "DCA"
unset multiplot

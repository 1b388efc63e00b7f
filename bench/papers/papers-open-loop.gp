# Figures 5 to 8 of the open-loop HDCA paper: the chain of 16.
set terminal pngcairo size 1200, 760 font "DejaVu Sans,12" rounded
set multiplot layout 2, 2 margins 0.07, 0.98, 0.08, 0.95 spacing 0.085, 0.12
file = results."chain.csv"
set xrange [0:10]
set title "energies"
set ylabel "energy [J]"
set key top center horizontal
set yrange [-1500:2000]
plot file using "t":"kinetic" with lines linestyle 2 title "kinetic", file using "t":"potential" with lines linestyle 1 title "potential", \
     file using "t":"total" with lines linestyle 3 title "total"
set title "error of the total energy"
set ylabel "energy error [J]"
set logscale y
set format y "1e%T"
set yrange [1e-9:1e-1]
set ytics 1e2
unset mytics
set key bottom right vertical
plot file using "t":($1 > 0 ? column("error_dca") : NaN) with lines linestyle 2 title "DCA", \
     file using "t":($1 > 0 ? column("error_hdca") : NaN) with lines linestyle 1 title "HDCA"
unset logscale y
set format y
set autoscale y
set ytics autofreq
set xlabel "time [s]"
set title "tip: HDCA wide, DCA thin"
set ylabel "position [m]"
set key top right
set yrange [-20:20]
plot file using "t":"x_hdca" with lines linewidth 5 linecolor rgb "#b0c4e8" title "x", \
     file using "t":"x_dca" with lines linestyle 1 linewidth 1.2 notitle, \
     file using "t":"y_hdca" with lines linewidth 5 linecolor rgb "#f3c0b2" title "y", \
     file using "t":"y_dca" with lines linestyle 2 linewidth 1.2 notitle
set ylabel "velocity [m/s]"
unset key
set autoscale y
plot file using "t":"vx_hdca" with lines linewidth 5 linecolor rgb "#b0c4e8", \
     file using "t":"vx_dca" with lines linestyle 1 linewidth 1.2, \
     file using "t":"vy_hdca" with lines linewidth 5 linecolor rgb "#f3c0b2", \
     file using "t":"vy_dca" with lines linestyle 2 linewidth 1.2
unset multiplot

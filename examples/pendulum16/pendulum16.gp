# run chain: --output-step 0.1 --channel 'b*.position'
# run tip: --channel tip.position --channel energy
set terminal pngcairo size 1200, 540 font "DejaVu Sans,13" rounded
tip = results."tip.csv"
set multiplot

# Every row becomes a line through the joints: each joint mirrors the one before at the centre of mass of the link between.
lines(to) = sprintf("< awk -F, 'NR==1 { print \"x,y,t\"; next } $1 <= %g { x = y = 0; print x \",\" y \",\" $1; \
  for (i = 2; i <= 47; i += 3) { x = 2*$i - x; y = 2*$(i + 1) - y; print x \",\" y \",\" $1 } print \"\" }' '%schain.csv'", to, results)
set origin 0, 0
set size 0.69, 1
set size ratio -1
set title "the chain every 0.1 s of the first 5 s, and the path of its tip"
set xrange [-15.5:16.5]
set yrange [-17:3]
set xlabel "x [m]"
set ylabel "y [m]"
set cblabel "time [s]"
set cbrange [0:5]
plot tip every ::0::500 using "tip.position.x [m]":"tip.position.y [m]" with lines linewidth 1 linecolor rgb "#909090" notitle, \
     lines(5) using "x":"y":"t" with lines linewidth 2 linecolor palette notitle

set size noratio
unset colorbox
set title "energies"
set origin 0.69, 0.5
set size 0.305, 0.5
set xrange [0:10]
set yrange [-1800:1800]
set ytics 1000
unset xlabel
set ylabel "energy [J]"
set label 1 "kinetic" at 3.3, 1350 textcolor rgb "#d8401c"
set label 2 "potential" at 3.3, -1450 textcolor rgb "#1f5fbf"
set label 3 "total" at 8.6, 250 textcolor rgb "#606060"
plot tip using "t [s]":"energy.kinetic [J]" with lines linestyle 2 notitle, \
     tip using "t [s]":"energy.potential [J]" with lines linestyle 1 notitle, \
     tip using "t [s]":"energy.total [J]" with lines linestyle 6 notitle
unset label
set title "energy drift, tolerance 1e-6"
set origin 0.69, 0
set autoscale y
set ytics auto
set xlabel "time [s]"
set ylabel "E(t) - E(0) [mJ]"
plot tip using "t [s]":(1e3*column("energy.total [J]")) with lines linestyle 6 notitle
unset multiplot

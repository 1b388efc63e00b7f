# run rope: --until 4 --output-step 0.25 --channel '*.rod.position'
# run end: --until 4 --output-step 0.02 --channel end.position
set terminal pngcairo size 1200, 560 font "DejaVu Sans,13" rounded
set multiplot

# Every row becomes a line through the centres of the links.
lines = sprintf("< awk -F, 'NR==1 { print \"x,z,t\"; next } { for (i = 2; i <= NF; i += 3) print $i \",\" $(i + 2) \",\" $1; print \"\" }' '%srope.csv'", results)
set origin 0, 0
set size 0.62, 1
set size ratio -1
set title "the rope every 0.25 s"
set xlabel "x [m]"
set ylabel "z [m]"
set cblabel "time [s]"
plot lines using "x":"z":"t" with lines linewidth 2 linecolor palette notitle

set size noratio
unset colorbox
set origin 0.62, 0
set size 0.38, 1
set title "its free end"
set xlabel "time [s]"
set ylabel "[m]"
set key top right
plot results."end.csv" using "t [s]":"end.position.x [m]" with lines linestyle 1 title "x", \
     results."end.csv" using "t [s]":"end.position.z [m]" with lines linestyle 2 title "z"

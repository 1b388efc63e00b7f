# run shaken: ../rigs/strut_rig.json --set stroke=0.08 --output-step 0.002
csv = results."shaken.csv"
force(part) = column("strut.".part.".force [N]")/1000
set multiplot
set lmargin 10
set rmargin 2
set size 0.5, 1
set origin 0, 0
set title "a weight of 350 kg, the foot shaken by 80 mm at 1.5 Hz"
set xlabel "time [s]"
set ylabel "travel [mm]"
set yrange [-150:250]
set key top left
plot csv using "t [s]":(1e3*column("plate.position.z [m]")) with lines linestyle 6 title "plate", \
     csv using "t [s]":(1e3*column("slide.position [m]")) with lines linestyle 1 title "weight", \
     csv using "t [s]":(1e3*(column("strut.spring.length [m]") - 0.4)) with lines linestyle 2 title "extension of the strut"
set origin 0.5, 0
set title "forces, push positive"
set xlabel "length [mm]"
set ylabel "force [kN]"
set yrange [*:*]
set key top right
length(c) = 1e3*column("strut.spring.length [m]")
plot csv using (length(0)):(-force("spring")) with lines linestyle 1 title "spring", \
     csv using (length(0)):(-force("damper")) with lines linestyle 2 title "damper", \
     csv using (length(0)):(force("bump_stop")) with lines linestyle 3 title "bump stop", \
     csv using (length(0)):(-force("rebound_stop")) with lines linestyle 4 title "rebound stop"
unset multiplot

# kc bushed: --step 0.0025
# kc rigid: ../double_wishbone/double_wishbone.json --step 0.0025
bump(folder) = results.folder."/parallel_bump.csv"
load_curve(name) = results."bushed/".name."_force.csv"
travel(c) = 1e3*column("wheel_travel [m]")
set multiplot
set lmargin 10
set rmargin 3
set size 0.5, 1
set origin 0, 0
set title "alignment over bump travel"
set xlabel "wheel travel [mm]"
set ylabel "[degrees]"
set key above maxrows 2
plot bump("bushed") using (travel(0)):(column("left.camber [deg]")) with lines linestyle 1 title "camber", \
     bump("rigid") using (travel(0)):(column("left.camber [deg]")) with lines linestyle 1 dashtype 2 title "rigid pivots", \
     bump("bushed") using (travel(0)):(10*column("left.toe [deg]")) with lines linestyle 2 title "toe x 10", \
     bump("rigid") using (travel(0)):(10*column("left.toe [deg]")) with lines linestyle 2 dashtype 2 title "rigid pivots"
set origin 0.5, 0
set title "left wheel over forces of the road"
set xlabel "force outward or forward [kN]"
set key above maxrows 2
plot load_curve("opposite_lateral") using (column("force [N]")/1e3):(column("left.toe [deg]")) with lines linestyle 1 title "toe, lateral", \
     load_curve("opposite_lateral") using (column("force [N]")/1e3):(column("left.camber [deg]")) with lines linestyle 2 title "camber, lateral", \
     load_curve("parallel_brake") using (column("force [N]")/1e3):(column("left.toe [deg]")) with lines linestyle 3 title "toe, brake", \
     load_curve("parallel_drive") using (column("force [N]")/1e3):(column("left.toe [deg]")) with lines linestyle 4 title "toe, drive"
unset multiplot

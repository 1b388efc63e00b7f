# run skid: --until 0.05 --output-step 0.0001
csv = results."skid.csv"
set lmargin 10
set rmargin 10
set title "a wheel that spins on a fixed hub skids to a stop"
set xlabel "time [ms]"
set ylabel "spin [rad/s]"
set yrange [0:24]
set ytics nomirror
set y2label "force on the wheel [kN]"
set y2range [0:4]
set y2tics
plot csv using (1e3*column("t [s]")):"spin.velocity [rad/s]" with lines linestyle 1 title "spin", \
     csv using (1e3*column("t [s]")):(column("tyre.longitudinal_force [N]")/1000) axes x1y2 with lines linestyle 2 title "longitudinal force", \
     csv using (1e3*column("t [s]")):(column("tyre.normal_force [N]")/1000) axes x1y2 with lines linestyle 6 title "load"

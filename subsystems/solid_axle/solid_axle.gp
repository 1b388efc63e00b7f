# run droop: --output-step 0.002 --channel beam --channel 'strut_left.*.force'
csv = results."droop.csv"
set lmargin 10
set rmargin 10
set title "droop from the drawn position, no wheels below"
set xlabel "time [s]"
set xrange [0:0.6]
set ylabel "travel [mm]"
set yrange [-120:20]
set ytics nomirror
set y2label "[degrees], [kN]"
set y2tics
plot csv using "t [s]":(1e3*(column("beam.position.z [m]") - 0.3)) with lines linestyle 1 title "travel of the beam", \
     csv using "t [s]":(2*asin(column("beam.orientation.y [1]"))*180/pi) axes x1y2 with lines linestyle 2 title "its pitch [degrees]", \
     csv using "t [s]":(-column("strut_left.spring.force [N]")/1000) axes x1y2 with lines linestyle 3 title "spring [kN], push positive", \
     csv using "t [s]":(column("strut_left.rebound_stop.force [N]")/1000) axes x1y2 with lines linestyle 4 title "rebound stop [kN]"

# run bar: ../rigs/axle_rig.json --channel axle.bar.twist --channel 'wheel_*.load' --output-step 0.004
# run none: ../rigs/axle_rig.json --channel axle.bar.twist --channel 'wheel_*.load' --output-step 0.004 --set axle.bar_rate=0
set lmargin 10
set rmargin 10
set title "wheels that move oppositely by 40 mm, with an anti-roll bar and without"
set xlabel "time [s]"
set ylabel "load of the left wheel [kN]"
set yrange [0:6]
set ytics nomirror
set y2label "twist of the bar [degrees]"
set y2range [-45:45]
set y2tics
load(c) = column("wheel_left.load [N]")/1000
plot results."bar.csv" using "t [s]":(load(0)) with lines linestyle 1 title "load, with the bar", \
     results."none.csv" using "t [s]":(load(0)) with lines linestyle 6 title "load, without", \
     results."bar.csv" using "t [s]":(column("axle.bar.twist [rad]")*180/pi) axes x1y2 with lines linestyle 2 title "twist"

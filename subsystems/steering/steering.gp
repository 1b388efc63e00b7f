# run turn:
csv = results."turn.csv"
set lmargin 10
set rmargin 10
set title "a rack alone, the steering wheel turned by 1 rad to and fro"
set xlabel "time [s]"
set ylabel "[rad], [cm]"
set yrange [-1.5:2.5]
set ytics nomirror
set y2label "torque [N m]"
set y2range [-3:5]
set y2tics
plot csv using "t [s]":"turn.position [rad]" with lines linestyle 1 title "steering wheel [rad]", \
     csv using "t [s]":(1e2*column("slide.position [m]")) with lines linestyle 3 title "rack to the right [cm]", \
     csv using "t [s]":"turn.effort [N m]" axes x1y2 with lines linestyle 2 title "torque of the driver [N m]"

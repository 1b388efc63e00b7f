# run with:
# run without: --set stop=1
# Both over the frequency the table has reached.
frequency(time) = 1 + 0.2*time
# Steady vibration of a load on a linear spring: amplitude of the load over that of the table.
natural = sqrt(2000/5.)/(2*pi)
zeta = 20/(2*sqrt(2000*5.))
ratio(f) = sqrt((1 + (2*zeta*f/natural)**2)/((1 - (f/natural)**2)**2 + (2*zeta*f/natural)**2))
set multiplot
set lmargin 10
set rmargin 2
set xrange [1:7]
set yrange [-35:40]
set ylabel "displacement [mm]"
set key top right
set samples 600
set style line 7 linecolor rgb "#303030" linewidth 1
load(d) = 1e3*(column("top.position.z [m]") - 0.2)
set origin 0, 0.5
set size 1, 0.5
set title "linear spring: the load resonates at 3.2 Hz, as the closed form says"
plot results."without.csv" using (frequency(column("t [s]"))):(load(0)) with lines linestyle 1 linewidth 1 title "load", \
     "" using (frequency(column("t [s]"))):(1e3*column("table.position.z [m]")) with lines linestyle 7 title "table", \
     4*ratio(x) with lines linestyle 2 title "closed form", -4*ratio(x) with lines linestyle 2 notitle
set origin 0, 0
set title "with the bump stop 15 mm below: the spring hardens, the load swings along up to 4.5 Hz and then falls off"
set xlabel "frequency of the table [Hz], rising by 0.2 Hz/s"
set label 1 "bump stop while the table rests" at 5.1, -22 textcolor rgb "#606060"
set arrow 1 from 1, -15.5 to 7, -15.5 nohead dashtype 2 linecolor rgb "#606060"
plot results."with.csv" using (frequency(column("t [s]"))):(load(0)) with lines linestyle 1 linewidth 1 notitle, \
     "" using (frequency(column("t [s]"))):(1e3*column("table.position.z [m]")) with lines linestyle 7 notitle
unset multiplot

# One evaluation in units of ours, case by case; and the time per body of the chains.
set terminal pngcairo size 1200, 560 font "DejaVu Sans,12" rounded
set multiplot
set datafile nocolumnheaders
file = results."evaluations.csv"
cases = "chain-16 chain-64 chain-256 chain-1024 tree-127 quadruped fourbar-2 fourbar-40 fourbar-400 vehicle"
number(name) = sum [i = 1:words(cases)] (word(cases, i) eq name ? i : 0)
of(engine) = sprintf("< awk -F, '$3 == \"%s\" && $1 !~ /vehicle-/' %s", engine, file)
set origin 0, 0
set size 0.62, 1
set bmargin 6
set logscale y
set yrange [0.7:20000]
set format y "%g"
set xrange [0.4:words(cases) + 0.6]
set xtics rotate by 35 right ()
set for [i = 1:words(cases)] xtics add (word(cases, i) i)
set ylabel "time of one evaluation in units of ours"
set key top left
set boxwidth 0.28
set style fill solid 0.85 noborder
plot 1 with lines linecolor rgb "#1f5fbf" linewidth 2 title "Arthron", \
     of("MuJoCo") using (number(strcol(1)) - 0.15):(1/$7) with boxes linecolor rgb "#d8401c" title "MuJoCo 2.2.2 (loops: soft)", \
     of("Simbody") using (number(strcol(1)) + 0.15):(1/$7) with boxes linecolor rgb "#8a5fbf" title "Simbody 3.7"
set origin 0.62, 0
set size 0.38, 1
set logscale xy
set xrange [12:1400]
set xtics norotate center ("16" 16, "64" 64, "256" 256, "1024" 1024)
set yrange [50:200000]
set xlabel "bodies of the chain"
set ylabel "time of one evaluation, per body [ns]"
chain(engine) = sprintf("< awk -F, '$3 == \"%s\" && $1 ~ /^chain/' %s", engine, file)
plot chain("Arthron") using 2:(1000*$4/$2) with linespoints linestyle 1 pointtype 7 title "Arthron", \
     chain("MuJoCo") using 2:(1000*$4/$2) with linespoints linestyle 2 pointtype 7 title "MuJoCo", \
     chain("Simbody") using 2:(1000*$4/$2) with linespoints linestyle 4 pointtype 7 title "Simbody"

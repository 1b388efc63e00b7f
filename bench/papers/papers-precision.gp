# What accuracy costs, not what a tolerance costs: error of K over the evaluations, HDCA and DCA; above as published, below stabilised.
set terminal pngcairo size 1200, 800 font "DejaVu Sans,12" rounded
set multiplot
set datafile nocolumnheaders
array titles[3] = ["case 1: loop of four", "case 2: loop of eight", "case 3: double loop"]
of(case, method, stabilised) = sprintf("< awk -F, '$1 == %d && $2 == \"%s\" && $4 == \"%s\"' %swork.csv", case, method, stabilised, results)
set logscale xy
set format y "1e%T"
set xrange [200:2e5]
set xtics ("1e3" 1e3, "1e4" 1e4, "1e5" 1e5)
set yrange [1e-10:1e1]
set ytics 1e2
unset mytics
do for [row = 1:2] {
  stabilised = row == 1 ? "no" : "yes"
  do for [pane = 1:3] {
    set origin 0.005 + 0.33*(pane - 1), 0.5 - 0.49*(row - 1)
    set size 0.335, 0.49
    set lmargin 9
    set rmargin 2
    set title titles[pane].(row == 1 ? ", as published" : ", stabilised")
    set xlabel (row == 2 ? "evaluations" : "")
    set ylabel (pane == 1 ? "error of K [m]" : "")
    if (row == 1 && pane == 1) { set key top right } else { unset key }
    plot of(pane, "adams", stabilised) using 9:12 with linespoints linestyle 2 pointtype 7 pointsize 0.7 title "DCA, adams", \
         of(pane, "adams", stabilised) using 8:11 with linespoints linestyle 1 pointtype 7 pointsize 0.7 title "HDCA, adams", \
         of(pane, "dopri5", stabilised) using 9:12 with linespoints linestyle 2 linewidth 1.2 pointtype 6 pointsize 0.7 dashtype 2 title "DCA, dopri5", \
         of(pane, "dopri5", stabilised) using 8:11 with linespoints linestyle 1 linewidth 1.2 pointtype 6 pointsize 0.7 dashtype 2 title "HDCA, dopri5", \
         of(pane, "bs32", stabilised) using 9:12 with lines linestyle 2 linewidth 1 dashtype 3 title "DCA, bs32", \
         of(pane, "bs32", stabilised) using 8:11 with lines linestyle 1 linewidth 1 dashtype 3 title "HDCA, bs32"
  }
}
unset multiplot

# Figures 10 and 11 of the closed-loop HDCA paper: DCA/HDCA of time and of evaluations over the tolerance, ours and the paper's.
set terminal pngcairo size 1200, 760 font "DejaVu Sans,12" rounded
set multiplot
set datafile nocolumnheaders
array methods[3] = ["dopri5", "adams", "bs32"]
array titles[3] = ["dopri5 (ode45)", "adams (ode113)", "bs32 (ode23)"]
ours(case, method) = sprintf("< awk -F, '$1 == %d && $2 == \"%s\" && $4 == \"no\"' %swork.csv", case, method, results)
theirs(case, method) = sprintf("< awk -F, '$1 == %d && $2 == \"%s\"' bench/papers/published/closed-loop-table2.csv", case, method)
# DCA/HDCA of the time of one right-hand side, table 1: theirs are times, and evaluations follow from them.
array slower[3] = [7.394/5.203, 13.388/8.806, 15.501/15.278]
set logscale xy
set xrange [2e-3:5e-10]
set xtics ("1e-3" 1e-3, "1e-5" 1e-5, "1e-7" 1e-7, "1e-9" 1e-9)
set yrange [0.4:7]
set ytics (0.5, 1, 2, 4)
do for [row = 1:2] {
  do for [pane = 1:3] {
    set origin 0.005 + 0.33*(pane - 1), 0.5 - 0.49*(row - 1)
    set size 0.335, 0.49
    set lmargin 9
    set rmargin 2
    set title titles[pane]
    set xlabel (row == 2 ? "tolerance" : "")
    set ylabel (pane > 1 ? "" : row == 1 ? "DCA/HDCA of the time of a run" : "DCA/HDCA of evaluations")
    set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead linecolor rgb "#909090"
    if (row == 1 && pane == 1) { set key at graph 0.72, 0.98 } else { unset key }
    plot for [case = 1:3] ours(case, methods[pane]) using 3:(row == 1 ? $7 : $10) with linespoints linestyle case pointtype 7 pointsize 0.7 \
           title sprintf("case %d", case), \
         for [case = 1:3] theirs(case, methods[pane]) using 3:(row == 1 ? $6 : $6/slower[case]) with lines linestyle case linewidth 1.2 \
           dashtype 2 title case == 3 ? "dashed: paper" : ""
  }
}
unset multiplot

# Figures 5, 8 and 9 of the closed-loop HDCA paper: rows energy, velocity level, position level; columns the three cases.
set terminal pngcairo size 1200, 920 font "DejaVu Sans,12" rounded
set multiplot
array examples[3] = ["loop4", "loop8", "double_loop"]
array titles[3] = ["case 1: loop of four", "case 2: loop of eight", "case 3: double loop"]
array errors[3] = ["energy", "velocity", "position"]
array labels[3] = ["energy error [J]", "velocity level [m/s, rad/s]", "position level [m, rad]"]
array lows[3] = [1e-9, 1e-17, 1e-17]
array highs[3] = [1, 1e-1, 1e-1]
array steps[3] = [1e2, 1e3, 1e3]
drawn(x) = x > 1e-17 ? x : NaN
set logscale y
set format y "1e%T"
set xrange [0:10]
set xtics 2
unset mytics
do for [row = 1:3] {
  do for [pane = 1:3] {
    set origin 0.005 + 0.33*(pane - 1), 0.66 - 0.32*(row - 1)
    set size 0.335, row == 1 ? 0.34 : 0.335
    set lmargin 10
    set rmargin 2
    set title (row == 1 ? titles[pane] : "")
    set ylabel (pane == 1 ? labels[row] : "")
    set xlabel (row == 3 ? "time [s]" : "")
    set yrange [lows[row]:highs[row]]
    decades = steps[row]
    set ytics decades
    if (row == 2 && pane == 1) { set key center right } else { unset key }
    file = results."accuracy-".examples[pane].".csv"
    of(run) = errors[row]."_".run
    plot file using "t":(drawn(column(of("dca")))) with lines linestyle 2 title "DCA", \
         file using "t":(drawn(column(of("dca-stabilised")))) with lines linestyle 5 linewidth 1.2 title "DCA, post-stabilised", \
         file using "t":(drawn(column(of("hdca")))) with lines linestyle 1 title "HDCA"
  }
}
unset multiplot

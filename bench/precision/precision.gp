# Work-precision diagrams of one case, `name`: the methods under hdca, the formulations, and the best of ours beside Simbody's methods.
set terminal pngcairo size 1320, 620 font "DejaVu Sans,11" rounded
set multiplot
set datafile nocolumnheaders
file = results.name.".csv"
of(engine, formulation, method) = sprintf("< awk -F, '$2 == \"%s\" && $3 == \"%s\" && $4 == \"%s\" && $8 != \"\" && $8 < 10' %s", engine, formulation, method, file)
# Of all runs of ours those that none beats both in time and in error.
front = "< awk -F, '$2 == \"Arthron\" && $8 != \"\"' ".file." | sort -t, -g -k6,6 | awk -F, '!n++ || $8 + 0 < least { least = $8 + 0; print }'"
# The words of a list whose runs gave any points.
given(engine, formulation, list) = system(sprintf("for m in %s; do awk -F, -v m=$m '$2 == \"%s\" && $3 ~ /^(%s)$/ && $4 == m && $8 != \"\" && $8 < 10 { n = 1 } END { if (n) print m }' %s; done | tr '\\n' ' '", list, engine, formulation, file))
place(word_, list) = sum [i = 1:words(list)] (word(list, i) eq word_ ? i : 0)
# The second of a family is dashed.
dash(word_, list) = strstrt(" bs32 bdf rk2 implicit_midpoint RungeKutta2 CPodesBDF ExplicitEuler ", " ".word_." ") ? 2 : 1

methods = "rkf78 dopri5 bs32 adams bdf rk4 rk2 gauss4 implicit_midpoint"
method_colors = "#d8401c #1f5fbf #1f5fbf #2a9d55 #2a9d55 #8a5fbf #8a5fbf #c08a00 #c08a00"
formulations = "hdca dca slm sslm block-module"
formulation_colors = "#1f5fbf #d8401c #2a9d55 #c08a00 #8a5fbf"
simbody = "RungeKuttaMerson RungeKuttaFeldberg RungeKutta3 RungeKutta2 Verlet CPodesAdams CPodesBDF SemiExplicitEuler2 ExplicitEuler"
simbody_colors = "#d8401c #c08a00 #8a5fbf #8a5fbf #2a9d55 #d060a0 #d060a0 #606060 #606060"

set logscale xy
set format y "1e%T"
set format x "1e%T"
set yrange [2e-14:20]
set ytics 1e2
stats "< awk -F, 'NR > 1 && $8 != \"\" { print $6 }' ".file using 1 nooutput
set xrange [STATS_min/1.5:STATS_max*1.5]
unset mytics
set xlabel "processor time [s]"
set lmargin 9
set rmargin 1
set tmargin 3
set bmargin 10.5
set key outside center bottom maxrows 5 samplen 2 spacing 1.1 width -2 font ",9.5"
set size 0.335, 1

set origin 0.0, 0
set title "hdca, all methods"
set ylabel "error [m]"
list = given("Arthron", "hdca", methods)
plot for [m in list] of("Arthron", "hdca", m) using 6:8 with linespoints linewidth 1.6 linecolor rgb word(method_colors, place(m, methods)) \
  dashtype dash(m, methods) pointtype 8 - dash(m, methods) pointsize 0.6 title m noenhanced

set origin 0.333, 0
set title "formulations: rkf78 (full), dopri5 (dashed)"
unset ylabel
plot for [f in formulations] of("Arthron", f, "rkf78") using 6:8 with linespoints linewidth 1.6 \
  linecolor rgb word(formulation_colors, place(f, formulations)) pointtype 7 pointsize 0.6 title f noenhanced, \
  for [f in formulations] of("Arthron", f, "dopri5") using 6:8 with linespoints linewidth 1.3 dashtype 2 \
  linecolor rgb word(formulation_colors, place(f, formulations)) pointtype 6 pointsize 0.5 notitle

set origin 0.666, 0
list = given("Simbody", "", simbody)
set title words(list) > 0 ? "the best of ours and Simbody's methods" : "the best of ours"
ours = "front using 6:8 with linespoints linewidth 3 linecolor rgb '#1f5fbf' pointtype 7 pointsize 0.5 title 'Arthron'"
if (words(list) == 0) { plot @ours } else {
  plot @ours, \
    for [m in list] of("Simbody", "", m) using 6:8 with linespoints linewidth 1.6 linecolor rgb word(simbody_colors, place(m, simbody)) \
    dashtype dash(m, simbody) pointtype 8 - dash(m, simbody) pointsize 0.6 title m noenhanced
}
unset multiplot

# What all pictures share. `results` is the folder of the CSV files, `picture` the file to draw.
set terminal pngcairo size 1200, 560 font "DejaVu Sans,13" rounded
set output picture
set datafile separator ","
set datafile columnheaders
set border 3 linecolor rgb "#606060"
set tics nomirror textcolor rgb "#303030"
set grid linecolor rgb "#e4e4e4" linetype 1
set key samplen 1.5 spacing 1.2
set palette defined (0 "#30123b", 1 "#3f61d8", 2 "#1ec9c3", 3 "#7fe04f", 4 "#f2b134", 5 "#d8401c")
set style line 1 linecolor rgb "#1f5fbf" linewidth 2
set style line 2 linecolor rgb "#d8401c" linewidth 2
set style line 3 linecolor rgb "#2a9d55" linewidth 2
set style line 4 linecolor rgb "#8a5fbf" linewidth 2
set style line 5 linecolor rgb "#c08a00" linewidth 2
set style line 6 linecolor rgb "#606060" linewidth 2

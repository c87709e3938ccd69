module ptc

go 1.19

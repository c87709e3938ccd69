half = 21
half * 2

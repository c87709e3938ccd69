add --a=1

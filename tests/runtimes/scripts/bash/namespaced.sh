echo "$(calc.mul 2 3) $(deep.calc.mul --a 2 --b 4)"

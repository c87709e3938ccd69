value=1
if [ "$value" -eq 1 ]; then echo never; done # HERE

first=$(add 1) # HERE
second=$(add --a 1 --b 2) # HERE
third=$(call_tool add '{"a": 1}') # HERE
echo "$first $second $third"

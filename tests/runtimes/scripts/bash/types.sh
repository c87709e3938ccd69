sent='{"text":"é","yes":true,"no":false,"none":null,"int":7,"float":1.5,"list":[1,[2]],"map":{"a":{"b":1}}}'
received=$(call_tool echo --value "$sent")
[ "$received" = "$sent" ] && echo same

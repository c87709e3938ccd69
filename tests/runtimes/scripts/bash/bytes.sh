hexed --data:base64 AP8Q
[ "$(call_tool echo --value:base64 AP8Q)" = AP8Q ] && echo same

received=$(call_tool echo --value '[NaN, Infinity, -Infinity]')
IFS=', ' read -r nan high low <<< "$(tr -d '[]' <<< "$received")"
is() { [ "$1" = "$2" ] && echo true; }
echo "$(is "$nan" NaN) $(is "$high" Infinity) $(is "$low" -Infinity)"

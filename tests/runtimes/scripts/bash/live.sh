echo first
gate > /dev/null
echo second

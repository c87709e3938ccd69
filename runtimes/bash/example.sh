# What did engineering spend last quarter, and does everybody have a manager?

look_up() {
  get_expenses "$1" --quarter Q3 | jq 'map(.amount * 100 | round) | add' > "/tmp/cents.$1" &
  if error=$(lookup_manager "$1" 2>&1 > "/tmp/manager.$1"); then
    echo "$1" >> /tmp/managed
  else
    echo "$1: ${error#*: }"
  fi
  wait
}

people=$(team_members engineering | jq -r '.[:19][]')
for person in $people Miriam; do
  look_up "$person" &
done
wait

cents=$(cat /tmp/cents.* | jq --slurp add)
printf '%d people, %d with a manager, %d.%02d euros\n' \
  "$(ls /tmp/cents.* | wc -l)" "$(wc -l < /tmp/managed)" $((cents / 100)) $((cents % 100))

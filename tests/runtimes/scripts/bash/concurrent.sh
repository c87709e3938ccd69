for _ in 1 2 3 4 5; do
  meet >> /tmp/met &
done
wait
grep -c true /tmp/met

total=0
for _ in $(seq 5000); do
  total=$(add "$total" 1)
done
echo "$total"

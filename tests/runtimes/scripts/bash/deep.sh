value=1
for _ in $(seq 200); do
  value="[$value]"
done
received=$(call_tool echo --value "$value")
opened=${received//[^\[]/}
echo ${#opened}

sent=ä
for _ in 1 2 3 4 5 6; do
  sent=$sent$sent$sent$sent$sent$sent$sent$sent$sent$sent
done
received=$(call_tool echo --value "$sent$sent$sent")
echo ${#received}

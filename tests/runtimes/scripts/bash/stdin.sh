input=$(cat)
echo ${#input}

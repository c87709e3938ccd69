password=$(call_tool echo --value '{"password": "hunter2canary"}' | jq -r .password)
echo ${#password}

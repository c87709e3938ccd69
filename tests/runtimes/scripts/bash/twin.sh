echo "$(server.get_sum) $(call_tool server.get-sum)"

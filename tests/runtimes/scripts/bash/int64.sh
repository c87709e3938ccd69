call_tool echo --value 9223372036854775807

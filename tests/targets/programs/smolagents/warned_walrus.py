if (count := add(1, 2)) > 2:
    final_answer(count)
# WARNS: 1 `:=` is not supported

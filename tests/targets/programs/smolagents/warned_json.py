import json

final_answer(json.dumps(stock("pear")))
# WARNS: 1 cannot be imported

greet(customer)
# WARNS: 1 --input customer=JSON

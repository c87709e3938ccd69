import datetime

now = datetime.datetime.now()
str(now)
# WARNS: 3 there is no clock

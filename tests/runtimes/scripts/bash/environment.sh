env | grep '^PTC_' || true

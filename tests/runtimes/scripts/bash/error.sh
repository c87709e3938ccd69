if ! error=$(fail --kind key 2>&1); then
  echo "${error/: / }"
fi

if ! error=$(fail --kind chain 2>&1); then
  echo "${error/: / }"
fi

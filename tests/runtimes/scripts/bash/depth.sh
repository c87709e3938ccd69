if ! error=$(again 2>&1); then
  echo "${error/: / }"
fi

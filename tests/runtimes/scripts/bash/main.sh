main() {
  add --a "$1"
}

main 1

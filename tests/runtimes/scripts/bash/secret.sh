printf 'key sk-proj-abcdefghij01234'
echo '56789ABCDEFGHIJabcdefgh end'

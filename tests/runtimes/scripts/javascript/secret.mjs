process.stdout.write("key sk-proj-abcdefghij01234");
process.stdout.write("56789ABCDEFGHIJabcdefgh end\n");

#!/bin/sh
# Compiles the kit with the compiler that was found: build.sh COMPILER KIT FOLDER
set -e
case "$1" in
    *dotnet*) exec /bin/sh "$2/dotnet/build.sh" "$1" "$2/dotnet/PtcKit.csproj" "$3" ;;
esac
"$1" -optimize -debug -unsafe -langversion:7 -r:Microsoft.CSharp "-out:$3/PtcKit.exe" "$2/*.cs"
# As machine code it starts sooner; that needs an assembler and a linker, which not every system has.
mono --aot "$3/PtcKit.exe" >/dev/null 2>&1 || true

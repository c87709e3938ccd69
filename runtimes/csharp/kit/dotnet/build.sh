#!/bin/sh
# Builds a project without network, leaving no server behind: build.sh DOTNET PROJECT FOLDER [KIT]
exec "$1" build "$2" --nologo --verbosity quiet --disable-build-servers --output "$3" \
    "-p:Folder=$3" "-p:BaseIntermediateOutputPath=$3/obj/" "-p:Kit=$4" -p:UseSharedCompilation=false

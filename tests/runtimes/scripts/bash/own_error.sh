echo before
: "${missing:?broken}" # HERE

"""Words that stay the shell's own: a tool of such a name is called with `call_tool`."""

_KEYWORDS = "if then elif else fi for while until do done case esac in select function time coproc [[ ]] { } !"
_BUILTINS = """
. : [ alias bg break builtin caller cd command compgen complete continue declare dirs disown echo enable eval
exec exit export false fc fg getopts hash jobs kill let local logout mapfile popd printf pushd pwd read
readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask
unalias unset wait
"""
_UTILITIES = """
awk base64 basename bash bc cat chmod column comm cp curl cut date diff dirname du env expr find fold grep
gunzip gzip head jq join ln ls md5sum mkdir mktemp mv nl od paste printenv rev rg rm rmdir sed seq sh
sha256sum shuf sleep sort split stat tac tail tar tee timeout touch tr tree uniq wc wget which whoami xargs
yes yq
"""

RESERVED = frozenset(f"{_KEYWORDS} {_BUILTINS} {_UTILITIES}".split())

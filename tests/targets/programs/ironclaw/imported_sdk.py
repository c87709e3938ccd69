from ironclaw_tools import call_tool, shell

print(shell("ls"))
try:
    call_tool("fail", {"reason": "closed"})
except RuntimeError as error:
    print(error, file=sys.stderr)
# SEES: "ran ls\n\n\n--- stderr ---\nTool 'fail' failed: closed\n"

import subprocess

subprocess.Popen(["sleep", "1000"])
print("started")

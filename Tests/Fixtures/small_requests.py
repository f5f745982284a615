#!/usr/bin/python3
"""A display without BIG-REQUESTS: forwards connections to another display, and hides the extension.

  small_requests.py :NUMBER :OTHER     prints "ready"; exits at the end of stdin
"""

import asyncio
import os
import sys

FOLDER = "/tmp/.X11-unix/X"


async def copy(reader, writer, change=lambda piece: piece):
    try:
        while piece := await reader.read(1 << 20):
            writer.write(change(piece))
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


async def main(name, other):
    async def serve(reader, writer):
        there, onward = await asyncio.open_unix_connection(FOLDER + other.removeprefix(":"))
        # The name is replaced with a name of the same length that no extension has. Clients query it in one write,
        # before any long request.
        hide = copy(reader, onward, lambda piece: piece.replace(b"BIG-REQUESTS", b"BIG-REFUSALS"))
        await asyncio.gather(hide, copy(there, writer))

    path = FOLDER + name.removeprefix(":")
    server = await asyncio.start_unix_server(serve, path)
    try:
        async with server:
            print("ready", flush=True)
            await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    finally:
        os.unlink(path)
    # The exit of the process closes the remaining connections.
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

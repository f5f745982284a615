#!/usr/bin/python3
"""A display without BIG-REQUESTS: passes connections on to another one, which is asked for an extension it has not.

  small_requests.py :NUMBER :OTHER     says "ready"; the end of stdin ends it
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
        # The name of the same length that nobody has. A client asks in one write, long before it sends anything long.
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
    # Connections that are open end with the process.
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

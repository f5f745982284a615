"""The benchmarks of Scripts/bench: xpb compared with other programs and with the X server's own limit, and xpb when
idle.

Each row has its own testbed, an X server with a bridge, so that no row affects a later row. The programs of a row take
turns, so that other load on the machine affects all programs alike.
"""

"""The benchmarks of Scripts/bench: xpb compared with other programs, with the X server's own limit, and when idle.

Each row has a testbed of its own, an X server with a bridge, so that no row is affected by an earlier one. The programs
of a row take turns, so that other load on the machine affects all of them alike.
"""

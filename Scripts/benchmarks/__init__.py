"""What Scripts/bench measures: xpb beside other programs, beside what the X server can do, and at rest.

Each row has a field of its own, an X server with a bridge, so that none is measured by what another one left. The
programs of a row take turns, so that what else the machine does hits all alike.
"""

"""The time that a program takes to copy and to quit, with and without the bridge."""

import statistics
import time

# In seconds. Nobody quits immediately after a copy, so the bridge has this time to capture the copy.
PAUSE = 1
# In seconds. The time that xdotool takes to start varies by about this much.
RESOLUTION = 0.01


class Series:
    """The seconds of an action in each turn."""

    def __init__(self):
        self.without = []
        self.with_bridge = []

    def add(self, has_bridge, seconds):
        (self.with_bridge if has_bridge else self.without).append(seconds)

    def difference(self):
        return statistics.median(self.with_bridge) - statistics.median(self.without)

    def noise(self):
        """Returns the larger of the two interquartile ranges, or the resolution of the measurement."""
        return max(RESOLUTION, *(high - low for low, high in map(quartiles, (self.with_bridge, self.without))))

    def is_noise(self):
        return self.difference() <= self.noise()

    def cells(self):
        difference = f"{round(1000 * self.difference()):+} ms"
        return [
            spread(self.without), spread(self.with_bridge),
            f"{difference}, {'within' if self.is_noise() else 'above'} the noise of {1000 * self.noise():.0f} ms"]


def quartiles(seconds):
    low, _, high = statistics.quantiles(seconds, n=4, method="inclusive")
    return low, high


def spread(seconds):
    low, high = quartiles(seconds)
    return f"{1000 * statistics.median(seconds):.0f} ms ({1000 * low:.0f}–{1000 * high:.0f})"


def measure(make_program, without_bridge, with_bridge, turns):
    """Returns the series of a program's copies and exits, measured in turns on two desktops."""
    copies, ends = Series(), Series()
    # The first turn fills the programs' caches.
    for turn in range(turns + 1):
        desktops = [without_bridge, with_bridge]
        for desktop in reversed(desktops) if turn % 2 else desktops:
            copy, end = run(make_program(desktop))
            if turn:
                copies.add(desktop.has_bridge, copy)
                ends.add(desktop.has_bridge, end)
    return copies, ends


def run(program):
    try:
        program.open(program.document())
        # A first copy is not measured: a program that has just started may ignore the first key, and its first copy
        # loads code.
        program.copy()
        time.sleep(PAUSE)
        copy = program.copy()
        time.sleep(PAUSE)
        return copy, program.quit()
    finally:
        program.end()

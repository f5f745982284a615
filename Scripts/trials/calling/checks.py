"""The list of checks, in the order of the modules that define them."""

import dataclasses
import os
import shutil
import typing

CHECKS = {}


@dataclasses.dataclass
class Check:
    name: str
    run: typing.Callable
    # The needed executables or paths, each with its Debian package.
    needs: dict
    # The needed files below the folder of --extra.
    extras: tuple

    def missing(self, extra):
        """Returns the missing programs, each with the place to get it from."""
        found = [
            f"{need} (Debian package {package})" for need, package in self.needs.items()
            if not (os.path.exists(need) if need.startswith("/") else shutil.which(need))]
        return found + [
            f"{name} (not in Debian 12; put it into the folder of --extra)" for name in self.extras
            if extra is None or not (extra / name).exists()]


def check(name, needs, extras=()):
    """Adds a function that takes a desk to the list."""
    def add(function):
        CHECKS[name] = Check(name, function, needs, tuple(extras))
        return function
    return add

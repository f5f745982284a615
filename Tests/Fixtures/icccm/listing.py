"""The answer to TARGETS, with faults that options choose."""


class Listing:
    @staticmethod
    def add_arguments(parser):
        parser.add_argument("--empty-list", action="store_true")
        parser.add_argument("--incr-list", action="store_true", help="send TARGETS with INCR, whatever its length")
        parser.add_argument("--no-atoms", type=int, default=0, metavar="COUNT",
                            help="insert COUNT invalid atoms, 0 among them, before each target")
        parser.add_argument("--repeat", type=int, default=1, metavar="TIMES", help="list each target TIMES times")
        parser.add_argument("--more", type=int, default=0, metavar="COUNT", help="list COUNT other targets first")
        parser.add_argument("--long-name", type=int, metavar="BYTES", help="list a target with a name of BYTES bytes first")

    def __init__(self, peer, options):
        self.peer = peer
        self.options = options

    def atoms(self, targets):
        if self.options.empty_list:
            return []
        names = [f"application/x-xpb-more-{number}" for number in range(self.options.more)]
        if self.options.long_name:
            names.append("x" * self.options.long_name)
        names += ["TARGETS", "TIMESTAMP", *targets]
        atoms = []
        for name in names:
            atoms += [0, *range(0x1FFF_FF00, 0x1FFF_FF00 + self.options.no_atoms - 1)] if self.options.no_atoms else []
            # Each name costs one round trip, not one per repetition.
            atoms += [self.peer.display.get_atom(name)] * self.options.repeat
        return atoms

"""The answer to TARGETS, wrong in whatever way the options say."""


class Listing:
    @staticmethod
    def add_arguments(parser):
        parser.add_argument("--empty-list", action="store_true")
        parser.add_argument("--incr-list", action="store_true", help="TARGETS by INCR, whatever its length")
        parser.add_argument("--no-atoms", type=int, default=0, metavar="COUNT",
                            help="so many numbers that are no atoms, 0 among them, stand before each target")
        parser.add_argument("--repeat", type=int, default=1, metavar="TIMES", help="list each target so often")
        parser.add_argument("--more", type=int, default=0, metavar="COUNT", help="list so many others first")
        parser.add_argument("--long-name", type=int, metavar="BYTES", help="list one whose name has that many bytes first")

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
            # Asked of the server once for each name.
            atoms += [self.peer.display.get_atom(name)] * self.options.repeat
        return atoms

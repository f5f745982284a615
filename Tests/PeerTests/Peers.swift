import TestSupport
import Testing

/// The built programs beside programs of real toolkits, on a real X server.
///
/// One after another, as the toolkits are what is slow here. A toolkit has deadlines of its own, 5 seconds in Qt and Tk;
/// ours are far beyond them.
@Suite(.serialized, .timeLimit(.minutes(5)), .requiresXvfb, .printsMatrix)
enum Peers {}

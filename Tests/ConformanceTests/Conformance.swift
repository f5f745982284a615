import Testing

/// What a correct peer of X11 selections gets right, each rule and each habit of real programs against a peer that breaks
/// it (Tests/Fixtures/icccm, which shares no code with the bridge).
///
/// One after another, since two cores carry the programs of one test at a time; a test that does not end within its
/// limit is cancelled and its programs with it.
@Suite(.serialized, .timeLimit(.minutes(3)))
enum Conformance {}

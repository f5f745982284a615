import Testing

/// The built programs together with a real X server and real peers.
///
/// One after another, since two cores carry the programs of one test at a time; a test that does not end within its
/// limit is cancelled and its programs with it.
@Suite(.serialized, .timeLimit(.minutes(3)))
enum Integration {}

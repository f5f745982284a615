import FoundationEssentials

/// What a provider does that never gives its bytes: it ends only when it is cancelled.
func neverAnswering() async throws -> Data {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
    throw CancellationError()
}

import FoundationEssentials
import Synchronization

/// Bytes that are made when they are wanted. Its identity is the promise's.
final class Promise: Sendable {
    let provider: @Sendable () async throws -> Data

    init(_ provider: @escaping @Sendable () async throws -> Data) {
        self.provider = provider
    }
}

/// What a client promised and has not given yet.
final class PromiseRegister: Sendable {
    private let sets = Mutex<[ObjectIdentifier: PromiseSet]>([:])

    var all: [PromiseSet] { sets.withLock { Array($0.values) } }

    func add(_ set: PromiseSet) {
        sets.withLock { $0[ObjectIdentifier(set)] = set }
    }

    func remove(_ set: PromiseSet) {
        sets.withLock { $0[ObjectIdentifier(set)] = nil }
    }
}

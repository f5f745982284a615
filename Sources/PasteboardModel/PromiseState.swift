/// What has become of bytes that were promised: they are asked for once, when the first reader wants them, and what comes
/// is shared by all who wait and all who read later.
package struct PromiseState<Reader, Bytes> {
    private enum State {
        case unasked
        case asked([Reader])
        case kept(Bytes)
        case broken(String)
    }

    /// What a reader gets.
    package enum Answer {
        /// It is the first: the writer is to be asked, and the reader waits.
        case ask
        /// The writer has been asked: the reader waits.
        case wait
        case kept(Bytes)
        /// There will never be any; says why.
        case broken(String)
    }

    private var state = State.unasked

    package init() {}

    /// Whether the bytes may still come.
    package var isOpen: Bool {
        switch state {
        case .unasked, .asked: true
        case .kept, .broken: false
        }
    }

    /// Whether the writer was asked and has not answered.
    package var isAsked: Bool {
        if case .asked = state { true } else { false }
    }

    /// The bytes, once they are there.
    package var bytes: Bytes? {
        if case .kept(let bytes) = state { bytes } else { nil }
    }

    package mutating func read(_ reader: Reader) -> Answer {
        switch state {
        case .unasked:
            state = .asked([reader])
            return .ask
        case .asked(let others):
            state = .asked(others + [reader])
            return .wait
        case .kept(let bytes): return .kept(bytes)
        case .broken(let reason): return .broken(reason)
        }
    }

    /// The writer gave the bytes. What comes after an end changes nothing.
    ///
    /// - Returns: Those who waited.
    package mutating func keep(_ bytes: Bytes) -> [Reader] { end(as: .kept(bytes)) }

    /// There will be none.
    ///
    /// - Returns: Those who waited.
    package mutating func `break`(_ reason: String) -> [Reader] { end(as: .broken(reason)) }

    private mutating func end(as end: State) -> [Reader] {
        guard isOpen else { return [] }
        defer { state = end }
        if case .asked(let readers) = state { return readers }
        return []
    }
}

/// The state of promised bytes. The first reader causes the only request to the writer. All waiting and later readers
/// share the writer's answer.
///
/// NSPasteboard provides data just as lazily: it calls `pasteboard(_:provideDataForType:)` for the first reader of a
/// declared type.
package struct PromiseState<Reader, Bytes> {
    private enum State {
        case unasked
        case asked([Reader])
        case fulfilled(Bytes)
        case failed(String)
    }

    /// The answer to a reader.
    package enum Answer {
        /// This is the first reader: the caller must ask the writer, and the reader waits.
        case ask
        /// The writer was asked already, and the reader waits.
        case wait
        case fulfilled(Bytes)
        /// There will be no bytes, for this reason.
        case failed(String)
    }

    private var state = State.unasked

    package init() {}

    /// True while the bytes may still come.
    package var isOpen: Bool {
        switch state {
        case .unasked, .asked: true
        case .fulfilled, .failed: false
        }
    }

    /// True while the writer has been asked and has not answered.
    package var isAsked: Bool {
        if case .asked = state { true } else { false }
    }

    /// The bytes, once the writer has provided them.
    package var bytes: Bytes? {
        if case .fulfilled(let bytes) = state { bytes } else { nil }
    }

    /// Answers a reader, and registers it if it must wait for the bytes.
    package mutating func read(_ reader: Reader) -> Answer {
        switch state {
        case .unasked:
            state = .asked([reader])
            return .ask
        case .asked(let others):
            state = .asked(others + [reader])
            return .wait
        case .fulfilled(let bytes): return .fulfilled(bytes)
        case .failed(let reason): return .failed(reason)
        }
    }

    /// Fulfills the promise. Once a promise is fulfilled or broken, further calls change nothing.
    ///
    /// - Returns: The readers that waited.
    package mutating func fulfill(_ bytes: Bytes) -> [Reader] { settle(as: .fulfilled(bytes)) }

    /// Breaks the promise: there will be no bytes. Returns the readers that waited.
    package mutating func fail(_ reason: String) -> [Reader] { settle(as: .failed(reason)) }

    private mutating func settle(as outcome: State) -> [Reader] {
        guard isOpen else { return [] }
        defer { state = outcome }
        if case .asked(let readers) = state { return readers }
        return []
    }
}

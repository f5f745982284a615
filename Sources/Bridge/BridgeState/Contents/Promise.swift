import EventLoop
package import FormatConversion
package import LinuxSystem
import PasteboardModel

/// Bytes that a client provides when they are asked for.
package final class Promise {
    package typealias Bytes = (file: MemoryFile, range: Range<Int>)
    private typealias Reader = PendingValue<Result<Bytes, ConversionFailure>>

    /// The client's name for the promise.
    package let name: String
    private var state = PromiseState<Reader, Bytes>()
    /// The pasteboards that hold the promise.
    private var pasteboards: Set<ObjectIdentifier> = []
    /// True while the promise's call may still put it on another pasteboard.
    private var isBeingPlaced = true
    private var ask: (Promise) -> Void
    /// The object that reopened the promise last; nil if its first call still keeps it.
    package private(set) weak var keeper: AnyObject?
    /// The readers who take the bytes while they arrive.
    private var feeds: [UploadFeed] = []
    /// The time at which bytes last arrived, or the client last reported that they are on their way.
    package private(set) var progress: ContinuousClock.Instant?
    /// Called when the promise is fulfilled or broken, or no pasteboard holds it any longer.
    private var onEnd: (Promise) -> Void

    package init(name: String, ask: @escaping (Promise) -> Void, onEnd: @escaping (Promise) -> Void) {
        self.name = name
        self.ask = ask
        self.onEnd = onEnd
    }

    /// True while the bytes may still come.
    package var isOpen: Bool { state.isOpen }

    /// True while the client has been asked and has not answered.
    var isAsked: Bool { state.isAsked }

    package var bytes: Bytes? { state.bytes }

    /// Returns the bytes. Asks the client for them if they are not available.
    package func read() async throws(ConversionFailure) -> Bytes {
        let reader = Reader()
        switch state.read(reader) {
        case .ask: ask(self)
        case .wait: break
        case .fulfilled(let bytes): return bytes
        case .failed(let reason): throw .promiseBroken(reason)
        }
        return try await reader.get {
            // Another reader may still get the bytes.
            reader.deliver(.failure(.broken("the reader gave up")))
        }.get()
    }

    /// Returns the bytes. If the bytes go to a socket, returns nil once all of them are uploaded.
    ///
    /// - Parameter onPart: Called when the bytes of a long upload begin to go to that socket, and after each part.
    package func read(onPart: @escaping (SpooledSocket) -> Void) async throws(ConversionFailure) -> Bytes? {
        let feed = UploadFeed(onPart)
        feeds.append(feed)
        defer { feeds.removeAll { $0 === feed } }
        let bytes = try await read()
        return try feed.passes(bytes) ? nil : bytes
    }

    package func noteProgress() { progress = .now }

    /// Records that bytes have been appended to an upload for this promise.
    package func noteUpload(_ bytes: [UInt8], to writer: MemoryFileWriter) {
        noteProgress()
        for feed in feeds { feed.appended(bytes, to: writer) }
    }

    package func fulfill(with bytes: Bytes) {
        let readers = state.fulfill(bytes)
        onEnd(self)
        for reader in readers { reader.deliver(.success(bytes)) }
    }

    package func fail(_ reason: String) {
        guard isOpen else { return }
        let readers = state.fail(reason)
        onEnd(self)
        for reader in readers { reader.deliver(.failure(.promiseBroken(reason))) }
    }

    /// True if the bytes will not come: the promise was broken, or its client has ended.
    package var isBroken: Bool { !isOpen && bytes == nil }

    /// Opens a broken promise again, for another call to keep. The promise stays on its pasteboards.
    package func reopen(
        by keeper: AnyObject, ask: @escaping (Promise) -> Void, onEnd: @escaping (Promise) -> Void
    ) {
        self.keeper = keeper
        state = PromiseState()
        self.ask = ask
        self.onEnd = onEnd
    }

    // MARK: Pasteboards

    package func place(on pasteboard: PasteboardState) {
        pasteboards.insert(ObjectIdentifier(pasteboard))
    }

    /// Ends the placing: the call puts the promise on no other pasteboard.
    package func finishPlacing() {
        isBeingPlaced = false
        endIfVoid()
    }

    /// Removes the promise from a pasteboard whose contents changed.
    package func remove(from pasteboard: PasteboardState) {
        pasteboards.remove(ObjectIdentifier(pasteboard))
        endIfVoid()
    }

    /// Ends a promise that no pasteboard holds: no other reader can ask for it. Readers that have asked get the bytes.
    private func endIfVoid() {
        guard isVoid else { return }
        if isAsked { onEnd(self) } else { self.fail("newer contents replaced the promised contents") }
    }

    /// True if no pasteboard holds the promise any longer.
    package var isVoid: Bool { pasteboards.isEmpty && !isBeingPlaced }
}

import LinuxSystem
import PasteboardModel

/// Bytes that a client gives when they are wanted.
final class Promise {
    typealias Bytes = (file: MemoryFile, range: Range<Int>)
    typealias Finish = (Result<Bytes, ConversionFailure>) -> Void

    /// The client's name for it.
    let name: String
    private var state = PromiseState<Finish, Bytes>()
    /// The pasteboards that it is on.
    private var boards: Set<ObjectIdentifier> = []
    /// Whether its call may still put it on another one.
    private var isBeingPlaced = true
    /// Has the client asked.
    private let ask: (Promise) -> Void
    /// It was kept or broken, or is on no pasteboard any more.
    private let onEnd: (Promise) -> Void

    init(name: String, ask: @escaping (Promise) -> Void, onEnd: @escaping (Promise) -> Void) {
        self.name = name
        self.ask = ask
        self.onEnd = onEnd
    }

    /// Whether the bytes may still come.
    var isOpen: Bool { state.isOpen }

    /// Whether the client was asked and has not answered.
    var isAsked: Bool { state.isAsked }

    /// What was given, once it is there.
    var bytes: Bytes? { state.bytes }

    /// Calls `finish` with the bytes: at once where they are there, else when the client gives them.
    func read(_ finish: @escaping Finish) {
        switch state.read(finish) {
        case .ask: ask(self)
        case .wait: break
        case .kept(let bytes): finish(.success(bytes))
        case .broken(let reason): finish(.failure(.promiseBroken(reason)))
        }
    }

    func keep(_ bytes: Bytes) {
        let readers = state.keep(bytes)
        onEnd(self)
        for finish in readers { finish(.success(bytes)) }
    }

    func `break`(_ reason: String) {
        guard isOpen else { return }
        let readers = state.break(reason)
        onEnd(self)
        for finish in readers { finish(.failure(.promiseBroken(reason))) }
    }

    // MARK: Pasteboards

    func placed(on board: PasteboardState) {
        boards.insert(ObjectIdentifier(board))
    }

    /// Its call puts it on no other pasteboard.
    func placedEverywhere() {
        isBeingPlaced = false
        endIfVoid()
    }

    /// A change took it from a pasteboard.
    func taken(from board: PasteboardState) {
        boards.remove(ObjectIdentifier(board))
        endIfVoid()
    }

    /// Nobody can ask for it once it is on no pasteboard; who has asked gets what comes.
    private func endIfVoid() {
        guard isVoid else { return }
        if isAsked { onEnd(self) } else { self.break("newer contents took the place of what was promised") }
    }

    /// Whether no pasteboard has it any more.
    var isVoid: Bool { boards.isEmpty && !isBeingPlaced }
}

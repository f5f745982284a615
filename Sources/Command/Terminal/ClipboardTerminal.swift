package import LinuxSystem
package import SystemPackage

/// A conversation with the controlling terminal about its clipboard, by OSC 5522. Each step has a time limit. Until the
/// end of the conversation the terminal passes keys on as they are, and Ctrl-C still ends the process.
package final class ClipboardTerminal {
    package enum Fault: Error, Equatable {
        case noTerminal(Errno)
        /// The terminal has ended during the conversation.
        case ended(Errno)
        /// The process is a job in the background, whose terminal another program reads.
        case inBackground
        /// The terminal does not answer requests of this kind.
        case unsupported
        /// The terminal does not answer at all.
        case silent
        /// The user, or the terminal's settings, deny the request.
        case denied
        /// The terminal's code, such as `EBUSY`.
        case refused(String)
        /// The contents were damaged on their way.
        case damaged
        /// The contents have more bytes than ``maxLength``.
        case tooLong
        /// A signal has arrived, which ends the process after the conversation.
        case interrupted
    }

    /// The limit on the bytes of contents that are read.
    package static let maxLength = 512 << 20
    /// The time that the user has to answer the terminal's question.
    package static let permissionTimeout = Duration.seconds(60)
    /// The time for which an answer may follow the terminal's attributes, if the terminal asks another program for it.
    private static let grace = Duration.milliseconds(500)
    /// The time for which the rest of replies may arrive after a fault. They are discarded, so that they do not appear
    /// on the next command line.
    private static let lateTimeout = Duration.seconds(1)
    private static let signals: [Signal] = [.hangup, .interrupt, .quit, .terminate, .terminalStop]
    /// The number of pieces after which the terminal's replies are read.
    private static let piecesAtOnce = 16

    private let device: TerminalDevice
    /// The terminal opened once more, for writing without blocking.
    private let output: Descriptor
    private let interruption: SignalDescriptor
    private let timeout: Duration
    private let packets: ClipboardPacket
    private var replies: ClipboardReplies
    private var unread: [ClipboardReplies.Reply] = []

    private init(_ device: TerminalDevice, isPrimary: Bool, timeout: Duration) throws(Errno) {
        self.device = device
        self.timeout = timeout
        output = try Descriptor.open(FilePath("/dev/tty"), .writeOnly, options: .nonBlocking)
        interruption = try SignalDescriptor(Self.signals)
        packets = ClipboardPacket(isPrimary: isPrimary)
        replies = ClipboardReplies(id: packets.id)
    }

    /// Runs a conversation.
    ///
    /// - Parameters:
    ///   - isPrimary: True for the selection PRIMARY instead of CLIPBOARD.
    ///   - timeout: The time that the terminal may take without a sign of life.
    /// - Throws: ``Fault``, and the errors of `body`.
    package static func converse<Result>(
        isPrimary: Bool, timeout: Duration, _ body: (ClipboardTerminal) throws -> Result
    ) throws -> Result {
        try SignalMask.blocking(signals) {
            let terminal = try opened(isPrimary: isPrimary, timeout: timeout)
            do {
                let result = try body(terminal)
                terminal.device.restore()
                return result
            } catch {
                terminal.discardRest(after: error)
                throw error
            }
        }
    }

    private static func opened(isPrimary: Bool, timeout: Duration) throws(Fault) -> ClipboardTerminal {
        do throws(Errno) {
            let device = try TerminalDevice.controlling()
            let terminal = try ClipboardTerminal(device, isPrimary: isPrimary, timeout: timeout)
            guard device.isForeground else { throw .wouldBlock }
            try device.makeRaw(keepsSignals: true)
            return terminal
        } catch {
            throw error == .wouldBlock ? .inBackground : .noTerminal(error)
        }
    }

    /// Returns the types on the terminal's clipboard; empty if it is empty.
    package func types() throws(Fault) -> [String] {
        // Every terminal answers the second request, so the first is known to be unsupported without a long wait.
        try send(packets.list + Array("\u{1B}[c".utf8))
        var (list, isDone, knowsAttributes) = ([UInt8](), false, false)
        while !isDone || !knowsAttributes {
            let reply = try next(within: knowsAttributes ? Self.grace : timeout)
            switch reply {
            case .attributes: knowsAttributes = true
            case .piece(let bytes): list += bytes + [UInt8(ascii: " ")]
            case .done: isDone = true
            case .accepted: break
            case .damaged: throw .damaged
            case .refused(let code): throw Self.fault(code)
            case nil where isDone: knowsAttributes = true
            case nil: throw knowsAttributes ? .unsupported : .silent
            }
        }
        var types: [String] = []
        // kitty ends the list with a newline.
        for type in String(decoding: list, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
        where !types.contains(type) {
            types.append(type)
        }
        return types
    }

    /// Reads contents of a type, after the user has allowed it.
    package func read(_ type: String) throws(Fault) -> MemoryFile {
        try send(packets.read(type))
        var isAccepted = false
        do {
            let file = try MemoryFileWriter()
            while true {
                switch try next(within: isAccepted ? timeout : max(timeout, Self.permissionTimeout)) {
                case .accepted: isAccepted = true
                case .piece(let bytes):
                    isAccepted = true
                    guard file.length + bytes.count <= Self.maxLength else { throw Fault.tooLong }
                    try file.append(bytes)
                case .done: return try file.seal()
                case .damaged: throw Fault.damaged
                case .refused(let code): throw Self.fault(code)
                case .attributes: break
                case nil: throw Fault.silent
                }
            }
        } catch let fault as Fault {
            throw fault
        } catch {
            throw .ended(error as? Errno ?? .ioError)
        }
    }

    /// Writes representations, and waits until the terminal has them.
    ///
    /// - Parameter bytes: Returns the bytes in a range of a representation.
    package func write(
        _ representations: [(type: String, length: Int)],
        _ bytes: (_ index: Int, Range<Int>) throws(Errno) -> [UInt8]
    ) throws(Fault) {
        try send(packets.beginningOfWriting)
        var pending: [UInt8] = []
        var pieces = 0
        for (index, (type, length)) in representations.enumerated() {
            // Empty contents have one empty piece.
            for start in stride(from: 0, to: max(length, 1), by: ClipboardPacket.maxPiece) {
                let range = start..<min(start + ClipboardPacket.maxPiece, length)
                do {
                    pending += packets.piece(try bytes(index, range), of: type)
                } catch {
                    throw .ended(error)
                }
                pieces += 1
                guard pieces % Self.piecesAtOnce == 0 else { continue }
                try send(pending)
                pending = []
                if try awaitInput(until: .now), case .refused(let code)? = try next(within: .zero) {
                    throw Self.fault(code)
                }
            }
        }
        try send(pending + packets.endOfWriting)
        while true {
            switch try next(within: max(timeout, Self.permissionTimeout)) {
            case .done: return
            case .refused(let code): throw Self.fault(code)
            case nil: throw .silent
            default: break
            }
        }
    }

    private static func fault(_ code: String) -> Fault { code == "EPERM" ? .denied : .refused(code) }

    // MARK: Bytes

    private func send(_ bytes: [UInt8]) throws(Fault) {
        do {
            try output.fileDescriptor.writeBytes(bytes, until: .now + timeout)
        } catch {
            throw error == .timedOut ? .silent : .ended(error)
        }
    }

    /// Returns the next reply; nil if none arrives in time.
    private func next(within timeout: Duration) throws(Fault) -> ClipboardReplies.Reply? {
        let deadline = ContinuousClock.now + timeout
        while unread.isEmpty {
            guard try awaitInput(until: deadline) else { return nil }
            do {
                let bytes = try device.fileDescriptor.readBytes(atMost: 65_536)
                if bytes.isEmpty { throw Errno.ioError }
                unread = replies.feed(bytes)
            } catch {
                throw .ended(error as? Errno ?? .ioError)
            }
        }
        return unread.removeFirst()
    }

    private func awaitInput(until deadline: ContinuousClock.Instant) throws(Fault) -> Bool {
        var set = PollSet()
        set.append(device.fileDescriptor, .input)
        set.append(interruption.fileDescriptor, .input)
        do {
            guard try set.wait(until: deadline) > 0 else { return false }
        } catch {
            throw .ended(error)
        }
        if !set.result(at: 1).isEmpty { throw .interrupted }
        return true
    }

    private func discardRest(after error: any Error) {
        let deadline = ContinuousClock.now + Self.lateTimeout
        if [.silent, .damaged, .tooLong, .interrupted].contains(error as? Fault) {
            while (try? waitReadable(device.fileDescriptor, until: deadline)) == true {
                guard let bytes = try? device.fileDescriptor.readBytes(atMost: 65_536), !bytes.isEmpty else { break }
            }
        }
        device.restore(discardsInput: true)
    }
}

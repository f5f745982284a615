package import LinuxSystem
import SystemPackage

/// A shortcut for the simple command lines that scripts and editors run over and over.
///
/// For a small `get`, the kernel needs less time than the ordinary path's libraries: the argument library, `Codable`
/// messages, and generic types that the runtime instantiates at their first use. The fast path uses none of them. It
/// leaves any other line to the ordinary path before sending or writing anything. If the fast path has sent the call,
/// the ordinary path takes over the connection, so that no call is made twice.
package enum FastPath {
    package enum Outcome {
        /// The ordinary path does everything.
        ///
        /// - Parameters:
        ///   - line: The line; nil if it is not simple.
        ///   - read: The bytes already read from standard input.
        case declined(FastLine? = nil, read: [UInt8] = [])
        /// No bridge could be reached at once, or the bridge ended without acting on the call. Once a bridge has been
        /// found or started, ``send(_:on:listeningAt:)`` continues.
        case noBridge(PendingCall)
        /// The call was sent, and the ordinary path does the rest.
        case sent(SentCall)
        /// The line was carried out.
        ///
        /// - Parameters:
        ///   - wrote: True if it wrote to standard output.
        ///   - quiet: True if the user wants no messages.
        case done(wrote: Bool, quiet: Bool)

        /// The command line that the fast path has read; nil if the line is not simple or has been carried out.
        package var line: FastLine? {
            switch self {
            case .declined(let line, _): line
            case .noBridge(let call): call.line
            case .sent(let sent): sent.line
            case .done: nil
            }
        }
    }

    /// A call that no bridge has acted on.
    package struct PendingCall {
        package let line: FastLine
        let message: [UInt8]
        var descriptors: [Descriptor] = []
        /// The bytes that were read from standard input.
        package var standardInput: [UInt8] = []
    }

    package struct SentCall {
        let line: FastLine
        /// The call of a `set`, to be sent again if the bridge has not acted on it: its source may have been read
        /// already. Nil for a `get`, which starts over.
        package let call: PendingCall?
        package let connection: Descriptor
        /// The path of the socket on which the bridge listens.
        package let path: String
        /// The part of the reply that has arrived.
        package let received: [UInt8]
        package let descriptors: [Descriptor]
        /// The number of bytes of the representation that were already written to standard output.
        package let written: Int
    }

    /// The maximum number of bytes that the fast path sets. For longer contents, the ordinary path's overhead does not
    /// matter.
    package static let maxBytes = 65_536

    /// The minimum length, in bytes, of contents that may be in a file of the store.
    private static let minShared = 1 << 20

    /// Carries out the line that the program was started with, if it is simple.
    package static func run(_ arguments: ThisProcess.ArgumentBytes) -> Outcome {
        guard DropInName(arguments) == nil else { return .declined() }
        var arguments = arguments
        guard let name = arguments.next(), let command = FastLine.Command(name) else { return .declined() }
        var line = FastLine(command)
        while let argument = arguments.next() {
            guard line.read(argument) else { return .declined() }
        }
        guard line.isComplete else { return .declined() }
        switch line.command {
        case .get: return get(line)
        case .set, .add: return set(line)
        case .count: return count(line)
        }
    }

    /// Sends a pending call on a connection that has been opened for it.
    ///
    /// - Parameter path: The path of the socket on which the bridge listens.
    package static func send(_ call: PendingCall, on connection: Descriptor, listeningAt path: String) -> Outcome {
        // If sending fails, the reply to be read next is the bridge's error or the end of the connection.
        let sent = try? UnixSocket.send(
            call.message[...], descriptors: call.descriptors, to: connection.fileDescriptor, waits: true)
        let answer = FastExchange(on: connection, listeningAt: Array(path.utf8))
        if sent == nil && answer.received.isEmpty || answer.mayRepeat(call.line) { return .noBridge(call) }
        return call.line.command == .get ? write(answer, for: call.line) : finish(call, answer)
    }

    private static func finish(_ call: PendingCall, _ answer: FastExchange) -> Outcome {
        FastReply.isChange(answer.received)
            ? .done(wrote: false, quiet: call.line.quiet) : .sent(answer.sentCall(call.line, call))
    }

    private static func get(_ line: FastLine) -> Outcome {
        // Before writing to a terminal, the ordinary path checks that the bytes are text.
        guard !StandardDescriptors.isTerminal(.standardOutput) else { return .declined(line) }
        let call = PendingCall(line: line, message: FastCall.get(line))
        guard let answer = FastExchange(call), !answer.mayRepeat(line) else { return .noBridge(call) }
        return write(answer, for: line)
    }

    private static func write(_ answer: FastExchange, for line: FastLine) -> Outcome {
        guard let range = FastReply.bytes(in: answer.received), answer.descriptors.count == 1,
            let file = answer.descriptors.first?.fileDescriptor,
            // A secret comes in a pipe, which is not regular.
            let status = try? FileStatus(of: file), status.isRegular, range.upperBound <= status.length
        else { return .sent(answer.sentCall(line)) }
        var rest = range
        // If the file system can share blocks, a file of the store need not be copied. Other files are short.
        var isShared = range.count >= minShared
        while !rest.isEmpty {
            if isShared, let shared = try? Transfer.share(rest, of: file, with: .standardOutput) {
                rest = rest.lowerBound + shared..<rest.upperBound
                continue
            }
            isShared = false
            guard let sent = try? Transfer.send(rest, of: file, to: .standardOutput) else {
                return .sent(answer.sentCall(line, written: range.count - rest.count))
            }
            rest = rest.lowerBound + sent..<rest.upperBound
        }
        return .done(wrote: true, quiet: line.quiet)
    }

    private static func set(_ line: FastLine) -> Outcome {
        let bytes: [UInt8]
        var read: [UInt8] = []
        switch line.source {
        case .text(let text):
            if line.mayNameFile, !line.quiet, StandardDescriptors.isTerminal(.standardError) { return .declined() }
            bytes = text
        case .file(let path):
            guard let contents = FastSource.contents(ofFile: path, limit: maxBytes) else { return .declined(line) }
            bytes = contents
        case .standardInput:
            guard !StandardDescriptors.isTerminal(.standardInput) else { return .declined(line) }
            guard FastSource.read(.standardInput, into: &read, limit: maxBytes) else {
                return .declined(line, read: read)
            }
            bytes = read
        }
        let length = line.trim ? FastSource.lengthWithoutNewline(of: bytes) : bytes.count
        guard let types = FastSource.types(of: line, bytes[..<length]),
            let file = FastSource.memoryFile(of: bytes)
        else { return .declined(line, read: read) }
        let call = PendingCall(
            line: line, message: FastCall.set(line, types: types, length: length), descriptors: [file],
            standardInput: read)
        guard let answer = FastExchange(call), !answer.mayRepeat(line) else { return .noBridge(call) }
        return finish(call, answer)
    }

    private static func count(_ line: FastLine) -> Outcome {
        // Asking again is harmless, so the ordinary path handles every difficulty.
        guard let answer = FastExchange(PendingCall(line: line, message: FastCall.count(line))),
            let count = FastReply.count(in: answer.received),
            (try? FileDescriptor.standardOutput.writeBytes(FastReply.line(count))) != nil
        else { return .declined(line) }
        return .done(wrote: true, quiet: line.quiet)
    }
}

/// A call that was sent to the bridge, and the reply if it came quickly.
///
/// A class, because a structure of more than four words is returned in memory, and its destruction there would
/// instantiate generic types: 24,000 instructions.
final class FastExchange {
    private let connection: Descriptor
    private let path: [UInt8]
    /// The received bytes; empty if no reply has come yet or the connection has ended.
    let received: [UInt8]
    let descriptors: [Descriptor]
    let ending: Ending

    enum Ending {
        case open
        /// The bridge closed the connection after reading the call.
        case closed
        /// The bridge closed the connection before reading the whole call, so it has not acted on the call.
        case undelivered
    }

    /// The timeout of the fast path for a reply, in milliseconds. The ordinary path waits longer.
    private static let timeout: Int32 = 200

    /// Sends the call; fails without having sent it if no bridge can be reached at once.
    convenience init?(_ call: FastPath.PendingCall) {
        guard let place = BridgePlace(),
            let connection = try? UnixSocket.connectAtOnce(to: place.socket),
            // Another user posing as the bridge would receive everything the user copies.
            let peer = try? PeerCredentials.of(connection.fileDescriptor), peer.user == PeerCredentials.own.user
        else { return nil }
        let message = FastCall.attach(place) + call.message
        let sent = try? UnixSocket.send(
            message[...], descriptors: call.descriptors, to: connection.fileDescriptor, waits: false)
        // The bridge ignores a call whose end is missing.
        guard sent == message.count else { return nil }
        self.init(on: connection, listeningAt: place.socket)
    }

    /// Awaits the reply to a call that was sent on the connection.
    init(on connection: Descriptor, listeningAt path: [UInt8]) {
        self.connection = connection
        self.path = path
        // Each case initializes all properties: for an optional answer, the runtime would instantiate generic types.
        do throws(Errno) {
            guard try UnixSocket.waitReadable(connection.fileDescriptor, milliseconds: Self.timeout),
                let answer = try UnixSocket.receive(from: connection.fileDescriptor, limit: 4_096, waits: false)
            else {
                received = []
                descriptors = []
                ending = .open
                return
            }
            received = answer.bytes
            descriptors = answer.descriptors
            ending = answer.bytes.isEmpty ? .closed : .open
        } catch {
            received = []
            descriptors = []
            // A reset is how the kernel reports unread bytes in the other end's buffer.
            ending = error == .connectionReset ? .undelivered : .open
        }
    }

    /// Returns true if the bridge has ended and the line may be carried out by the next one.
    func mayRepeat(_ line: FastLine) -> Bool {
        ending == .undelivered || ending == .closed && line.command == .get
    }

    /// Returns the call for the ordinary path to continue.
    func sentCall(
        _ line: FastLine, _ call: FastPath.PendingCall? = nil, written: Int = 0
    ) -> FastPath.SentCall {
        FastPath.SentCall(
            line: line, call: call, connection: connection, path: String(decoding: path, as: UTF8.self),
            received: received, descriptors: descriptors, written: written)
    }
}

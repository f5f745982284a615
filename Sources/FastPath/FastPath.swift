package import LinuxSystem
import SystemPackage

/// The short way through `xpb` for the lines that scripts and editors call over and over.
///
/// A run of `get` takes the kernel less time than the libraries that the ordinary way rests on: reading the line with
/// the argument library, messages by `Codable`, generic types that the runtime makes when they are first used. Here
/// nothing of that is touched. What is not plain is left to the ordinary way before anything has been sent or written;
/// where the bridge has been asked already, the ordinary way goes on from there, so that nothing is asked twice.
package enum FastPath {
    package enum Outcome {
        /// The ordinary way is to do it all.
        ///
        /// - Parameters:
        ///   - line: The line, nil if it is not plain.
        ///   - read: What has been read of standard input.
        case declined(FastLine? = nil, read: [UInt8] = [])
        /// No bridge could be asked at once: once one is found or started, ``ask(_:at:listeningAt:)`` goes on.
        case noBridge(PendingCall)
        /// The bridge was asked, and the ordinary way is to do the rest.
        case sent(SentCall)
        /// - Parameters:
        ///   - wrote: Whether to standard output.
        ///   - quiet: Whether the user wants no message.
        case done(wrote: Bool, quiet: Bool)

        /// The line as it was read here; nil if it is not plain, or there is nothing left to do.
        package var line: FastLine? {
            switch self {
            case .declined(let line, _): line
            case .noBridge(let call): call.line
            case .sent(let sent): sent.line
            case .done: nil
            }
        }
    }

    /// A call that was not made yet.
    package struct PendingCall {
        package let line: FastLine
        let message: [UInt8]
        let descriptors: [Descriptor]

        init(_ line: FastLine, _ message: [UInt8], passing descriptors: [Descriptor] = []) {
            self.line = line
            self.message = message
            self.descriptors = descriptors
        }
    }

    /// A call that was made.
    package struct SentCall {
        let line: FastLine
        package let connection: Descriptor
        /// Where the bridge listens.
        package let path: String
        /// What has come of the reply, and with it.
        package let received: [UInt8]
        package let descriptors: [Descriptor]
        /// How many bytes of the representation standard output has already.
        package let written: Int
    }

    /// The most bytes of a `set` that are taken up here; of more, the time goes elsewhere.
    package static let maxBytes = 65_536

    /// From this length on, in bytes, contents may be in a file of the store.
    private static let minShared = 1 << 20

    /// Carries out the line that the program was started with, if it is plain.
    package static func run(_ arguments: ThisProcess.ArgumentBytes) -> Outcome {
        var arguments = arguments
        guard let name = arguments.next(), let command = FastLine.Command(name) else { return .declined() }
        var line = FastLine(command)
        while let argument = arguments.next() {
            guard line.read(argument) else { return .declined() }
        }
        guard line.isWhole else { return .declined() }
        switch line.command {
        case .get: return get(line)
        case .set, .add: return set(line)
        case .count: return count(line)
        }
    }

    /// Makes a call that was not made, on a connection that was.
    ///
    /// - Parameter path: Where the bridge listens.
    package static func ask(_ call: PendingCall, at connection: Descriptor, listeningAt path: String) -> Outcome {
        // Why that fails the bridge has said before it went, or there is an end to be read, which tells as much.
        _ = try? UnixSocket.send(
            call.message[...], descriptors: call.descriptors, to: connection.fileDescriptor, waits: true)
        return finish(call.line, FastExchange(on: connection, listeningAt: Array(path.utf8)))
    }

    private static func finish(_ line: FastLine, _ answer: FastExchange) -> Outcome {
        switch line.command {
        case .get: write(answer, for: line)
        case .set, .add, .count:
            FastReply.isChange(answer.received)
                ? .done(wrote: false, quiet: line.quiet) : .sent(answer.sentCall(line))
        }
    }

    private static func get(_ line: FastLine) -> Outcome {
        // A terminal is not shown what is no text.
        guard !StandardDescriptors.isTerminal(.standardOutput) else { return .declined(line) }
        let call = PendingCall(line, FastCall.get(line))
        guard let answer = FastExchange(call) else { return .noBridge(call) }
        return finish(line, answer)
    }

    private static func write(_ answer: FastExchange, for line: FastLine) -> Outcome {
        guard let range = FastReply.bytes(in: answer.received), answer.descriptors.count == 1,
            let file = answer.descriptors.first?.fileDescriptor,
            // A secret comes in a pipe.
            let status = try? FileStatus(of: file), status.isRegular, range.upperBound <= status.length
        else { return .sent(answer.sentCall(line)) }
        var rest = range
        // A file of the store's need not be copied where the file system can share it. Others are short.
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
        case .text(let text): bytes = text
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
        let call = PendingCall(line, FastCall.set(line, types: types, length: length), passing: [file])
        guard let answer = FastExchange(call) else { return .noBridge(call) }
        return finish(line, answer)
    }

    private static func count(_ line: FastLine) -> Outcome {
        // Asking again does no harm, so any trouble is left to the ordinary way.
        guard let answer = FastExchange(PendingCall(line, FastCall.count(line))),
            let count = FastReply.count(in: answer.received),
            (try? FileDescriptor.standardOutput.writeBytes(FastReply.line(count))) != nil
        else { return .declined(line) }
        return .done(wrote: true, quiet: line.quiet)
    }
}

/// One call to the bridge, made, and what came back in a short while.
struct FastExchange {
    private let connection: Descriptor
    private let path: [UInt8]
    /// Empty where nothing has come yet, or no more will.
    let received: [UInt8]
    let descriptors: [Descriptor]

    /// What an answer that is not slow stays below, in milliseconds. Who waits for longer is the ordinary way.
    private static let timeout: Int32 = 200

    /// - Returns: nil where there is no bridge that can be asked at once: the call was not made.
    init?(_ call: FastPath.PendingCall) {
        guard let place = BridgePlace(),
            let connection = try? UnixSocket.connectAtOnce(to: place.socket),
            // Who poses as the bridge would be handed what is copied.
            let peer = try? PeerCredentials.of(connection.fileDescriptor), peer.user == PeerCredentials.own.user
        else { return nil }
        let message = FastCall.attach(place) + call.message
        let sent = try? UnixSocket.send(
            message[...], descriptors: call.descriptors, to: connection.fileDescriptor, waits: false)
        // Of a call without its end the bridge takes no notice.
        guard sent == message.count else { return nil }
        self.init(on: connection, listeningAt: place.socket)
    }

    /// Of a call that was made on that connection.
    init(on connection: Descriptor, listeningAt path: [UInt8]) {
        self.connection = connection
        self.path = path
        guard (try? UnixSocket.waitReadable(connection.fileDescriptor, milliseconds: Self.timeout)) == true,
            let answer = try? UnixSocket.receive(from: connection.fileDescriptor, limit: 4_096, waits: false)
        else {
            received = []
            descriptors = []
            return
        }
        received = answer.bytes
        descriptors = answer.descriptors
    }

    /// For who goes on with it.
    func sentCall(_ line: FastLine, written: Int = 0) -> FastPath.SentCall {
        FastPath.SentCall(
            line: line, connection: connection, path: String(decoding: path, as: UTF8.self), received: received,
            descriptors: descriptors, written: written)
    }
}

package import LinuxSystem
import SystemPackage

/// The short way through `xpb` for the lines that scripts and editors call over and over.
///
/// A run of `get` takes the kernel less time than the libraries that the ordinary way rests on: reading the line with the
/// argument library, messages by `Codable`, generic types that the runtime makes when they are first used. Here nothing of
/// that is touched. What is not plain is left to the ordinary way before anything has been sent or written; where the
/// bridge has been asked already, the ordinary way goes on from there, so that nothing is asked twice.
package enum FastPath {
    package enum Outcome {
        /// The ordinary way is to do it all; of standard input this has been read already.
        case declined(read: [UInt8])
        /// The bridge was asked, and the ordinary way is to do the rest.
        case asked(Question)
        /// - Parameters:
        ///   - wrote: Whether to standard output.
        ///   - quiet: Whether the user wants no message.
        case done(wrote: Bool, quiet: Bool)

        static var declined: Outcome { .declined(read: []) }
    }

    /// A call that was made.
    package struct Question {
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
    package static let mostBytes = 65_536

    /// From this length on, in bytes, contents may be in a file of the store.
    private static let leastShared = 1 << 20

    /// Carries out the line that the program was started with, if it is plain.
    package static func run(_ arguments: ThisProcess.ArgumentBytes) -> Outcome {
        var arguments = arguments
        guard let name = arguments.next(), let command = PlainLine.Command(name) else { return .declined }
        var line = PlainLine(command)
        while let argument = arguments.next() {
            guard line.take(argument) else { return .declined }
        }
        guard line.isWhole else { return .declined }
        switch line.command {
        case .get: return get(line)
        case .set, .add: return set(line)
        case .count: return count(line)
        }
    }

    private static func get(_ line: PlainLine) -> Outcome {
        // A terminal is not shown what is no text.
        guard !StandardDescriptors.isTerminal(.standardOutput),
            let answer = PlainExchange(PlainCall.get(line))
        else { return .declined }
        guard let range = PlainReply.bytes(in: answer.received), answer.descriptors.count == 1,
            let file = answer.descriptors.first?.fileDescriptor,
            // A secret comes in a pipe.
            let status = try? FileStatus(of: file), status.isRegular, range.upperBound <= status.length
        else { return .asked(answer.question()) }
        var rest = range
        // A file of the store's need not be copied where the file system can share it. Others are short.
        var isShared = range.count >= leastShared
        while !rest.isEmpty {
            if isShared, let shared = try? Transfer.share(rest, of: file, with: .standardOutput) {
                rest = rest.lowerBound + shared..<rest.upperBound
                continue
            }
            isShared = false
            guard let sent = try? Transfer.send(rest, of: file, to: .standardOutput) else {
                return .asked(answer.question(written: range.count - rest.count))
            }
            rest = rest.lowerBound + sent..<rest.upperBound
        }
        return .done(wrote: true, quiet: line.quiet)
    }

    private static func set(_ line: PlainLine) -> Outcome {
        let bytes: [UInt8]
        var read: [UInt8] = []
        switch line.source {
        case .text(let text): bytes = text
        case .file(let path):
            guard let contents = PlainSource.contents(ofFile: path, limit: mostBytes) else { return .declined }
            bytes = contents
        case .standardInput:
            guard !StandardDescriptors.isTerminal(.standardInput) else { return .declined }
            guard PlainSource.read(.standardInput, into: &read, limit: mostBytes) else { return .declined(read: read) }
            bytes = read
        }
        let length = line.trim ? PlainSource.lengthWithoutNewline(of: bytes) : bytes.count
        guard let types = PlainSource.types(of: line, bytes[..<length]),
            let file = PlainSource.memoryFile(of: bytes),
            let answer = PlainExchange(PlainCall.set(line, types: types, length: length), file)
        else { return .declined(read: read) }
        guard PlainReply.isChange(answer.received) else { return .asked(answer.question()) }
        return .done(wrote: false, quiet: line.quiet)
    }

    private static func count(_ line: PlainLine) -> Outcome {
        // Asking again does no harm, so any trouble is left to the ordinary way.
        guard let answer = PlainExchange(PlainCall.count(line)), let count = PlainReply.count(in: answer.received),
            (try? FileDescriptor.standardOutput.writeBytes(PlainReply.line(count))) != nil
        else { return .declined }
        return .done(wrote: true, quiet: line.quiet)
    }
}

import ArgumentParser
import BridgeClient
package import CommandCore
package import LinuxSystem
import PasteboardModel
package import PasteboardWire
package import SystemPackage

struct LoadCommand: PasteboardSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Replace the contents with those that 'xpb dump' wrote.",
        discussion: """
            An archive that is damaged or incomplete changes nothing. It does not contain options such as --expires: \
            give them again.

              xpb load contents --expires 1h
              ssh host xpb dump | xpb load
            """)

    @Option(name: .customLong("if-count"), help: SourceFlags.ifCountHelp)
    var ifCount: Int?

    @Option(help: SourceFlags.expiresHelp, transform: Lifetime.parse)
    var expires: Lifetime?

    @Flag(name: .customLong("local-only"), help: SourceFlags.localOnlyHelp)
    var localOnly = false

    @Flag(help: SourceFlags.onceHelp)
    var once = false

    @Flag(help: SourceFlags.memoryHelp)
    var memory = false

    @Argument(help: ArgumentHelp("The archive (default: standard input).", valueName: "FILE"), completion: .file())
    var file: String?

    @OptionGroup var pasteboards: PasteboardFlags
    @OptionGroup(title: CommonFlags.title) var common: CommonFlags

    func perform(in session: Session) throws {
        let pasteboards = try session.pasteboards()
        let archive = try read(session)
        let client = try session.connect()
        let parameters = Methods.Set.Parameters(
            pasteboards: pasteboards, items: archive.items, ifCount: ifCount,
            options: WireOptions(expires, localOnly: localOnly, once: once, memory: memory),
            timeout: client.timeoutMilliseconds)
        let archived = [archive.file.descriptor]
        let counts = try client.call(Methods.Set.self, parameters, descriptors: archived, isLong: true).reply.counts
        session.console.detail("count \(counts.map(String.init).joined(separator: " "))")
        if session.common.json { try session.output.write(counts: counts, of: pasteboards) }
    }

    private func read(_ session: Session) throws(Failure) -> LoadedArchive {
        guard let path = file, path != "-" else {
            guard !StandardDescriptors.isTerminal(.standardInput) else {
                throw .usage("an archive comes from a file or a pipe, but standard input is a terminal; name a FILE")
            }
            return try LoadedArchive(from: .standardInput, named: "standard input")
        }
        let opened: Descriptor
        do {
            opened = try Descriptor.open(FilePath(lossless: path))
        } catch {
            throw .usage("\(path) cannot be read: \(error)")
        }
        return try LoadedArchive(from: opened.fileDescriptor, named: path)
    }
}

/// A completely read archive of items: one file, with a range for each representation.
package struct LoadedArchive {
    package let file: MemoryFile
    package let items: [WireNewItem]

    /// The limit on the bytes of a `set`: X11 announces the length of a transfer in 32 bits.
    private static let limit = Int(UInt32.max)

    /// - Parameter source: The file, read from its current offset to its end.
    package init(from source: FileDescriptor, named name: String) throws(Failure) {
        let (file, archive) = try Self.read(source, named: name)
        self.file = file
        items = zip(archive.items, archive.ranges).map { parts, ranges in
            WireNewItem(
                representations: zip(parts, ranges).map { part, range in
                    .again(
                        type: part.type, target: part.target, exact: part.exact,
                        WireBytes(descriptor: 0, offset: range.lowerBound, length: range.count))
                })
        }
    }

    private static func read(_ source: FileDescriptor, named name: String) throws(Failure) -> (MemoryFile, ItemArchive)
    {
        do {
            let start = try header(source)
            let archive = try ItemArchive(header: start, length: nil)
            guard archive.length - archive.header.count <= limit else {
                throw Failure(.refused, "\(name) exceeds \(limit) bytes, the maximum for a pasteboard")
            }
            let writer = try MemoryFileWriter()
            try writer.append(start)
            // One more byte is read, if there is one, to detect bytes after the archive.
            if start.count <= archive.length {
                _ = try writer.append(from: source, limit: archive.length - start.count)
            }
            if writer.length < archive.length {
                throw ItemArchiveError.truncated(missing: archive.length - writer.length)
            }
            if writer.length > archive.length { throw ItemArchiveError.trailing(writer.length - archive.length) }
            guard !archive.items.isEmpty, archive.items.allSatisfy({ !$0.isEmpty }) else {
                let what = archive.items.isEmpty ? "the archive has no items" : "an item has no representations"
                throw Failure.usage("\(name) cannot be loaded: \(what); nothing was changed")
            }
            return (try writer.seal(), archive)
        } catch {
            throw failure(error, named: name)
        }
    }

    /// Reads the beginning of the archive, with the complete header.
    private static func header(_ source: FileDescriptor) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let piece = try source.readBytes(atMost: 65_536)
            bytes += piece
            // At the end of the file, the parser reports an incomplete header.
            if piece.isEmpty { return bytes }
            if try ItemArchive.headerLength(in: bytes) != nil { return bytes }
        }
    }

    private static func failure(_ error: any Error, named name: String) -> Failure {
        switch error {
        case let failure as Failure: failure
        case ItemArchiveError.trailing:
            Failure(.broken, "\(name): bytes follow the end of the archive; nothing was changed")
        case ItemArchiveError.notAnArchive:
            .usage("\(name) is not an archive from 'xpb dump'; nothing was changed")
        case let error as ItemArchiveError:
            Failure(error.isIncomplete ? .broken : .usage, "\(name): \(error.message); nothing was changed")
        case Errno.isDirectory: .usage("\(name) cannot be read: it is a folder")
        case Errno.noMemory: Failure(.refused, "there is not enough memory for \(name)")
        default: Failure(.broken, "\(name) cannot be read to its end: \(error); nothing was changed")
        }
    }
}

extension ItemArchiveError {
    fileprivate var isIncomplete: Bool {
        if case .truncated = self { true } else { false }
    }
}

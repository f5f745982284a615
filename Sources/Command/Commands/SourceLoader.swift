package import CommandCore
import Configuration
import FastPath
package import Formats
package import LinuxSystem
package import PasteboardWire
package import SystemPackage
import UniformTypes

/// The sources of a `set` after reading.
package struct LoadedSources {
    /// One file with all bytes, with a range for each representation; for a secret, one blob for each source.
    package let blobs: [ImmutableBytes]
    package let items: [WireNewItem]
    /// The first source as it was read, including its newline.
    package let firstSource: Range<Int>
    /// The source file if its bytes are not read here, but copied by the bridge.
    let borrowed: SourceLoader.OpenedSource?
    /// True if there are neither bytes nor promises to set.
    package let isEmpty: Bool
    /// The promised commands; the index of each is the name of its promise.
    package let commands: [PromisedCommand]
}

/// A command that `-c` promises.
package struct PromisedCommand: Codable, Equatable, Sendable {
    /// The text that `sh` runs.
    package var text: String
    /// True if the output has no given type: it is offered as text, so it must be text.
    package var mustBeText: Bool

    package init(text: String, mustBeText: Bool) {
        self.text = text
        self.mustBeText = mustBeText
    }
}

package struct SourceLoader {
    package let console: Console
    package var standardInput = FileDescriptor.standardInput
    /// The bytes that were already read from standard input.
    package let read: [UInt8]
    /// The limit on the bytes of a `set`: X11 announces the length of a transfer in 32 bits.
    package let limit: Int

    package init(console: Console, read: [UInt8] = [], limit: Int = Int(UInt32.max)) {
        self.console = console
        self.read = read
        self.limit = limit
    }

    /// - Parameter borrows: True if the bridge may copy a long file from its place.
    package func load(_ options: SetOptions, borrows: Bool = false) throws(Failure) -> LoadedSources {
        try load(options, borrows: borrows, opened: nil)
    }

    /// - Parameter opened: The only source, if it is already open.
    package func load(_ options: SetOptions, borrows: Bool = false, opened: OpenedSource?) throws(Failure)
        -> LoadedSources
    {
        // The types are checked first, so that a wrong one is reported before standard input is read.
        let sources = options.items.flatMap { $0 }
        for source in sources { try check(source.types, checksSpelling: options.checksSpelling && !options.exact) }
        // A file is opened only once, whether it is borrowed or read: closing a pipe would kill its writer.
        var only = opened
        var borrowed: ([ImmutableBytes], [Place])?
        if borrows, sources.count == 1, let source = try self.opened(sources[0].origin) {
            only = source
            borrowed = self.borrowed(source.file)
        }
        let (blobs, read) =
            if let borrowed {
                borrowed
            } else {
                try options.concealed ? readSecrets(sources) : readAll(sources, opened: only)
            }
        var ranges: [Place] = []
        for place in read {
            let range = try Ending(
                of: blobs[place.blob], place.range, trims: options.trim, keepsReturn: options.keepsReturn
            ).range
            ranges.append(Place(blob: place.blob, range: range))
        }

        var commands: [PromisedCommand] = []
        var rest = zip(sources, ranges).makeIterator()
        var items: [WireNewItem] = []
        for item in options.items {
            var representations: [WireNewRepresentation] = []
            var taken: Set<[UInt8]> = []
            for _ in item {
                guard let (source, place) = rest.next() else { break }
                var bytes: WireBytes?
                var promise: String?
                if case .command(let text) = source.origin {
                    promise = String(commands.count)
                    commands.append(PromisedCommand(text: text, mustBeText: source.types.isEmpty))
                } else {
                    bytes = WireBytes(
                        descriptor: place.blob, offset: place.range.lowerBound, length: place.range.count)
                }
                let exact = options.exact ? true : nil
                let types = try types(of: source, blobs[place.blob], place.range)
                try checkDistinct(types, from: &taken)
                representations += types.map { type in
                    WireNewRepresentation(type: type, exact: exact, bytes: bytes, promise: promise)
                }
            }
            items.append(WireNewItem(representations: representations))
        }
        return LoadedSources(
            blobs: blobs, items: items, firstSource: read.first?.range ?? 0..<0,
            borrowed: borrowed == nil ? nil : only, isEmpty: commands.isEmpty && ranges.allSatisfy(\.range.isEmpty),
            commands: commands)
    }

    /// The location of a source's bytes.
    package struct Place {
        package let blob: Int
        package let range: Range<Int>
    }

    /// - Parameter opened: The only source, if it is already open.
    private func readAll(_ sources: [Source], opened: OpenedSource?) throws(Failure) -> ([ImmutableBytes], [Place]) {
        let writer = try Self.inMemory { () throws(Errno) in try MemoryFileWriter() }
        var places: [Place] = []
        for source in sources {
            let start = writer.length
            try append(source.origin, opened: opened, to: writer)
            guard writer.length <= limit else {
                throw Failure(.refused, "the sources exceed \(limit) bytes, the maximum for a pasteboard")
            }
            places.append(Place(blob: 0, range: start..<writer.length))
        }
        return ([.file(try Self.inMemory { () throws(Errno) in try writer.seal() })], places)
    }

    private func check(_ types: [String], checksSpelling: Bool) throws(Failure) {
        for type in types {
            guard SourceType.concrete(named: type) != nil else {
                throw .notAType(type, "is not a concrete type; use a name such as public.png, image/png or .png")
            }
            guard checksSpelling, let meant = Self.spelling(of: type) else { continue }
            throw .usage("'\(type)' is not a known type; did you mean '\(meant)'? --exact offers the name as it is")
        }
    }

    /// Returns the common name that was probably meant by an unknown word in lower case; nil if there is none. Other
    /// targets, such as `UTF8_STRING`, are names that programs chose. The types of the user and the desktop must be
    /// installed.
    private static func spelling(of name: String) -> String? {
        guard let query = TypeQuery.parse(name), case .target = query, query.byExtension == nil,
            UniformType(target: name).isDynamic, name.utf8.allSatisfy({ (0x61...0x7A).contains($0) }),
            UniformType(filenameExtension: name)?.preferredMIMEType == nil
        else { return nil }
        let names = TypeClass.allCases.filter { $0.concreteType != nil }.map(\.rawValue) + commonExtensions
        return Suggestion.nearest(to: name, among: names)
    }

    private static let commonExtensions = [
        "png", "jpg", "jpeg", "gif", "svg", "webp", "pdf", "json", "xml", "csv", "txt", "md", "rtf",
    ]

    /// Checks that no other source of the item has one of these types, since only the first source could be pasted.
    ///
    /// - Parameter taken: The types of the other sources; the new types are added to them.
    private func checkDistinct(_ types: [String], from taken: inout Set<[UInt8]>) throws(Failure) {
        var own: Set<[UInt8]> = []
        for name in types {
            guard let (type, target) = SourceType.concrete(named: name) else { continue }
            let key = Array("\(type.identifier)\0\(target ?? "")".utf8)
            guard !taken.contains(key) else {
                throw .usage(
                    "two sources of one item have the type \(target ?? type.identifier); put --next between them to "
                        + "make two items")
            }
            own.insert(key)
        }
        taken.formUnion(own)
    }

    private func append(
        _ origin: Source.Origin, opened: OpenedSource?, to writer: MemoryFileWriter
    ) throws(Failure) {
        switch origin {
        case .text(let text):
            try Self.inMemory { () throws(Errno) in try writer.append(LosslessText.bytes(of: text)) }
        case .fileURL(let path):
            let url = try SourceFile.url(forPath: path)
            try Self.inMemory { () throws(Errno) in try writer.append(url.bytes) }
        case .command: break
        case .joined(let origins):
            for origin in origins { try append(origin, opened: nil, to: writer) }
        case .standardInput, .file:
            let source = if let opened { opened } else { try self.opened(origin) }
            guard let (file, name) = source else { return }
            let start = writer.length
            if origin == .standardInput { try Self.inMemory { () throws(Errno) in try writer.append(read) } }
            try append(file.fileDescriptor, named: name, from: start, to: writer)
        }
    }

    /// A source that is a file, with its name for messages.
    package typealias OpenedSource = (file: SourceDescriptor, name: String)

    /// Opens a source that is a file; returns nil for any other source.
    func opened(_ origin: Source.Origin) throws(Failure) -> OpenedSource? {
        switch origin {
        case .text, .fileURL, .command, .joined: return nil
        case .standardInput:
            if StandardDescriptors.isTerminal(standardInput) {
                console.say("reading from the terminal, end with Ctrl-D")
            }
            return (.inherited(standardInput), "standard input")
        case .file(let path):
            do {
                return (.opened(try Descriptor.open(FilePath(lossless: path))), path)
            } catch {
                throw .usage("\(path.isEmpty ? "the empty file name" : path) cannot be read: \(error)")
            }
        }
    }

    package enum SourceDescriptor {
        /// A descriptor that its owner closes.
        case inherited(FileDescriptor)
        case opened(Descriptor)

        package var fileDescriptor: FileDescriptor {
            switch self {
            case .inherited(let file): file
            case .opened(let descriptor): descriptor.fileDescriptor
            }
        }
    }

    /// Reads to the end of the file, even if the file grows.
    ///
    /// - Parameter start: The offset of the source's first byte, which the writer may already have.
    private func append(
        _ file: FileDescriptor, named name: String, from start: Int, to writer: MemoryFileWriter
    ) throws(Failure) {
        let left = limit - writer.length
        var length: Int?
        if let status = try? FileStatus(of: file), status.isRegular {
            let offset = (try? file.seek(offset: 0, from: .current)) ?? 0
            guard status.length - Int(offset) <= left else {
                throw Failure(
                    .refused, "\(name) has \(status.length) bytes; the maximum for a pasteboard is \(limit) in all")
            }
            length = writer.length - start + status.length - Int(offset)
        }
        let target = writer.fileDescriptor
        let progress = { @Sendable [length] () -> TransferProgress? in
            // The kernel moves many bytes in one call, during which the file grows.
            let read = ((try? FileStatus(of: target).length) ?? 0) - start
            // No progress is shown yet: the program that writes the source may still be using the same terminal.
            guard read >= FastPath.maxBytes else { return nil }
            return TransferProgress(label: "reading \(name)", bytes: read, length: length)
        }
        do throws(Errno) {
            _ = try console.showingProgress(progress) { () throws(Errno) in
                try writer.append(from: file, limit: left)
            }
        } catch .isDirectory {
            throw .usage("\(name) cannot be read: it is a folder; --files copies files and folders themselves")
        } catch .noMemory {
            throw Failure(.refused, "there is not enough memory for \(name)")
        } catch {
            throw Failure(.broken, "\(name) cannot be read to its end: \(error); nothing was changed")
        }
    }

    private func types(of source: Source, _ held: ImmutableBytes, _ range: Range<Int>) throws(Failure) -> [String] {
        guard source.types.isEmpty else { return source.types }
        do {
            var name: String?
            switch source.origin {
            case .text, .command: return [UniformType.utf8PlainText.identifier]
            case .fileURL: return [UniformType.fileURL.identifier]
            case .standardInput, .joined: break
            case .file(let path): name = path
            }
            // A secret is not copied, not even its first bytes.
            let prefix = try held.file?.bytes(in: range.prefix(SourceType.prefixLength)) ?? []
            return [SourceType.sniff(prefix: prefix, form: try Self.form(of: held, range), fileName: name)]
        } catch {
            throw Failure(.broken, "the bytes that were read cannot be examined: \(error)")
        }
    }

    private static func form(of held: ImmutableBytes, _ range: Range<Int>) throws -> SourceType.Form {
        if try held.isUTF8Text(in: range) { return .utf8 }
        return try held.allSatisfy(in: range, SourceType.isTextByte) ? .otherText : .binary
    }

    private static func inMemory<Result>(_ body: () throws(Errno) -> Result) throws(Failure) -> Result {
        do {
            return try body()
        } catch {
            throw Failure(.refused, "there is not enough memory for the sources: \(error)")
        }
    }
}

/// Reading the sources of `--concealed`.
extension SourceLoader {
    /// Reads each source directly into locked memory.
    func readSecrets(_ sources: [Source]) throws(Failure) -> ([ImmutableBytes], [Place]) {
        var blobs: [ImmutableBytes] = []
        for source in sources {
            guard let (file, name) = try opened(source.origin) else { continue }
            do throws(SecretMemoryError) {
                let left = SecretMemory.maxBytes - blobs.reduce(0) { $0 + $1.length }
                let writer = try SecretMemoryWriter(room: left)
                try writer.append(from: file.fileDescriptor)
                blobs.append(.secret(writer.seal()))
            } catch {
                switch error {
                case .tooLong:
                    throw Failure(
                        .refused,
                        "--concealed takes at most \(SecretMemory.maxBytes) bytes in all, locked in memory")
                case .unreadable(.isDirectory): throw .usage("\(name) cannot be read: it is a folder")
                case .unreadable(let error):
                    throw Failure(.broken, "\(name) cannot be read to its end: \(error); nothing was changed")
                case .notLockable, .notAPipe, .incomplete: throw Failure(.refused, "\(error)")
                }
            }
        }
        return (blobs, blobs.indices.map { Place(blob: $0, range: 0..<blobs[$0].length) })
    }
}

/// Borrowing a long file: the bridge copies it once, from its place to the store.
extension SourceLoader {
    /// The length in bytes below which a copy in memory is cheap.
    private static let minBorrowed = 1 << 20

    /// Returns the source if it is a long file on a disk; nil if it must be read.
    func borrowed(_ source: SourceDescriptor) -> ([ImmutableBytes], [Place])? {
        guard let (descriptor, start) = descriptor(of: source),
            let file = try? MemoryFile(.borrowed, onDisk: descriptor),
            case let range = min(start, file.length)..<file.length,
            range.count >= Self.minBorrowed, range.count <= limit
        else { return nil }
        return ([.file(file)], [Place(blob: 0, range: range)])
    }

    /// Moves the offset of standard input to the end of the borrowed bytes, as reading would.
    package func finish(_ loaded: LoadedSources) {
        guard case .inherited(let file) = loaded.borrowed?.file else { return }
        _ = try? file.seek(offset: Int64(loaded.firstSource.upperBound), from: .start)
    }

    /// Returns the descriptor of a file and the offset at which the source begins.
    private func descriptor(of source: SourceDescriptor) -> (Descriptor, start: Int)? {
        switch source {
        case .opened(let descriptor): return (descriptor, 0)
        case .inherited(let file):
            // The offset is after the bytes already read; a pipe has no offset.
            guard let position = try? file.seek(offset: 0, from: .current),
                let descriptor = try? Descriptor(adopting: file.duplicatedCloseOnExec(atLeast: 3))
            else { return nil }
            return (descriptor, Int(position) - read.count)
        }
    }
}

/// The URLs of files named on the command line.
package enum SourceFile {
    /// Returns the URL of an existing file, without resolving links in its path.
    package static func url(forPath path: String) throws(Failure) -> FileURL {
        do {
            // A dangling link is a file too.
            _ = try Stat(FilePath(lossless: path), followTargetSymlink: false)
            let absolute = path.hasPrefix("/") ? path : "\(try ThisProcess.workingFolder())/\(path)"
            guard let url = FileURL(path: LosslessText.bytes(of: absolute)) else { throw Errno.noSuchFileOrDirectory }
            return url
        } catch {
            throw .usage("\(path) cannot be copied: \(error)")
        }
    }
}

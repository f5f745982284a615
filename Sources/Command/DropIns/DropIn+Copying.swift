import BridgeClient
import CommandCore
import Commands
import FastPath
import LinuxSystem
import PasteboardModel
import PasteboardWire
import SystemPackage
import UniformTypes

/// The steps that copy.
extension DropIn {
    func perform(_ copy: DropInCopy) throws {
        if copy.isCutBuffer { return try storeCutBuffer(copy) }
        if let growth = copy.growth { return try follow(copy, growth) }
        if copy.detectsFormat {
            let (session, target) = try detectingFormat()
            var copy = copy
            (copy.detectsFormat, copy.targets) = (false, [target])
            return try DropIn(request: request, session: session).perform(copy)
        }
        var origins = copy.origins
        if copy.appends { origins = [.text(LosslessText.string(of: try text(on: request.pasteboard)))] + origins }
        let counts = try write(origins, copy)
        if copy.waits, let counts { try awaitLoss(after: counts, copy.waitMessage) }
    }

    /// Reads the beginning of standard input, and returns the name of its format and a session with the bytes read.
    private func detectingFormat() throws -> (Session, target: String) {
        var bytes: [UInt8] = []
        while bytes.count < 32 {
            let piece = try FileDescriptor.standardInput.readBytes(atMost: 4_096)
            if piece.isEmpty { break }
            bytes += piece
        }
        let target =
            bytes.starts(with: "{\\rtf".utf8)
            ? "text/rtf" : bytes.starts(with: "%!PS-Adobe-".utf8) ? "application/postscript" : "UTF8_STRING"
        return (Session(session.common, after: .declined(nil, read: bytes)), target)
    }

    /// Returns the change counts; nil if there was nothing to write, and the pasteboard was emptied.
    func write(_ origins: [Source.Origin], _ copy: DropInCopy) throws -> [Int]? {
        do {
            return try SetCommand.perform(options(origins, copy), in: session)
        } catch let failure as Failure where failure.status == .nothing && copy.clearsIfEmpty {
            try clear()
            return nil
        } catch let failure as Failure where failure.status == .usage {
            throw unreadable(origins) ?? failure
        }
    }

    private func options(_ origins: [Source.Origin], _ copy: DropInCopy) throws -> SetOptions {
        var options = SetOptions()
        var origin = origins.count == 1 ? origins[0] : .joined(origins)
        if case .text(let text) = origin {
            origin = copy.isSecret ? try Self.standardInput(with: text) : .joined(origins)
        }
        // Words are text, whatever they look like.
        let isWords = if case .text = origins.first { !copy.appends } else { false }
        let targets = copy.targets.isEmpty && isWords ? ["UTF8_STRING"] : copy.targets
        options.items = [[Source(origin: origin, types: targets.map(Self.type))]]
        if let alternative = copy.alternative {
            options.items[0].append(Source(origin: .text(alternative), types: ["STRING"]))
        }
        (options.trim, options.keepsReturn, options.exact) = (copy.trims, true, copy.exact)
        // The original programs take any target.
        options.checksSpelling = false
        (options.tee, options.noEmpty) = (copy.tees, copy.clearsIfEmpty)
        // A secret is one item in locked memory; joined contents are at least kept off the disk.
        if case .joined = origin { options.concealed = false } else { options.concealed = copy.isSecret }
        if options.items[0].count > 1 { options.concealed = false }
        let memory = copy.isSecret && !options.concealed
        if copy.once || copy.isSecret || copy.expires != nil {
            options.wire = WireOptions(
                expires: copy.expires, once: copy.once ? true : nil, concealed: options.concealed ? true : nil,
                memory: memory ? true : nil)
        }
        return options
    }

    /// Puts text into a pipe instead of standard input, so that it is read as a secret.
    private static func standardInput(with text: String) throws -> Source.Origin {
        let bytes = LosslessText.bytes(of: text)
        // A pipe takes this many bytes without a reader.
        guard bytes.count <= SecretMemory.maxBytes else {
            throw Failure(.refused, "a secret has at most \(SecretMemory.maxBytes) bytes")
        }
        let (reading, writing) = try Descriptor.pipe()
        try writing.fileDescriptor.writeBytes(bytes)
        _ = try reading.fileDescriptor.duplicate(as: .standardInput)
        return .standardInput
    }

    /// Returns a TYPE that stands only for an X11 name: `image` alone would be a class of `xpb`.
    static func type(ofTarget name: String) -> String {
        switch TypeQuery.parse(name) {
        case .class, .pattern: UniformType(target: name).identifier
        case .identifier where name.hasPrefix("."): UniformType(target: name).identifier
        case .identifier, .mimeType, .target, nil: name
        }
    }

    /// Returns the failure for an unreadable file, in the words of perror(3); nil if all files can be read.
    private func unreadable(_ origins: [Source.Origin]) -> Failure? {
        for case .file(let path) in origins {
            do {
                let file = try Descriptor.open(toRead: LosslessText.bytes(of: path))
                if try FileStatus(of: file.fileDescriptor).isFolder { throw Errno.isDirectory }
            } catch let error as Errno {
                return Failure(.usage, "\(path): \(error)")
            } catch {
                return nil
            }
        }
        if origins.contains(.standardInput), (try? FileStatus(of: .standardInput))?.isFolder ?? false {
            return Failure(.usage, "-: \(Errno.isDirectory)")
        }
        return nil
    }

    private func storeCutBuffer(_ copy: DropInCopy) throws {
        let loader = SourceLoader(console: session.console)
        let loaded = try loader.load(options(copy.origins, copy))
        guard let blob = loaded.blobs.first, let bytes = loaded.items.first?.representations.first?.bytes else {
            return
        }
        if copy.tees { try session.output.write(blob, loaded.firstSource) }
        try cutBuffer().write(blob.bytes(in: bytes.offset..<bytes.offset + bytes.length))
    }

    func cutBuffer() throws(Failure) -> CutBuffer {
        let timeout = session.timeout.duration
        return CutBuffer(
            of: try XScreen(option: request.display, environment: session.environment, timeout: timeout))
    }

    /// Waits until other contents have replaced these, or the bridge has ended.
    private func awaitLoss(after counts: [Int], _ message: String?) throws {
        let count = counts.first ?? 0
        if let message { _ = try say(DropInMessage(message, toStandardError: true)) }
        let client = try session.connect()
        let parameters = Methods.Monitor.Parameters(
            pasteboards: [request.pasteboard.string], since: count, timeout: client.timeoutMilliseconds)
        do {
            _ = try client.stream(Methods.Monitor.self, parameters) { change in change.count <= count }
        } catch let error as BridgeClientError where error.code == .unavailable {
            // The original program, too, would lose its selection if the X server ended.
        }
    }

    // MARK: Following standard input

    /// Copies standard input as it grows, until it ends. Each pause in the input makes a change.
    private func follow(_ copy: DropInCopy, _ growth: DropInCopy.Growth) throws {
        var bytes = copy.appends ? try text(on: request.pasteboard) : []
        var once = copy
        once.clearsIfEmpty = false
        var counts: [Int]?
        var isAtEnd = false
        while !isAtEnd {
            repeat {
                let piece = try FileDescriptor.standardInput.readBytes(atMost: 1 << 16)
                isAtEnd = piece.isEmpty
                bytes += piece
            } while try !isAtEnd && waitReadable(.standardInput, until: .now + .milliseconds(50))
            if growth == .fromZero, let zero = bytes.lastIndex(of: 0) { bytes.removeSubrange(...zero) }
            counts = try write([.joined([.text(LosslessText.string(of: bytes))])], once)
        }
        if copy.waits, let counts { try awaitLoss(after: counts, nil) }
    }
}

import LinuxSystem
package import SystemPackage

/// The messages of `org.xpb.Pasteboard` that simple command lines send.
package enum FastCall {
    /// The timeout of a line without `--timeout`, in milliseconds.
    package static let timeout = 5_000

    package static func get(_ line: FastLine) -> [UInt8] {
        var message = Array("{\"method\":\"org.xpb.Pasteboard.Get\",\"parameters\":{\"pasteboard\":\"".utf8)
        message += line.pasteboard
        if let first = line.types.first {
            message += "\",\"types\":[\"".utf8
            message += first
            for type in line.types.dropFirst() {
                message += "\",\"".utf8
                message += type
            }
            message += "\"],".utf8
        } else {
            message += "\",".utf8
        }
        if line.exact { message += "\"exact\":true,".utf8 }
        message += "\"timeout\":".utf8
        append(timeout, to: &message)
        message += ",\"descriptors\":true,\"stream\":true},\"more\":true}\0".utf8
        return message
    }

    /// - Parameters:
    ///   - types: At least one.
    ///   - length: The number of bytes to set, from the start of the passed descriptor.
    package static func set(_ line: FastLine, types: [[UInt8]], length: Int) -> [UInt8] {
        var message = Array("{\"method\":\"org.xpb.Pasteboard.Set\",\"parameters\":{\"pasteboards\":[\"".utf8)
        message += line.pasteboard
        message += "\"],\"items\":[{\"representations\":[".utf8
        var separator = ""
        for type in types {
            message += separator.utf8
            message += "{\"type\":\"".utf8
            message += type
            message += "\",\"bytes\":{\"descriptor\":0,\"offset\":0,\"length\":".utf8
            append(length, to: &message)
            message += "}}".utf8
            separator = ","
        }
        message += "]}],".utf8
        if line.command == .add { message += "\"append\":true,".utf8 }
        message += "\"timeout\":".utf8
        append(timeout, to: &message)
        message += "}}\0".utf8
        return message
    }

    package static func count(_ line: FastLine) -> [UInt8] {
        var message = Array("{\"method\":\"org.xpb.Pasteboard.Count\",\"parameters\":{\"pasteboard\":\"".utf8)
        message += line.pasteboard
        message += "\"}}\0".utf8
        return message
    }

    /// Returns the message to send before a call; empty unless the environment names an X authority. The message has no
    /// reply.
    package static func attach(_ place: BridgePlace) -> [UInt8] {
        guard let authority = place.authority else { return [] }
        var message = Array("{\"method\":\"org.xpb.Pasteboard.Attach\",\"parameters\":{\"display\":\"".utf8)
        message += place.display
        message += "\",\"authority\":\"".utf8
        message += authority
        message += "\"},\"oneway\":true}\0".utf8
        return message
    }

    /// Appends digits without `description`, whose first use takes thousands of instructions.
    ///
    /// - Parameter number: Not negative.
    static func append(_ number: Int, to message: inout [UInt8]) {
        if number >= 10 { append(number / 10, to: &message) }
        message.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

/// The bytes of a short source of `set` or `add`.
package enum FastSource {
    /// Returns the contents of a regular file of at most `limit` bytes; nil for any other file, or if it cannot be
    /// read.
    package static func contents(ofFile path: [UInt8], limit: Int) -> [UInt8]? {
        // The file is checked before it is opened: opening a pipe, even briefly, makes this process its reader.
        guard let status = try? FileStatus(ofPath: path, followsSymlink: true), status.isRegular,
            status.length <= limit,
            let file = try? Descriptor.open(toRead: path)
        else { return nil }
        var contents: [UInt8] = []
        return read(file.fileDescriptor, into: &contents, limit: limit) ? contents : nil
    }

    /// Appends the bytes up to the end of the file, or one more than `limit`.
    ///
    /// - Returns: true if the end was reached within `limit` bytes.
    package static func read(_ file: FileDescriptor, into bytes: inout [UInt8], limit: Int) -> Bool {
        while bytes.count <= limit {
            guard let read = try? file.readBytes(atMost: limit + 1 - bytes.count) else { return false }
            if read.isEmpty { return true }
            bytes += read
        }
        return false
    }

    /// Returns the length without one newline at the end, LF or CR LF.
    package static func lengthWithoutNewline(of bytes: [UInt8]) -> Int {
        guard bytes.last == UInt8(ascii: "\n") else { return bytes.count }
        return bytes.dropLast().last == UInt8(ascii: "\r") ? bytes.count - 2 : bytes.count - 1
    }

    /// Returns the types given on the line, else the type of text if the bytes are text; nil if there is neither.
    package static func types(of line: FastLine, _ bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
        if !line.types.isEmpty { return line.types }
        if case .text = line.source { return [Array(utf8PlainText.utf8)] }
        return MemoryFile.isUTF8Text(bytes) ? [Array(utf8PlainText.utf8)] : nil
    }

    static func memoryFile(of bytes: [UInt8]) -> Descriptor? {
        guard let writer = try? MemoryFileWriter() else { return nil }
        do {
            try writer.append(bytes)
            return try writer.sealedDescriptor()
        } catch {
            return nil
        }
    }

    private static let utf8PlainText = "public.utf8-plain-text"
}

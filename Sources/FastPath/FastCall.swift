import LinuxSystem
import SystemPackage

/// The calls of `org.xpb.Pasteboard` that plain lines make, as they go over the wire.
package enum FastCall {
    /// In milliseconds: the silence that a line without `--timeout` allows.
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
        message += ",\"descriptors\":true}}\0".utf8
        return message
    }

    /// - Parameters:
    ///   - types: One at least.
    ///   - length: Of the bytes, which are the first ones of the descriptor that goes with the call.
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

    /// What goes before a call where the environment names an authority. It has no reply.
    package static func attach(_ place: BridgePlace) -> [UInt8] {
        guard let authority = place.authority else { return [] }
        var message = Array("{\"method\":\"org.xpb.Pasteboard.Attach\",\"parameters\":{\"display\":\"".utf8)
        message += place.display
        message += "\",\"authority\":\"".utf8
        message += authority
        message += "\"},\"oneway\":true}\0".utf8
        return message
    }

    /// - Parameter number: Not negative. Its `description` takes thousands of instructions when it is first asked for.
    static func append(_ number: Int, to message: inout [UInt8]) {
        if number >= 10 { append(number / 10, to: &message) }
        message.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

/// The bytes of a short source.
enum FastSource {
    /// The contents of a regular file that is no longer than `limit`; nil of any other, or where it cannot be read.
    static func contents(ofFile path: [UInt8], limit: Int) -> [UInt8]? {
        // Looked at first: who opens a pipe, even for a moment, is who reads it.
        guard let status = try? FileStatus(ofPath: path, followsLink: true), status.isRegular, status.length <= limit,
            let file = try? Descriptor.open(toRead: path)
        else { return nil }
        var contents: [UInt8] = []
        return read(file.fileDescriptor, into: &contents, limit: limit) ? contents : nil
    }

    /// Appends what there is to read.
    ///
    /// - Returns: Whether that is all, to the end, and no more than `limit` bytes.
    static func read(_ file: FileDescriptor, into bytes: inout [UInt8], limit: Int) -> Bool {
        while bytes.count <= limit {
            guard let read = try? file.readBytes(atMost: limit + 1 - bytes.count) else { return false }
            if read.isEmpty { return true }
            bytes += read
        }
        return false
    }

    /// Without one newline at the end, LF or CR LF.
    static func lengthWithoutNewline(of bytes: [UInt8]) -> Int {
        guard bytes.last == UInt8(ascii: "\n") else { return bytes.count }
        return bytes.dropLast().last == UInt8(ascii: "\r") ? bytes.count - 2 : bytes.count - 1
    }

    /// The names of the bytes' type: those that were given, else that of text where they are text.
    static func types(of line: FastLine, _ bytes: ArraySlice<UInt8>) -> [[UInt8]]? {
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

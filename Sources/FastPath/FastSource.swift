import LinuxSystem
import SystemPackage

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

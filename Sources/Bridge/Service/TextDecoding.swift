import LinuxSystem

/// Brings a text that an owner sent to UTF-8.
enum TextDecoding {
    /// The file that holds the text in UTF-8: the same one where nothing is to be changed, which is the rule.
    ///
    /// - Parameters:
    ///   - target: What was asked for.
    ///   - type: The type of the property that answered. It says more than the target: TEXT may be anything.
    /// - Returns: nil where the encoding is not known.
    static func utf8(_ file: MemoryFile, target: String, type: String) throws -> MemoryFile? {
        switch type {
        case "STRING", "C_STRING": return try latin(file)
        case "COMPOUND_TEXT": return try compound(file)
        default: break
        }
        // GTK 3 sends this one with CRLF, and UTF8_STRING with LF.
        if target.lowercased().hasPrefix("text/plain;charset=utf-8") { return try withoutTerminator(newlines(file)) }
        return try withoutTerminator(file)
    }

    /// Some owners send the NUL that ends a C string. It is taken off where nothing else in the text looks binary.
    private static func withoutTerminator(_ file: MemoryFile) throws -> MemoryFile {
        let length = file.length
        guard length > 1, try file.bytes(in: length - 1..<length) == [0] else { return file }
        let bytes = try file.bytes(in: 0..<length - 1)
        guard !bytes.contains(0), String(validating: bytes, as: UTF8.self) != nil else { return file }
        return try MemoryFile.containing(bytes)
    }

    /// CRLF becomes LF.
    private static func newlines(_ file: MemoryFile) throws -> MemoryFile {
        let bytes = try file.bytes(in: 0..<file.length)
        guard bytes.contains(0x0D) else { return file }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for (index, byte) in bytes.enumerated() {
            if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { continue }
            result.append(byte)
        }
        return try MemoryFile.containing(result)
    }

    /// STRING is Latin-1 by rule (ICCCM 2.7.1), and UTF-8 from GLFW and Chromium: what is valid UTF-8 is taken as that.
    private static func latin(_ file: MemoryFile) throws -> MemoryFile {
        let bytes = try file.bytes(in: 0..<file.length)
        if bytes.allSatisfy({ $0 < 0x80 }) || String(validating: bytes, as: UTF8.self) != nil {
            return try withoutTerminator(file)
        }
        var text = ""
        text.unicodeScalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return try withoutTerminator(MemoryFile.containing(Array(text.utf8)))
    }

    /// Compound text without an escape sequence is Latin-1; with one it is not decoded here.
    private static func compound(_ file: MemoryFile) throws -> MemoryFile? {
        let bytes = try file.bytes(in: 0..<file.length)
        return bytes.contains(0x1B) ? nil : try latin(file)
    }
}

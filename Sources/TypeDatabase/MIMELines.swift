/// The text files of a shared-mime-info database.
enum MIMELines {
    /// Calls for each line that is neither empty, a comment, nor longer than any that means something.
    static func forEach(in file: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
        var rest = file[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            if !line.isEmpty, line.count <= 2048, line.first != UInt8(ascii: "#") { body(line) }
        }
    }

    /// Calls for each line of two MIME types with blanks between.
    static func forEachPair(in file: [UInt8], _ body: (_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Void)
    {
        forEach(in: file) { line in
            let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard words.count == 2, let first = name(words[0]), let second = name(words[1]) else { return }
            body(first, second)
        }
    }

    /// A MIME type in small letters; nil when it is not of the form `type/subtype` or has more than 255 bytes.
    static func name(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.count <= 255,
            bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"[]?=".utf8.contains($0) })
        else { return nil }
        let halves = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard halves.count == 2, halves.allSatisfy({ !$0.isEmpty }) else { return nil }
        return lowercased(bytes)
    }

    static func lowercased(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard bytes.contains(where: { $0 >= 0x41 && $0 <= 0x5A }) else { return bytes }
        return bytes.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }[...]
    }
}

/// Parsing of the text files of a shared-mime-info database.
enum MIMELines {
    /// Calls `body` for each line that is not empty, not a comment and at most 2,048 bytes long.
    static func forEach(in file: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
        var rest = file[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            if !line.isEmpty, line.count <= 2048, line.first != UInt8(ascii: "#") { body(line) }
        }
    }

    /// Calls `body` for each line of two MIME types separated by blanks.
    static func forEachPair(in file: [UInt8], _ body: (_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Void)
    {
        forEach(in: file) { line in
            let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            guard words.count == 2, let first = name(words[0]), let second = name(words[1]) else { return }
            body(first, second)
        }
    }

    /// Calls `body` with the name in each line that has one.
    static func forEachName(in file: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
        forEach(in: file) { line in
            if let name = name(line) { body(name) }
        }
    }

    /// Returns a MIME type in lower case; nil if it is not of the form `type/subtype` or has more than 255 bytes.
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

/// The filename extensions of a shared-mime-info database, from its files `globs2`.
///
/// A line is `WEIGHT:TYPE:PATTERN[:FLAGS[:…]]`. Patterns other than `*.` and an extension without a dot are ignored,
/// such as `Makefile`, `*.tar.gz` and `*.so.[0-9]*`.
struct MIMEGlobs: Sendable {
    let typesByExtension: NameTable
    let extensionsByType: NameTable

    private struct Glob {
        let type: ArraySlice<UInt8>
        let filenameExtension: ArraySlice<UInt8>
        let weight: UInt8
    }

    /// - Parameter files: The contents of the files, in the order of precedence. The pattern with the highest weight
    ///   wins; among equal weights, the pattern of the earlier file wins, and then the pattern of the earlier line.
    init(files: [[UInt8]]) {
        var globs: [Glob] = []
        // Types whose patterns in later files are ignored (`__NOGLOBS__`).
        var closed: Set<[UInt8]> = []
        for file in files {
            var closing: [[UInt8]] = []
            MIMELines.forEach(in: file) { line in
                let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 4, omittingEmptySubsequences: false)
                guard fields.count >= 3, let type = MIMELines.name(fields[1]), !closed.contains(Array(type)) else {
                    return
                }
                if fields[2].elementsEqual("__NOGLOBS__".utf8) {
                    closing.append(Array(type))
                } else if let weight = UInt8(String(decoding: fields[0], as: UTF8.self)),
                    let filenameExtension = Self.filenameExtension(fields[2], flags: fields.dropFirst(3).first)
                {
                    globs.append(Glob(type: type, filenameExtension: filenameExtension, weight: weight))
                }
            }
            closed.formUnion(closing)
        }
        let order = globs.indices.sorted { (globs[$1].weight, $0) < (globs[$0].weight, $1) }
        typesByExtension = NameTable { add in
            for index in order { add(globs[index].filenameExtension, globs[index].type) }
        }
        extensionsByType = NameTable { add in
            for index in order { add(globs[index].type, globs[index].filenameExtension) }
        }
    }

    /// Returns a pattern's extension with `A` to `Z` in lower case. A case-sensitive pattern with capitals (`*.C`)
    /// differs from the pattern in lower case, so it is ignored.
    private static func filenameExtension(_ pattern: ArraySlice<UInt8>, flags: ArraySlice<UInt8>?) -> ArraySlice<UInt8>?
    {
        guard pattern.starts(with: "*.".utf8), case let name = pattern.dropFirst(2), !name.isEmpty, name.count <= 64,
            !name.contains(where: { $0 < 0x21 || $0 == 0x7F || "*?[]\\./".utf8.contains($0) }),
            String(validating: name, as: UTF8.self) != nil
        else { return nil }
        let lowercased = MIMELines.lowercased(name)
        let isCaseSensitive =
            flags?.split(separator: UInt8(ascii: ",")).contains { $0.elementsEqual("cs".utf8) } ?? false
        return isCaseSensitive && lowercased != name ? nil : lowercased
    }
}

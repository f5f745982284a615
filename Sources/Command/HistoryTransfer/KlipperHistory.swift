import LinuxSystem

/// The history of Klipper: from Plasma 6.3 on, an SQLite database with a file for each type; before that, a single
/// file.
enum KlipperHistory {
    static func read(
        _ source: ImportSource, _ body: (TransferredEntry) throws(TransferFault) -> Void
    ) throws(TransferFault) {
        let folder = source.place("XDG_DATA_HOME", or: ".local/share", "klipper")
        let own = [source.environment["KLIPPER_DATABASE"], "\(folder)/history3.sqlite", "\(folder)/history2.lst"]
        let (bytes, path) = try source.bytes(or: own.compactMap(\.self))
        if bytes.starts(with: Array("SQLite format 3\0".utf8)) {
            guard path != "standard input" else {
                throw TransferFault("Klipper's database has further files; name it instead of piping it")
            }
            return try KlipperDatabase(path).read(source, body)
        }
        // The latest entry comes first.
        var list = KlipperList(bytes)
        for entry in try list.entries(named: path).reversed() { try body(entry) }
    }
}

/// Klipper's file before Plasma 6.3: values as QDataStream writes them, with a checksum in front.
struct KlipperList {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func entries(named name: String) throws(TransferFault) -> [TransferredEntry] {
        // The checksum, the length and the version, which ends with a NUL.
        guard number() != nil, let length = number(), length == rest.count, let version = data(), version.last == 0
        else {
            throw TransferFault("\(name) is not a history of Klipper")
        }
        var entries: [TransferredEntry] = []
        while !rest.isEmpty {
            guard let kind = string(), let entry = entry(kind) else {
                throw TransferFault("\(name) is damaged in entry \(entries.count + 1)")
            }
            entries.append(entry)
        }
        return entries
    }

    private mutating func entry(_ kind: String) -> TransferredEntry? {
        switch kind {
        case "string": return string().map { .text($0) }
        case "url":
            guard let urls = urls(), let representation = TransferredEntry.Representation(urls: urls) else {
                return nil
            }
            return TransferredEntry(items: [[representation]])
        case "image":
            guard let isPresent = number() else { return nil }
            guard isPresent != 0 else { return TransferredEntry(items: []) }
            return picture().flatMap { TransferredEntry.Representation(named: "image/png", bytes: $0) }
                .map { TransferredEntry(items: [[$0]]) }
        default: return nil
        }
    }

    /// Reads addresses, and the metadata that follow.
    private mutating func urls() -> [String]? {
        guard let count = number() else { return nil }
        var urls: [String] = []
        for _ in 0..<count {
            guard let url = data() else { return nil }
            urls.append(String(decoding: url, as: UTF8.self))
        }
        guard let pairs = number() else { return nil }
        for _ in 0..<pairs where string() == nil || string() == nil { return nil }
        return number() == nil ? nil : urls
    }

    /// Reads a picture in PNG, whose length is that of its chunks.
    private mutating func picture() -> [UInt8]? {
        var length = 8
        while true {
            guard rest.count >= length + 12 else { return nil }
            let chunk = rest.dropFirst(length).prefix(8)
            length += 12 + Self.number(chunk.prefix(4))
            guard length <= rest.count else { return nil }
            if chunk.suffix(4).elementsEqual("IEND".utf8) { break }
        }
        defer { rest = rest.dropFirst(length) }
        return Array(rest.prefix(length))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private mutating func number() -> Int? {
        guard rest.count >= 4 else { return nil }
        defer { rest = rest.dropFirst(4) }
        return Self.number(rest.prefix(4))
    }

    private mutating func data() -> [UInt8]? {
        guard let length = number() else { return nil }
        // This length stands for a null value.
        guard length != 0xFFFF_FFFF else { return [] }
        guard rest.count >= length else { return nil }
        defer { rest = rest.dropFirst(length) }
        return Array(rest.prefix(length))
    }

    private mutating func string() -> String? {
        guard let bytes = data(), bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        return String(decoding: units, as: UTF16.self)
    }
}

import FoundationEssentials
import LinuxSystem
import SystemPackage

/// Entries as lines of JSON, oldest first.
package enum JSONLines {
    /// The limit on the length of a line, in bytes.
    private static let maxLineLength = 1 << 30

    package static func text(of entry: TransferredEntry) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(HistoryLine(entry))) + [UInt8(ascii: "\n")]
    }

    /// Reads the lines of a file or of standard input, and passes the entry of each to `body`.
    static func read(
        _ source: ImportSource, _ body: (TransferredEntry) throws(TransferFault) -> Void
    ) throws(TransferFault) {
        guard source.path != nil || !StandardDescriptors.isTerminal(.standardInput) else {
            throw TransferFault("lines come from a file or a pipe, but standard input is a terminal; name a file")
        }
        let (file, path) = source.path == nil ? (nil, "standard input") : try source.open()
        let decoder = JSONDecoder()
        var (rest, number) = ([UInt8](), 0)
        var isEnded = false
        while !isEnded {
            let piece = try ImportSource.piece(of: file?.fileDescriptor ?? .standardInput, path)
            isEnded = piece.isEmpty
            var start = rest.startIndex
            let searched = rest.count
            rest += piece
            guard rest.count <= maxLineLength else { throw TransferFault("line \(number + 1) is too long") }
            while let end = rest[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
                number += 1
                try read(rest[start..<end], number, decoder, body)
                start = end + 1
            }
            rest.removeSubrange(..<start)
        }
        try read(rest[...], number + 1, decoder, body)
    }

    private static func read(
        _ line: ArraySlice<UInt8>, _ number: Int, _ decoder: JSONDecoder,
        _ body: (TransferredEntry) throws(TransferFault) -> Void
    ) throws(TransferFault) {
        // A blank line ends many files.
        guard line.contains(where: { $0 > UInt8(ascii: " ") }) else { return }
        do {
            try body(try decoder.decode(HistoryLine.self, from: Data(line)).entry())
        } catch let fault as TransferFault {
            throw TransferFault("line \(number): \(fault.message)")
        } catch let error as DecodingError {
            throw TransferFault("line \(number) is not an entry: \(error.reason)")
        } catch {
            throw TransferFault("line \(number) is not an entry")
        }
    }
}

extension DecodingError {
    /// The reason in a few words, with the member that it is about.
    var reason: String {
        func place(_ context: Context) -> String {
            let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
            return path.isEmpty ? "" : "'\(path.joined(separator: "."))': "
        }
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            return place(context) + context.debugDescription
        case .keyNotFound(let key, let context): return place(context) + "'\(key.stringValue)' is missing"
        @unknown default: return "it is not JSON"
        }
    }
}

import FoundationEssentials
import LinuxSystem
import UniformTypes

/// The history of CopyQ, which a script in CopyQ's own language writes as lines of JSON.
enum CopyQHistory {
    /// The script writes the items of the clipboard's tab, oldest first. CopyQ's own types begin with its name.
    private static let script = """
        (function () {
            var name = str(config('clipboard_tab'));
            if (name) tab(name);
            for (var i = count() - 1; i >= 0; --i) {
                var item = getItem(i), types = {}, pinned = false;
                for (var type in item) {
                    if (type === 'application/x-copyq-item-pinned') pinned = true;
                    if (type.indexOf('application/x-copyq-') !== 0) types[type] = str(toBase64(item[type]));
                }
                print(JSON.stringify({types: types, pinned: pinned}) + String.fromCharCode(10));
            }
        })();
        """

    static func read(
        _ source: ImportSource, _ body: (TransferredEntry) throws(TransferFault) -> Void
    ) throws(TransferFault) {
        guard source.path == nil else {
            throw TransferFault("CopyQ itself is asked for its history, so leave out the file")
        }
        let lines = try source.output(of: ["copyq", "eval", "--", script])
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            guard let decoded = try? JSONDecoder().decode(HistoryLine.self, from: Data(line)) else {
                throw TransferFault("copyq gave an answer that this release does not understand")
            }
            // An item may have nothing but CopyQ's notes.
            guard case .object(let types)? = decoded.types, !types.isEmpty else { continue }
            try body(try decoded.entry())
        }
    }
}

/// The history of cliphist, which cliphist lists and decodes.
enum CliphistHistory {
    static func read(
        _ source: ImportSource, _ body: (TransferredEntry) throws(TransferFault) -> Void
    ) throws(TransferFault) {
        let program = ["cliphist"] + (source.path.map { ["-db-path", $0] } ?? [])
        let lines = try source.output(of: program + ["list"]).split(separator: UInt8(ascii: "\n"))
        // The latest entry comes first.
        for line in lines.reversed() {
            let number = line.prefix { $0 != UInt8(ascii: "\t") }
            let bytes = try source.output(of: program + ["decode"], input: Array(number) + Array("\t\n".utf8))
            try body(TransferredEntry(items: [[.init(of: bytes)]]))
        }
    }
}

extension TransferredEntry.Representation {
    /// Creates a representation of bytes whose type is not known: a picture, text or data.
    init(of bytes: [UInt8]) {
        let isUTF8 = !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
        let form: SourceType.Form = isUTF8 ? .utf8 : bytes.allSatisfy(SourceType.isTextByte) ? .otherText : .binary
        let prefix = Array(bytes.prefix(SourceType.prefixLength))
        self.init(type: SourceType.sniff(prefix: prefix, form: form, fileName: nil), bytes: bytes)
    }
}

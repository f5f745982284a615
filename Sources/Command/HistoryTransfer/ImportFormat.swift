import CommandCore

/// A history that can be imported.
package enum ImportFormat: String, CaseIterable, Sendable {
    case gpaste
    case clipboardIndicator = "clipboard-indicator"
    case copyq
    case klipper
    case cliphist
    case jsonl

    /// The lines of the help.
    static var help: String {
        let width = allCases.map(\.rawValue.count).max() ?? 0
        return allCases.map { format in
            let gap = String(repeating: " ", count: width - format.rawValue.count + 2)
            return "  \(format.rawValue)\(gap)\(format.summary)"
        }.joined(separator: "\n")
    }

    static let names = allCases.map(\.rawValue)

    static func parse(_ text: String) throws(Failure) -> Self {
        guard let format = Self(rawValue: text) else {
            throw Failure.usage("there is no format '\(text)'; the formats are \(names.joined(separator: ", "))")
        }
        return format
    }

    private var summary: String {
        switch self {
        case .gpaste: "GPaste's history.xml, with pictures"
        case .clipboardIndicator: "registry.txt of GNOME's extension, with pictures"
        case .copyq: "all types, from CopyQ, which must be running"
        case .klipper: "Klipper's history3.sqlite, or history2.lst before Plasma 6.3"
        case .cliphist: "text and pictures, by running cliphist"
        case .jsonl: "lines of JSON, as 'xpb history export' writes them"
        }
    }

    /// Reads the entries, oldest first, and passes each to `body`.
    package func read(
        _ source: ImportSource, _ body: (TransferredEntry) throws(TransferFault) -> Void
    ) throws(TransferFault) {
        switch self {
        case .gpaste: try GPasteHistory.read(source, body)
        case .clipboardIndicator: try ClipboardIndicatorHistory.read(source, body)
        case .copyq: try CopyQHistory.read(source, body)
        case .klipper: try KlipperHistory.read(source, body)
        case .cliphist: try CliphistHistory.read(source, body)
        case .jsonl: try JSONLines.read(source, body)
        }
    }
}

/// A command line that is run by an original program, and by `xpb` under that program's name.
struct DropInRow: Sendable {
    /// A line of the shell; see Tests/Fixtures/dropin_row.sh for the files, `owned` and `free`.
    let line: String
    /// Prepares the selections.
    var before = ""
    /// The requests of an independent X client afterwards, as `SELECTION:TARGET`.
    var asks: [String] = []
    /// True if the original does not exit.
    var hangs = false
    /// The reason why the results differ; nil if they must not differ.
    var reason: String?

    init(
        _ line: String, before: String = "", _ asks: String..., hangs: Bool = false, differs reason: String? = nil
    ) {
        self.line = line
        self.before = before
        self.asks = asks
        self.hangs = hangs
        self.reason = reason
    }
}

/// The reason why a line without a display works.
let onlyBridge = "without a display, xpb uses the only bridge or a link"

/// The requests of an independent X client for the text of each selection.
let primary = "primary:UTF8_STRING"
let secondary = "secondary:UTF8_STRING"
let clipboard = "clipboard:UTF8_STRING"

/// The results of a row.
struct DropInResult: Equatable {
    var output: [UInt8]
    var status: String
    /// The error message; empty after a success, because messages are then not compared.
    var error: String
    /// The bytes that the independent client read, and its status.
    var reads: [Read]

    struct Read: Equatable {
        let bytes: [UInt8]
        let status: String
    }

    /// The status of a program that did not end in time.
    static let timedOut = "124"

    /// Describes the differences from the original's result; returns nil if there are no differences.
    func difference(from original: DropInResult, asks: [String]) -> String? {
        var parts: [String] = []
        if status != original.status {
            let theirs = original.status == Self.timedOut ? "hangs" : "exits with \(original.status)"
            parts.append("the original \(theirs), xpb exits with \(status)")
        }
        if output != original.output {
            parts.append("output \(Self.shown(original.output)), with xpb \(Self.shown(output))")
        }
        if error != original.error {
            parts.append("message \(Self.shown(Array(original.error.utf8))), with xpb \(Self.shown(Array(error.utf8)))")
        }
        for (ask, (mine, theirs)) in zip(asks, zip(reads, original.reads)) where mine != theirs {
            parts.append("\(ask) gives \(Self.shown(theirs)), with xpb \(Self.shown(mine))")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func shown(_ read: Read) -> String { read.status == "0" ? shown(read.bytes) : "nothing" }

    private static func shown(_ bytes: [UInt8]) -> String {
        if bytes.isEmpty { return "none" }
        let text = String(decoding: bytes.prefix(60), as: UTF8.self)
        let visible = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\n": "↵"
            case "\u{FFFD}", "`", "|": "·"
            default: scalar.properties.generalCategory == .control ? "·" : String(scalar)
            }
        }
        return "`\(visible.joined())\(bytes.count > 60 ? "…" : "")`"
    }
}

import BridgeClient
import CommandCore
import LinuxSystem
package import PasteboardWire
import SystemPackage
import Terminal
import UniformTypes

/// The table that `xpb watch` writes on a terminal: a row for each change, never wider than the terminal.
///
/// A narrow terminal shows fewer columns: first the types are left out, then the owner, the pasteboard, the time and
/// the count.
package struct WatchTable {
    /// A row of the table.
    package struct Row: Equatable, Sendable {
        package var time: String
        package var pasteboard: String
        package var count: String
        package var owner: String
        package var types: String
        package var preview: String

        package init(time: String, pasteboard: String, count: String, owner: String, types: String, preview: String) {
            self.time = time
            self.pasteboard = pasteboard
            self.count = count
            self.owner = owner
            self.types = types
            self.preview = preview
        }

        package static let header = Row(
            time: "TIME", pasteboard: "PASTEBOARD", count: "COUNT", owner: "OWNER", types: "TYPES", preview: "PREVIEW")
    }

    /// A column, with its width and the minimum width of a terminal that shows it.
    private struct Column {
        let field: @Sendable (Row) -> String
        let width: Int
        let from: Int
    }

    private static let columns = [
        Column(field: \.time, width: 8, from: 36), Column(field: \.pasteboard, width: 10, from: 48),
        Column(field: \.count, width: 6, from: 20), Column(field: \.owner, width: 14, from: 64),
        Column(field: \.types, width: 18, from: 84),
    ]
    private static let gap = 2

    /// Returns a row as a line of the terminal, without its end.
    package static func line(_ row: Row, columns: Int) -> String {
        let shown = Self.columns.filter { $0.from <= columns }
        let left = shown.map { Columns.fitted($0.field(row), to: $0.width) + String(repeating: " ", count: gap) }
        return Columns.cut(left.joined() + row.preview, to: columns)
    }

    // MARK: Fields

    /// Returns the time of day in the user's time zone. `milliseconds` count from the Unix epoch.
    package static func time(_ milliseconds: Int) -> String {
        let time = UnixTime.timeOfDay(milliseconds)
        return [time.hour, time.minute, time.second].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    /// Returns the name of the program that copied, as far as it is known.
    package static func name(of owner: WireOwner) -> String {
        switch owner.kind {
        case .none: "-"
        case .client: Preview.oneLine(owner.program ?? "a client")
        case .window: Preview.oneLine(owner.program ?? "a window")
        case .wayland: "a Wayland program"
        }
    }

    /// Returns a summary of the types: the class of each, once, and the number of those without a class.
    package static func words(for types: [String]) -> String {
        let classes: [TypeClass] = [.files, .html, .url, .color, .image, .audio, .video, .text]
        var words: [String] = []
        var others = 0
        for type in types where type != UniformType.concealed.identifier {
            let known = UniformType(type).flatMap { type in classes.first { type.conforms(to: $0.type) } }
            if let known { words.append(known.rawValue) } else { others += 1 }
        }
        let text = words.uniqued().joined(separator: " ")
        guard others > 0 else { return text }
        return text.isEmpty ? Preview.oneLine(types.first ?? "") : "\(text) +\(others)"
    }
}

/// The writer of the table, with the previews of new contents.
final class WatchTableWriter {
    /// The waits for a preview of another program's contents, which the bridge must first capture.
    private static let captureWaits = [0, 100, 200, 300, 400].map { Duration.milliseconds($0) }

    private let session: Session
    private let style: Style

    /// Writes the header.
    init(in session: Session) throws {
        self.session = session
        style = Style(isTerminal: true, environment: session.environment)
        session.installTypes()
        try write(.header, emphasis: style.bold)
    }

    func write(_ change: Methods.Monitor.Reply) throws {
        let row = WatchTable.Row(
            time: WatchTable.time(change.owner.since ?? UnixTime.now), pasteboard: Line.visible(change.pasteboard),
            count: String(change.count), owner: WatchTable.name(of: change.owner),
            types: WatchTable.words(for: change.types), preview: preview(of: change))
        try write(row)
    }

    private func write(_ row: WatchTable.Row, emphasis: (String) -> String = { $0 }) throws(Failure) {
        // The terminal may have a different size by now.
        let columns = session.output.columns ?? 80
        try session.output.write(emphasis(WatchTable.line(row, columns: columns)) + "\n")
    }

    /// Returns the preview of a change's entry in the history. Contents are never read for it, since that could keep a
    /// promise or wake the program that copied.
    private func preview(of change: Methods.Monitor.Reply) -> String {
        if change.gone == true { return "(removed)" }
        guard !change.types.isEmpty else { return "(empty)" }
        guard !change.types.contains(UniformType.concealed.identifier) else { return "[concealed]" }
        let waits = [.window, .wayland].contains(change.owner.kind) ? Self.captureWaits : [.zero]
        for wait in waits {
            var nothing = PollSet()
            if wait > .zero { _ = try? nothing.wait(until: .now + wait) }
            if let entry = entry(of: change) { return Preview().text(entry) }
        }
        return ""
    }

    private func entry(of change: Methods.Monitor.Reply) -> WireHistoryEntry? {
        // A separate connection, since the first waits for changes.
        guard let client = try? session.connect(start: .never) else { return nil }
        let parameters = Methods.History.Parameters(pasteboard: change.pasteboard, limit: 1)
        var latest: WireHistoryEntry?
        try? client.stream(Methods.History.self, parameters, timeoutFor: .everyReply) { reply, _ in
            latest = latest ?? reply.entries.first
            return true
        }
        return latest?.count == change.count ? latest : nil
    }
}

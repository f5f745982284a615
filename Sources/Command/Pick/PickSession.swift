import BridgeClient
import CommandCore
import Commands
import FoundationEssentials
import LinuxSystem
import PasteboardWire
import SystemPackage
import Terminal

/// A run of `xpb pick`: the model between the terminal and the bridge.
///
/// The session waits in one place for keys, signals and changes of the pasteboard, and wakes up for nothing else.
final class PickSession {
    enum Ending {
        case model(PickModel.Ending)
        case signal(Signal)
    }

    /// The signals that are handled between two steps, so that the terminal's mode is always restored.
    static let signals: [Signal] = [
        .hangup, .interrupt, .quit, .terminate, .terminalStop, .continued, .windowChanged,
    ]

    /// The timeout for the rest of a key's sequence. After it, a lone Escape is a key.
    private static let escapeTimeout = Duration.milliseconds(50)
    /// The time after which the entries found so far are drawn, even if there is room for more.
    private static let drawDelay = Duration.milliseconds(4)
    /// The age from which a list is fetched again before a key acts on it, since entries may be deleted elsewhere.
    private static let maxListAge = Duration.seconds(1)
    /// The times after a change at which the entries are listed, until the new one is among them: other programs'
    /// contents enter the history only once they are captured.
    private static let listDelays: [Duration] = [.zero, .milliseconds(200), .seconds(1), .seconds(5)]
    /// The maximum number of kept previews.
    private static let maxPreviews = 64

    private let pasteboard: String
    private let terminal: TerminalDevice
    private let client: BridgeClient
    private let session: Session
    private let style: Style
    private let signalDescriptor: SignalDescriptor
    private let changes: ChangeWatcher

    private var model = PickModel()
    private var decoder = KeyDecoder()
    private var screen: PickScreen?
    private var previews: [PreviewKey: PickPreview] = [:]
    private var pictures: EntryPictures?
    private var removal: [UInt8] = []

    /// The replies of the terminal, until their deadline; nil after it, or if nothing was asked.
    private var replies: TerminalReplies?
    private var replyDeadline: ContinuousClock.Instant?
    private var escapeDeadline: ContinuousClock.Instant?
    private var listed = ContinuousClock.now
    /// True if the entries are to be listed before they are drawn, or before a key acts on one.
    private var isOutdated = false
    /// True if the user has not seen the selected entry yet.
    private var isUnseen = false
    /// The time at which the list of the latest entries is too old to act on.
    private var latestDeadline = ContinuousClock.now
    /// The times at which the entries are to be listed.
    private var listDeadlines: [ContinuousClock.Instant] = []

    private struct PreviewKey: Hashable {
        let entry: Int
        let columns: Int
        let rows: Int
    }

    init(
        of pasteboard: String, on terminal: TerminalDevice, by client: BridgeClient, in session: Session
    ) throws {
        self.pasteboard = pasteboard
        self.terminal = terminal
        self.client = client
        self.session = session
        style = Style(isTerminal: true, environment: session.environment)
        changes = try ChangeWatcher(of: pasteboard, in: session)
        signalDescriptor = try SignalDescriptor(Self.signals)
    }

    // MARK: The loop

    /// Shows the entries until the user leaves. Afterwards the terminal is in its previous state, whatever happens.
    func run() throws -> Ending {
        try list()
        guard !model.entries.isEmpty else { throw Failure(.nothing, "the history is empty") }
        changes.start()
        try enterScreen()
        defer { leaveScreen() }
        if TerminalProbe.canAsk(environment: session.environment) {
            try terminal.fileDescriptor.writeBytes(Array(TerminalReplies.query.utf8))
            replies = TerminalReplies()
            replyDeadline = .now + TerminalProbe.timeout
        }
        while true {
            // Keys that have arrived are handled before anything is listed or drawn.
            if try !hasKeys() {
                if isOutdated { try list(untilKey: true) }
                try draw()
            }
            if let ending = try step() { return ending }
        }
    }

    private func hasKeys() throws -> Bool { try waitReadable(terminal.fileDescriptor, until: .now) }

    /// Waits for an event and handles it.
    private func step() throws -> Ending? {
        var set = PollSet()
        for descriptor in [terminal.fileDescriptor, signalDescriptor.fileDescriptor, changes.fileDescriptor] {
            set.append(descriptor, .input)
        }
        let deadline = ([replyDeadline, escapeDeadline] + listDeadlines).compactMap(\.self).min()
        _ = try set.wait(until: deadline)
        if !set.result(at: 1).isEmpty, let ending = try handleSignal() { return ending }
        if !set.result(at: 2).isEmpty {
            let now = ContinuousClock.now
            changes.drain()
            listDeadlines = Self.listDelays.map { now + $0 }
        }
        if !set.result(at: 0).isEmpty {
            let bytes = try terminal.fileDescriptor.readBytes(atMost: 4_096)
            // The terminal is gone.
            if bytes.isEmpty { return .signal(.hangup) }
            if let ending = try take(bytes) { return ending }
        }
        return try handleDeadlines()
    }

    private func handleDeadlines() throws -> Ending? {
        let now = ContinuousClock.now
        if let deadline = replyDeadline, deadline <= now {
            // The decoder of keys drops replies that arrive later.
            replies = nil
            replyDeadline = nil
        }
        if let deadline = listDeadlines.first, deadline <= now {
            listDeadlines.removeAll { $0 <= now }
            isOutdated = true
        }
        guard let deadline = escapeDeadline, deadline <= now else { return nil }
        escapeDeadline = nil
        return try handle(decoder.flush())
    }

    private func take(_ bytes: [UInt8]) throws -> Ending? {
        replies?.feed(bytes)
        if let replies, replies.isComplete {
            replyDeadline = nil
            self.replies = nil
            if let support = PictureSupport(replies, size: terminal.size) {
                pictures = EntryPictures(support, by: client)
                removal = support.removal
                previews = [:]
            }
        }
        let keys = decoder.feed(bytes)
        escapeDeadline = decoder.isPending ? .now + Self.escapeTimeout : nil
        return try handle(keys)
    }

    private func handle(_ keys: [Key]) throws -> Ending? {
        if listed + Self.maxListAge < .now, keys.contains(where: \.needsEntries) { isOutdated = true }
        for key in keys {
            if isOutdated, key.needsEntries, try !list() { isUnseen = true }
            if isUnseen, key.changesEntry {
                model.message = "the selected entry is no longer in the history"
                continue
            }
            for effect in model.handle(key) {
                if let ending = try perform(effect) { return ending }
            }
        }
        return nil
    }

    private func perform(_ effect: PickModel.Effect) throws -> Ending? {
        switch effect {
        case .list: isOutdated = true
        case .pin(let entry, let isPinned): try pin(entry, isPinned)
        case .finish(let ending): return .model(ending)
        case .suspend: try stop(wholeJob: true)
        case .redraw: screen = nil
        }
        return nil
    }

    // MARK: The bridge

    /// Lists the entries that match the search.
    ///
    /// - Parameter untilKey: True if a screen of entries for a new search is to be drawn as soon as they are found, and
    ///   a key ends the search. Then the entries stay outdated.
    /// - Returns: false if the selected entry is not among them.
    @discardableResult
    private func list(untilKey: Bool = false) throws -> Bool {
        let start = ContinuousClock.now
        // The selected entry of an earlier list may be found late.
        var isDrawn = !model.entries.isEmpty
        var found: [WireHistoryEntry]? = []
        do {
            found = try entries(matching: model.isListing ? nil : model.search) { found in
                guard untilKey else { return true }
                if !isDrawn, !found.isEmpty, found.count >= model.pageLength || start + Self.drawDelay < .now {
                    isDrawn = true
                    model.show(found, isPartial: true)
                    try draw()
                }
                return try !hasKeys()
            }
        } catch let error as BridgeClientError where error.code == .refused && !model.isListing {
            // A filter may not be completely typed yet.
            model.message = error.message
        }
        guard let found else { return true }
        if !model.isListing, latestDeadline <= .now { try entries(matching: nil).map { model.noteLatest($0) } }
        listed = .now
        isOutdated = false
        let isKept = model.show(found)
        if model.isListing, let latest = found.first, latest.count >= changes.latestCount { listDeadlines = [] }
        changes.start()
        return isKept
    }

    /// Returns the entries that match a search.
    ///
    /// - Parameter progress: Called with the entries found so far.
    /// - Returns: nil if `progress` returned false, which ends the search.
    private func entries(
        matching search: String?, _ progress: ([WireHistoryEntry]) throws -> Bool = { _ in true }
    ) throws -> [WireHistoryEntry]? {
        let parameters = Methods.History.Parameters(
            pasteboard: pasteboard, search: search, limit: PickModel.maxEntries)
        var found: [WireHistoryEntry] = []
        var isEnded = false
        func restart() { found = [] }
        try client.stream(Methods.History.self, parameters, timeoutFor: .everyReply, restart: restart) { reply, _ in
            found += reply.entries
            isEnded = try !progress(found)
            return !isEnded
        }
        if isEnded {
            try client.reconnect()
            return nil
        }
        if search == nil { latestDeadline = .now + Self.maxListAge }
        return found
    }

    private func pin(_ entry: Int, _ isPinned: Bool) throws {
        do {
            _ = try client.call(Methods.Pin.self, .init(entries: [entry], pinned: isPinned))
            latestDeadline = .now
            model.message = isPinned ? "pinned" : "unpinned"
        } catch {
            guard error.code == .noSuchEntry else { throw error }
            model.message = "the entry is no longer in the history"
        }
        try list()
    }

    /// Deletes the marked entries.
    func deleteMarked() throws {
        for entry in model.deleted { try delete(entry.id) }
    }

    private func delete(_ entry: Int) throws {
        do {
            _ = try client.call(Methods.DeleteEntries.self, .init(entries: [entry]))
        } catch {
            // The entry may have been deleted elsewhere.
            guard error.code == .noSuchEntry else { throw error }
        }
        HistoryIcons.removeAll(in: session)
    }

    // MARK: The screen

    private func draw() throws {
        let size = terminal.size
        let environment = session.environment
        let layout = PickLayout(
            columns: size?.columns ?? environment["COLUMNS"].flatMap { Int($0) } ?? 80,
            rows: size.flatMap { $0.rows > 0 ? $0.rows : nil } ?? environment["LINES"].flatMap { Int($0) } ?? 24)
        model.setPageLength(layout.list.rows)
        let next = PickScreen(
            model, preview: model.selected.flatMap { preview(of: $0, in: layout) }, layout: layout, style: style,
            now: .now)
        isUnseen = false
        guard next != screen else { return }
        try terminal.fileDescriptor.writeBytes(next.bytes(after: screen, removal: removal))
        screen = next
    }

    private func preview(of entry: WireHistoryEntry, in layout: PickLayout) -> PickPreview? {
        guard let area = layout.picture else { return nil }
        let key = PreviewKey(entry: entry.id, columns: area.columns, rows: area.rows)
        if let known = previews[key] { return known }
        if previews.count >= Self.maxPreviews { previews = [:] }
        let picture = pictures?.picture(of: entry, columns: area.columns, rows: area.rows)
        let made = picture.map { .picture($0) } ?? PickPreview.text(Preview().linesOfText(entry))
        previews[key] = made
        return made
    }

    private func enterScreen() throws {
        try terminal.makeRaw(keepsSignals: false)
        // The alternate screen, and bracketed paste.
        try terminal.fileDescriptor.writeBytes(Array("\u{1B}[?1049h\u{1B}[?2004h".utf8))
        screen = nil
    }

    private func leaveScreen() {
        let bytes = removal + Array("\u{1B}[?2004l\u{1B}[0m\u{1B}[?25h\u{1B}[2J\u{1B}[?1049l".utf8)
        try? terminal.fileDescriptor.writeBytes(bytes)
        // Replies that have not arrived yet would appear on the next command line.
        terminal.restore(discardsInput: replies != nil)
    }

    // MARK: Signals

    private func handleSignal() throws -> Ending? {
        guard let (signal, _) = signalDescriptor.nextWithOrigin() else { return nil }
        switch signal {
        case .windowChanged: screen = nil
        case .terminalStop: try stop(wholeJob: false)
        // The job continues after SIGSTOP, which no program can handle.
        case .continued: try enterScreen()
        default: return .signal(signal)
        }
        return nil
    }

    private func stop(wholeJob: Bool) throws {
        leaveScreen()
        JobControl.stop(wholeJob: wholeJob)
        try enterScreen()
    }
}

extension Key {
    /// True if the effect of the key depends on the entries that are listed.
    fileprivate var needsEntries: Bool {
        switch self {
        case .up, .down, .pageUp, .pageDown, .home, .end, .delete, .enter, .tab: true
        case .control(let letter): ["d", "n", "p", "r", "t"].contains(letter)
        case .text, .backspace, .left, .right, .escape: false
        }
    }

    /// True if the key changes or takes the selected entry.
    fileprivate var changesEntry: Bool {
        switch self {
        case .enter, .tab, .delete, .control("d"), .control("t"): true
        default: false
        }
    }
}

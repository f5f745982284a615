import FoundationEssentials
public import Pasteboard

/// The search string that programs share: a search that began in one window can be continued in another.
///
/// ```swift
/// let find = FindString(events: events)
/// find.onChange = { [unowned find] in searchField.text = find.string ?? "" }
/// // When the user presses Return in the search field, and not for each letter:
/// find.commit(searchField.text)
/// ```
///
/// On X11 the find pasteboard is the selection PRIMARY, which every program writes when the user selects something. So
/// text selected in another program becomes the search string, and letters typed into a search field must not be
/// written to the pasteboard, since that would take away the user's selection.
///
/// A string committed in any program has the type ``findStringType`` in addition to plain text, and is read at once. A
/// selection is read only after it has been unchanged for a moment, so that its owner need not render each step of a
/// drag. The program's own selections are not read.
///
/// An object must be used on the thread of its `PasteboardEvents`.
///
/// Source: `NSPasteboard.Name.find`, `NSFindPanelAction.setFindString`.
public final class FindString {
    /// The type that marks a search string. Its bytes are the string in UTF-8.
    public static let findStringType = "org.xpb.find-string"
    /// The maximum length of another program's text that becomes the search string, in bytes of UTF-8.
    public static let maxBytes = 4_096
    /// The time that a selection must be unchanged before it is read.
    private static let selectionRest = Duration.milliseconds(300)

    /// The search string that was last committed here or written by another program; initially nil. Contents without
    /// text, or with text that is empty or longer than ``maxBytes``, do not change the search string.
    public private(set) var string: String?
    /// Called within `PasteboardEvents.dispatch()` when another program has changed ``string``.
    public var onChange: (() -> Void)?
    /// Called within `PasteboardEvents.dispatch()` if a string could not be written.
    public var onError: ((any Error) -> Void)?

    private let events: PasteboardEvents
    private let pasteboard: Pasteboard
    private var observation: StateObservation?
    /// The pause before a selection is read.
    private var rest: PasteboardEvents.Registration?
    private var reading: PasteboardEvents.Registration?
    /// The string that is being written, and the string to write next.
    private var writing: String?
    private var next: String?
    /// The text of the pasteboard; nil if it is unknown or cannot be the search string.
    private var text: String?
    /// The change count of ``text``.
    private var textCount = -1
    /// The change count of the pasteboard.
    private var latestCount = -1

    /// Begins to read the search string.
    ///
    /// - Parameters:
    ///   - events: The events of the window's loop.
    ///   - pasteboard: The pasteboard, for example a program's own.
    public init(events: PasteboardEvents, pasteboard: Pasteboard = .find) {
        self.events = events
        self.pasteboard = pasteboard
        observation = StateObservation(events, pasteboard) { [weak self] change in self?.changed(change) }
    }

    deinit {
        rest?.cancel()
        reading?.cancel()
    }

    // MARK: Writing

    /// Makes a string the search string of all programs; call it when the user has begun to search for the string.
    ///
    /// ``string`` is set at once, and the pasteboard is written in the background, unless it already has this text. If
    /// several strings are committed during a write, the last one is written next.
    ///
    /// - Parameter string: The string. An empty string is ignored.
    public func commit(_ string: String) {
        guard !string.isEmpty else { return }
        self.string = string
        // A read in progress would return text older than this string.
        endReading()
        if writing != nil {
            next = string
        } else if string != text || textCount != latestCount {
            write(string)
        }
    }

    private func write(_ string: String) {
        writing = string
        next = nil
        var item = PasteboardItem(Data(string.utf8), type: .plainText)
        item.setData(Data(string.utf8), forType: Self.findStringType)
        events.write([item], to: pasteboard) { [weak self] result in self?.written(string, result) }
    }

    private func written(_ string: String, _ result: Result<Int, any Error>) {
        writing = nil
        switch result {
        case .success(let count):
            latestCount = max(latestCount, count)
            if count > textCount { setText(string, count) }
        case .failure(let error): onError?(error)
        }
        if let next, next != text {
            write(next)
        } else {
            next = nil
            read()
        }
    }

    // MARK: Reading

    private func changed(_ change: Pasteboard.Change) {
        latestCount = change.count
        // A restarted bridge without a store counts from 0 again.
        if change.count < textCount { setText(nil, change.count - 1) }
        rest?.cancel()
        rest = nil
        if change.types.contains(Self.findStringType) {
            read()
        } else if change.owner.processID == Int(ProcessInfo.processInfo.processIdentifier) {
            endReading()
            setText(nil, change.count)
        } else {
            rest = events.pause(Self.selectionRest) { [weak self] in
                self?.rest = nil
                self?.read()
            }
        }
    }

    /// Reads the text if the known text is from an older change. Only one read runs at a time.
    private func read() {
        guard latestCount > textCount, reading == nil, rest == nil, writing == nil else { return }
        let count = latestCount
        reading = events.read(pasteboard, types: [.text]) { [weak self] result in
            self?.readDone(try? result.get()?.data, count)
        }
    }

    private func readDone(_ data: Data?, _ count: Int) {
        reading = nil
        guard count == latestCount else { return read() }
        let isSuitable = data.map { !$0.isEmpty && $0.count <= Self.maxBytes } ?? false
        setText(isSuitable ? data.map { String(decoding: $0, as: UTF8.self) } : nil, count)
        guard let text, text != string else { return }
        string = text
        onChange?()
    }

    private func endReading() {
        reading?.cancel()
        reading = nil
    }

    private func setText(_ text: String?, _ count: Int) {
        self.text = text
        textCount = count
    }
}

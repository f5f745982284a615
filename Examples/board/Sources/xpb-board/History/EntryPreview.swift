import BoardModel
import EditingGTK
import FoundationEssentials
import Pasteboard

/// The pane that shows the selected entry: its text in its style, its picture, or its files, with the details above.
final class EntryPreview {
    /// The maximum length of an entry whose style is read, in bytes. Of longer text, the beginning is shown.
    private static let maxStyled = 4 << 20
    private static let maxPicture = (width: 340, height: 600)

    let widget: Widget
    private let details = Label(lines: 4)
    private let text = Label(lines: 2_000)
    private let picture = PictureView(title: Words.picture.text)
    private let events: PasteboardEvents
    private let thread: BackgroundThread?
    /// The entry that is shown; nil for none.
    private var entry: PasteboardHistoryEntry?
    private var note: String?

    init(events: PasteboardEvents, thread: BackgroundThread?) {
        self.events = events
        self.thread = thread
        details.addStyle("details")
        let contents = Box(.column, spacing: 8, [details, picture, text])
        contents.setMargins(horizontal: 12, vertical: 8)
        let scroll = ScrollArea(contents)
        scroll.setExpands(vertically: true)
        scroll.scrollsOnlyVertically()
        scroll.setAccessibleName(Words.preview.text)
        widget = scroll
    }

    /// Shows an entry; nil for none.
    ///
    /// - Parameter note: A line above the details.
    func show(_ entry: PasteboardHistoryEntry?, note: String?) {
        guard entry != self.entry || note != self.note else { return }
        self.note = note
        details.text = [note, entry.map(Self.details)].compactMap(\.self).joined(separator: "\n")
        guard entry != self.entry else { return }
        self.entry = entry
        picture.isVisible = false
        text.text = entry.map(Self.text) ?? ""
        text.removeStyle("page")
        guard let entry else { return }
        // The selection may be on its way to another entry.
        MainLoop.after(milliseconds: 60) { [weak self] in self?.load(entry) }
    }

    private static func details(of entry: PasteboardHistoryEntry) -> String {
        let copies = entry.copies > 1 ? "\(entry.copies) \(Words.copiedTimes.text)" : nil
        let facts = [EntryKind(entry).word, entry.pixelSize, ByteSize.text(entry.length), entry.program, copies]
        let time = LocalTime.longText(ofSecondsSince1970: entry.date.timeIntervalSince1970)
        return facts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · ") + "\n" + time
    }

    private static func text(of entry: PasteboardHistoryEntry) -> String {
        guard EntryKind(entry) != .picture else { return "" }
        return entry.preview ?? entry.types.joined(separator: "\n")
    }

    private func load(_ entry: PasteboardHistoryEntry) {
        guard entry == self.entry else { return }
        switch EntryKind(entry) {
        case .picture: loadPicture(of: entry.id)
        case .styledText where entry.length <= Self.maxStyled: loadStyle(of: entry.id)
        default: break
        }
    }

    private func loadStyle(of entry: Int) {
        events.perform({
            try await Pasteboard.general.async.items(ofHistoryEntry: entry).first.map(TileLook.init(styled:))
        }) { [weak self] result in
            guard let self, self.entry?.id == entry, case .success(.styledText(let markup, _)??) = result else {
                return
            }
            // The colors of the text are made for a white page.
            text.addStyle("page")
            text.show(markup: markup)
        }
    }

    private func loadPicture(of entry: Int) {
        events.perform({
            try await Pasteboard.general.async.data(forType: .image, ofHistoryEntry: entry)
        }) { [weak self] result in
            guard let self, self.entry?.id == entry, case .success(let data?) = result else { return }
            thread?.perform {
                Result {
                    try PictureDecoder.decode(data, maxWidth: Self.maxPicture.width, maxHeight: Self.maxPicture.height)
                }
            } completion: { [weak self] result in
                guard let self, self.entry?.id == entry else { return }
                show(result)
            }
        }
    }

    private func show(_ result: Result<PictureData, any Error>) {
        switch result {
        case .success(let data):
            picture.show(Picture(data), maxWidth: Self.maxPicture.width, maxHeight: Self.maxPicture.height)
        case .failure(PictureError.tooLarge): text.text = Words.tooLargePicture.text
        case .failure: text.text = "\(Words.picture.text): \(Words.failed.text)"
        }
    }
}

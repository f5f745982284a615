import ApplePasteboards

/// A tile that pasteboards carry, with a color of its own type and as text.
final class Tile: NSObject, NSPasteboardWriting, NSPasteboardReading {
    static let type = NSPasteboard.PasteboardType("com.example.sample.tile")
    let color: String
    let size: Int

    init(color: String, size: Int) {
        self.color = color
        self.size = size
    }

    func writableTypes(for pasteboard: NSPasteboard) -> [NSPasteboard.PasteboardType] { [Self.type, .string] }

    func pasteboardPropertyList(forType type: NSPasteboard.PasteboardType) -> Any? {
        type == .string ? "\(color) tile" : ["color": color, "size": size]
    }

    static func readableTypes(for pasteboard: NSPasteboard) -> [NSPasteboard.PasteboardType] { [type] }

    static func readingOptions(
        forType type: NSPasteboard.PasteboardType, pasteboard: NSPasteboard
    ) -> NSPasteboard.ReadingOptions { .asPropertyList }

    required init?(pasteboardPropertyList propertyList: Any, ofType type: NSPasteboard.PasteboardType) {
        guard let values = propertyList as? [String: Any], let color = values["color"] as? String,
            let size = values["size"] as? Int
        else { return nil }
        self.color = color
        self.size = size
    }
}

/// A drawing that is rendered when a reader asks for it.
final class Drawing: NSObject, NSPasteboardItemDataProvider {
    var requests: [NSPasteboard.PasteboardType] = []
    var finishes = 0

    func pasteboard(
        _ pasteboard: NSPasteboard?, item: NSPasteboardItem, provideDataForType type: NSPasteboard.PasteboardType
    ) {
        requests.append(type)
        item.setString("rendered \(type == .pdf ? "PDF" : "text")", forType: type)
    }

    func pasteboardFinishedWithDataProvider(_ pasteboard: NSPasteboard) { finishes += 1 }
}

/// The owner of types that were declared.
final class Owner: NSObject, NSPasteboardTypeOwner {
    var requests = 0
    var losses = 0

    func pasteboard(_ sender: NSPasteboard, provideDataForType type: NSPasteboard.PasteboardType) {
        requests += 1
        sender.setString("owned \(requests)", forType: type)
    }

    func pasteboardChangedOwner(_ sender: NSPasteboard) { losses += 1 }
}

/// A document with undo.
final class Document: NSObject {
    let undoManager = UndoManager()
    private(set) var title = "Untitled"

    func rename(to new: String) {
        let former = title
        undoManager.registerUndo(withTarget: self) { $0.rename(to: former) }
        undoManager.setActionName("Rename")
        title = new
    }
}

/// A watcher as clipboard managers have it: AppKit has no notification of changes, so it polls.
final class Watcher {
    private(set) var texts: [String] = []
    private var count = NSPasteboard.general.changeCount

    func poll() {
        let present = NSPasteboard.general.changeCount
        guard present != count else { return }
        count = present
        if let text = NSPasteboard.general.string(forType: .string) { texts.append(text) }
    }
}

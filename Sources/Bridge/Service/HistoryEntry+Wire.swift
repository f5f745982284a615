import PasteboardModel
import PasteboardStore
import PasteboardWire
import UniformTypes

extension WireHistoryEntry {
    init(_ entry: HistoryEntry) {
        self.init(
            id: entry.id.number, pasteboard: entry.pasteboard.string, count: entry.count, copies: entry.copies,
            created: entry.created, type: entry.types.first ?? UniformType.data.identifier, types: entry.types,
            items: entry.items, length: entry.length, preview: entry.preview, width: entry.width, height: entry.height,
            action: entry.action, program: entry.program, pinned: entry.isPinned)
    }
}

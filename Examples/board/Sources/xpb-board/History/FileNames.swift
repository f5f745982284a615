import BoardModel
import Pasteboard
import UniformTypes

/// The files that the user saves.
enum FileNames {
    /// Returns the type in which an entry is saved: that of its picture or its styled text, plain text, or else the
    /// richest type.
    static func type(of entry: PasteboardHistoryEntry) -> String {
        let image = entry.types.first { UniformType($0)?.conforms(to: .image) == true }
        if EntryKind(entry) == .picture, let image { return image }
        if EntryKind(entry) == .styledText, let styled = entry.types.first(where: isStyled) { return styled }
        return entry.preview == nil ? entry.type : PasteboardType.plainText.typeName
    }

    private static func isStyled(_ type: String) -> Bool {
        UniformType(type).map { $0.conforms(to: .html) || $0.conforms(to: .rtf) } ?? false
    }

    /// Returns the proposed name for the contents of an entry in a type.
    static func name(of entry: PasteboardHistoryEntry, as type: String) -> String {
        let type = UniformType(type)
        let suffix = type?.preferredFilenameExtension ?? (type?.conforms(to: .text) == true ? "txt" : "bin")
        return "xpb-\(entry.id).\(suffix)"
    }
}

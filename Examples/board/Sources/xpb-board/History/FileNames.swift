import BoardModel
import Pasteboard
import UniformTypes

/// The files that the user saves.
enum FileNames {
    /// Returns the type in which an entry is saved: that of its picture, plain text, or else the richest type.
    static func type(of entry: PasteboardHistoryEntry) -> String {
        let image = entry.types.first { UniformType($0)?.conforms(to: .image) == true }
        if EntryKind(entry) == .picture, let image { return image }
        return entry.preview == nil ? entry.type : PasteboardType.plainText.typeName
    }

    /// Returns the proposed name for the contents of an entry in a type.
    static func name(of entry: PasteboardHistoryEntry, as type: String) -> String {
        let type = UniformType(type)
        let suffix = type?.preferredFilenameExtension ?? (type?.conforms(to: .text) == true ? "txt" : "bin")
        return "xpb-\(entry.id).\(suffix)"
    }
}

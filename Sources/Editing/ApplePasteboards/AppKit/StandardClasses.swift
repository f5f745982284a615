#if !canImport(Darwin)

public import Foundation
import UniformTypes

extension NSPasteboardItem: NSPasteboardWriting {
    /// Returns the types of the item.
    public func writableTypes(for pasteboard: NSPasteboard) -> [NSPasteboard.PasteboardType] { types }

    /// Returns the bytes of a type.
    public func pasteboardPropertyList(forType type: NSPasteboard.PasteboardType) -> Any? { data(forType: type) }
}

extension NSString: NSPasteboardWriting {
    /// Returns the type of plain text.
    public func writableTypes(for pasteboard: NSPasteboard) -> [NSPasteboard.PasteboardType] { [.string] }

    /// Returns the string.
    public func pasteboardPropertyList(forType type: NSPasteboard.PasteboardType) -> Any? {
        String(describing: self)
    }
}

extension NSAttributedString: NSPasteboardWriting {
    /// Returns the type of plain text. The attributes of fonts and colors are AppKit's, which Linux does not have.
    public func writableTypes(for pasteboard: NSPasteboard) -> [NSPasteboard.PasteboardType] { [.string] }

    /// Returns the characters.
    public func pasteboardPropertyList(forType type: NSPasteboard.PasteboardType) -> Any? { string }
}

extension NSURL: NSPasteboardWriting {
    /// Returns the type of a file's URL for a file, and otherwise those of a URL and of text.
    public func writableTypes(for pasteboard: NSPasteboard) -> [NSPasteboard.PasteboardType] {
        isFileURL ? [.fileURL] : [.URL, .string]
    }

    /// Returns no options, since a URL is at hand.
    public func writingOptions(
        forType type: NSPasteboard.PasteboardType, pasteboard: NSPasteboard
    ) -> NSPasteboard.WritingOptions { [] }

    /// Returns the URL as a string.
    public func pasteboardPropertyList(forType type: NSPasteboard.PasteboardType) -> Any? { absoluteString }
}

/// The text of URLs on a pasteboard.
enum URLLists {
    /// Returns the URLs of a list with one in each line. Lines that begin with # are comments (RFC 2483, section 5),
    /// and further lines that are no URLs are titles.
    static func urls(in data: Data) -> [URL] {
        String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
            .compactMap { URL(string: String($0)) }.filter { $0.scheme != nil }
    }
}

/// The types of files, by their names.
enum FileTypes {
    /// Returns true if the type of a file is one of the types or conforms to one.
    static func file(_ url: URL, conformsToAny types: [String]) -> Bool {
        let type =
            url.hasDirectoryPath ? UniformType.folder : UniformType(filenameExtension: url.pathExtension) ?? .data
        return types.contains { name in
            guard let wanted = UniformType(name) else { return false }
            return type.conforms(to: wanted)
        }
    }
}

#endif

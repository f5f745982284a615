import AttributedText
public import FoundationEssentials
public import Pasteboard
import UniformTypes

// This is a module of its own because the readers and writers of RTF and HTML add half a megabyte to a program. In the
// module Pasteboard, they would be part of every program with the library, including the command line.

/// Styled text on a pasteboard.
extension Pasteboard {
    /// The styled text of the first item: its RTF, or else its HTML, or else its plain text without styles. Nil if the
    /// item has none of these types.
    ///
    /// The attributes are those of the module AttributedText.
    ///
    /// - Throws: `PasteboardError`, with the code `invalidValue` if the contents are offered as RTF but are not RTF.
    public var attributedString: AttributedString? {
        get throws { try StyledTextFormats.text(try data(forTypes: StyledTextFormats.types)) }
    }

    /// Replaces the contents with one item that contains the text as RTF, as HTML and as plain text.
    ///
    /// - Parameters:
    ///   - string: The text. Attributes that are not of the module AttributedText are left out.
    ///   - options: Options for the contents, such as their lifetime.
    ///   - count: The expected change count; the contents are replaced only if it is still current. Nil to replace them
    ///     in any case.
    /// - Returns: The new change count.
    /// - Throws: The same errors as `setString(_:options:ifChangeCount:)`.
    @discardableResult
    public func setAttributedString(
        _ string: AttributedString, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try setItems([PasteboardItem(string)], options: options, ifChangeCount: count)
    }
}

extension AsyncPasteboard {
    /// The styled text of the first item; see ``Pasteboard/attributedString``.
    public var attributedString: AttributedString? {
        get async throws { try StyledTextFormats.text(try await data(forTypes: StyledTextFormats.types)) }
    }

    /// Replaces the contents with styled text; see ``Pasteboard/setAttributedString(_:options:ifChangeCount:)``.
    @discardableResult
    public func setAttributedString(
        _ string: AttributedString, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await setItems([PasteboardItem(string)], options: options, ifChangeCount: count)
    }
}

extension PasteboardItem {
    /// Creates an item that contains the text as RTF, as HTML and as plain text.
    public init(_ string: AttributedString) {
        self.init(Data(string.rtf), type: UniformType.rtf.identifier)
        setData(Data(string.html), forType: UniformType.html.identifier)
        setData(Data(string.plainText), forType: UniformType.utf8PlainText.identifier)
    }
}

/// The formats from which styled text is read, best first.
private enum StyledTextFormats {
    static let types = [UniformType.rtf.identifier, UniformType.html.identifier, "text"]

    static func text(_ found: (data: Data, type: String)?) throws -> AttributedString? {
        guard let found else { return nil }
        let type = UniformType(found.type) ?? .plainText
        if type.conforms(to: .rtf) {
            guard let text = AttributedString(rtf: Array(found.data)) else {
                throw PasteboardError(code: .invalidValue, message: "the contents are offered as RTF, but are not RTF")
            }
            return text
        }
        if type.conforms(to: .html) { return AttributedString(html: Array(found.data)) }
        return AttributedString(String(decoding: found.data, as: UTF8.self))
    }
}

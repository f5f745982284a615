import AttributedText
public import FoundationEssentials
public import Pasteboard
import UniformTypes

// A module of its own, since the readers and writers of RTF and HTML are half a megabyte of a program, which every user
// of the library would carry, the command line among them.

/// Text with its look, as RTF and HTML have it.
extension Pasteboard {
    /// Of the first item, the text with its look: of RTF, else of HTML, else plain; nil where it has none.
    ///
    /// The attributes are those of the module AttributedText.
    ///
    /// - Throws: `PasteboardError`.
    public var attributedString: AttributedString? {
        get throws { try RichForms.text(try data(forTypes: RichForms.wanted)) }
    }

    /// Replaces the contents by one item with the text as RTF, as HTML and plain.
    ///
    /// - Parameters:
    ///   - string: What is written; attributes that are not of the module AttributedText are left out.
    ///   - options: What holds for the contents.
    ///   - count: Only if this is the change count.
    /// - Returns: The change count.
    /// - Throws: As `setString(_:options:ifChangeCount:)`.
    @discardableResult
    public func setAttributedString(
        _ string: AttributedString, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) throws -> Int {
        try setItems([PasteboardItem(string)], options: options, ifChangeCount: count)
    }
}

extension AsyncPasteboard {
    /// See ``Pasteboard/attributedString``.
    public var attributedString: AttributedString? {
        get async throws { try RichForms.text(try await data(forTypes: RichForms.wanted)) }
    }

    /// See ``Pasteboard/setAttributedString(_:options:ifChangeCount:)``.
    @discardableResult
    public func setAttributedString(
        _ string: AttributedString, options: PasteboardOptions = PasteboardOptions(), ifChangeCount count: Int? = nil
    ) async throws -> Int {
        try await setItems([PasteboardItem(string)], options: options, ifChangeCount: count)
    }
}

extension PasteboardItem {
    /// An item with the text as RTF, as HTML and plain.
    public init(_ string: AttributedString) {
        self.init(Data(string.rtf), type: UniformType.rtf.identifier)
        setData(Data(string.html), forType: UniformType.html.identifier)
        setData(Data(string.plainText), forType: UniformType.utf8PlainText.identifier)
    }
}

/// The forms that text with its look is read from.
private enum RichForms {
    static let wanted = [UniformType.rtf.identifier, UniformType.html.identifier, "text"]

    static func text(_ form: (data: Data, type: String)?) throws -> AttributedString? {
        guard let form else { return nil }
        let type = UniformType(form.type) ?? .plainText
        if type.conforms(to: .rtf) {
            guard let text = AttributedString(rtf: Array(form.data)) else {
                throw PasteboardError(code: .invalidValue, message: "what is there as RTF is none")
            }
            return text
        }
        if type.conforms(to: .html) { return AttributedString(html: Array(form.data)) }
        return AttributedString(String(decoding: form.data, as: UTF8.self))
    }
}

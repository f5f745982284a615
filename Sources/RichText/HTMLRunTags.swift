/// The tags around a run: what it has beyond the look that its paragraph's element gives it.
struct HTMLRunTags {
    private(set) var opening = ""
    private(set) var closing = ""

    init(_ style: TextStyle, in paragraph: ParagraphStyle) {
        var css: [String] = []
        if let link = style.link {
            var attribute = MarkupText()
            attribute.appendHTML(link)
            let decoration = style.isUnderlined ? "" : " style=\"text-decoration: none\""
            open("a", " href=\"\(String(decoding: attribute.bytes, as: UTF8.self))\"" + decoration)
        } else if style.isUnderlined {
            open("u")
        }
        let heading = paragraph.headingLevel.map { min(max(1, $0), 6) }
        if style.isBold, heading == nil { open("b") }
        if !style.isBold, heading != nil { css.append("font-weight: normal") }
        if style.isItalic { open("i") }
        if style.isStruckThrough { open("s") }
        let size = heading.map { HTMLTextChange.headingSizes[$0 - 1] }
        let own = style.writtenSize
        if own != size { css.append("font-size: " + (own.map { $0.markup + "pt" } ?? "medium")) }
        let isPre = paragraph.isPreformatted && heading == nil
        if style.fontFamily != (isPre ? "monospace" : nil) {
            css.append("font-family: " + (style.fontFamily.map(Self.family) ?? "initial"))
        }
        if let color = style.foreground { css.append("color: " + Self.hexadecimal(color)) }
        if let color = style.background { css.append("background-color: " + Self.hexadecimal(color)) }
        guard !css.isEmpty else { return }
        var attribute = MarkupText()
        attribute.appendHTML(css.joined(separator: "; "))
        open("span", " style=\"\(String(decoding: attribute.bytes, as: UTF8.self))\"")
    }

    private mutating func open(_ tag: String, _ attributes: String = "") {
        opening += "<\(tag)\(attributes)>"
        closing = "</\(tag)>" + closing
    }

    /// CSS' generic families stand bare, names in quotes.
    private static func family(_ name: String) -> String {
        let generic = ["serif", "sans-serif", "monospace", "cursive", "fantasy", "system-ui"]
        if generic.contains(name) { return name }
        var quoted = "'"
        for scalar in name.unicodeScalars {
            if scalar == "'" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "'"
    }

    private static func hexadecimal(_ color: TextColor) -> String {
        let digits = [color.red, color.green, color.blue].map { byte in
            let text = String(byte, radix: 16)
            return byte < 16 ? "0" + text : text
        }
        return "#" + digits.joined()
    }
}

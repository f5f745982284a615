/// The pictures in HTML: elements `img` whose address contains the file.
enum HTMLPicture {
    static func picture(of tag: HTMLTag, in bytes: [UInt8]) -> TextPicture? {
        var attributes = HTMLAttributes(bytes, at: tag.attributes)
        var address: Range<Int>?
        var (width, height): (Double?, Double?)
        while let attribute = attributes.next() {
            switch attribute.name {
            // The first of repeated attributes counts.
            case Names.source: address = address ?? attribute.value
            case Names.width: width = width ?? points(ofPixels: bytes[attribute.value])
            case Names.height: height = height ?? points(ofPixels: bytes[attribute.value])
            case Names.style: readStyle(HTMLEntities.decoded(bytes[attribute.value]), &width, &height)
            default: break
            }
        }
        return address.flatMap { TextPicture(dataURL: bytes[$0].trimmed, width: width, height: height) }
    }

    /// Reads the lengths of inline CSS, which come before those of attributes.
    private static func readStyle(_ style: ArraySlice<UInt8>, _ width: inout Double?, _ height: inout Double?) {
        var declarations = CSSDeclarations(style)
        while let declaration = declarations.next() {
            guard let length = CSSLength(declaration.value)?.points(fontSize: nil), length > 0 else { continue }
            switch declaration.property {
            case Names.width: width = length
            case Names.height: height = length
            default: break
            }
        }
    }

    private static func points(ofPixels value: ArraySlice<UInt8>) -> Double? {
        guard value.count <= 8, let pixels = Double(String(decoding: value.trimmed, as: UTF8.self)) else { return nil }
        return pixels * 0.75
    }

    private enum Names {
        static let source = MarkupName("src")
        static let width = MarkupName("width")
        static let height = MarkupName("height")
        static let style = MarkupName("style")
    }
}

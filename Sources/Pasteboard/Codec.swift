import Formats
import FoundationEssentials
import UniformTypes

/// How values of a kind are written to a pasteboard and read from it.
struct Codec<Value: Sendable>: Sendable {
    /// What is asked for, the best first: TYPEs.
    let types: [String]
    /// The forms of an item that is the value.
    let item: @Sendable (Value) throws -> PasteboardItem
    /// The value that bytes of a type are; nil where they are none.
    let value: @Sendable (Data, _ type: String) throws -> Value?
}

extension Codec<Data> {
    static func data(_ type: String) -> Codec {
        Codec(types: [type]) { data in
            PasteboardItem(data, type: type)
        } value: { data, _ in
            data
        }
    }
}

extension Codec<String> {
    static let string = Codec(types: ["text"]) { string in
        PasteboardItem(Data(string.utf8), type: UniformType.utf8PlainText.identifier)
    } value: { data, _ in
        String(decoding: data, as: UTF8.self)
    }
}

extension Codec<URL> {
    static let url = Codec(types: ["url"]) { url in
        let type = url.isFileURL ? UniformType.fileURL : UniformType.url
        return PasteboardItem(Data(url.absoluteString.utf8), type: type.identifier)
    } value: { data, _ in
        let text = String(decoding: data, as: UTF8.self)
        // A list of one: what follows is another's item, or a title.
        let line = text.split(whereSeparator: \.isNewline).first { !$0.hasPrefix("#") }
        return line.flatMap { URL(string: String($0)) }
    }
}

extension Codec<EncodedImage> {
    static let image = Codec(types: ["image"]) { image in
        PasteboardItem(image.data, type: image.type)
    } value: { data, type in
        EncodedImage(data, type: type)
    }
}

extension Codec<PasteboardColor> {
    /// Asked for under its X11 name, a color is four numbers whatever its owner has.
    static let color = Codec(types: ["application/x-color"]) { color in
        PasteboardItem(Data(color.x11.bytes), type: "application/x-color")
    } value: { data, _ in
        X11Color(Array(data)).map(PasteboardColor.init)
    }
}

extension Codec<PropertyList> {
    static func propertyList(_ type: String) -> Codec {
        Codec(types: [type]) { value in
            PasteboardItem(try value.data(forType: type), type: type)
        } value: { data, type in
            PropertyList(data, type: type)
        }
    }
}

extension Codec where Value: PropertyListValue & Sendable {
    static func propertyListValue(_ type: String) -> Codec {
        Codec(types: [type]) { value in
            PasteboardItem(try value.propertyList.data(forType: type), type: type)
        } value: { data, type in
            guard let value = Value(propertyList: PropertyList(data, type: type)) else {
                throw PasteboardError(
                    code: .invalidValue, message: "what is there as \(type) is no \(Value.self)")
            }
            return value
        }
    }
}

extension Codec where Value: Codable & Sendable {
    /// JSON (RFC 8259), as JSONEncoder makes it of a type's own coding.
    static func json(_ type: String) -> Codec {
        Codec(types: [type]) { value in
            do {
                return PasteboardItem(try JSONEncoder().encode(value), type: type)
            } catch {
                throw PasteboardError(
                    code: .invalidValue, message: "the \(Value.self) cannot be written as JSON: \(error)")
            }
        } value: { data, type in
            do {
                return try JSONDecoder().decode(Value.self, from: data)
            } catch {
                throw PasteboardError(
                    code: .invalidValue, message: "what is there as \(type) is no \(Value.self) in JSON: \(error)")
            }
        }
    }
}

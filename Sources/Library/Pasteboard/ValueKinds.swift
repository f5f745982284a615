package import Formats
public import FoundationEssentials
import UniformTypes

/// An image as the bytes of an image file, and their type. Nothing is decoded.
public struct EncodedImage: Hashable, Sendable {
    /// The bytes of the image file.
    public var data: Data
    /// A TYPE, see ``Pasteboard``. For an image that was read, this is the type identifier, such as `public.png`.
    public var type: String

    /// Creates an image.
    ///
    /// - Parameters:
    ///   - data: The bytes of the image file.
    ///   - type: A TYPE that names one image format, such as `public.png`, `image/png` or `.png`.
    public init(_ data: Data, type: some PasteboardTypeName) {
        self.data = data
        self.type = type.typeName
    }
}

/// A color in sRGB.
///
/// A pasteboard holds a color in the format that X11 programs exchange as `application/x-color`: four numbers of 16
/// bits. Components are clamped to 0…1, and then rounded to such numbers.
public struct PasteboardColor: Hashable, Sendable, Codable {
    /// The red component, from 0 to 1.
    public var red: Double
    /// The green component, from 0 to 1.
    public var green: Double
    /// The blue component, from 0 to 1.
    public var blue: Double
    /// The opacity, from 0 (transparent) to 1 (opaque).
    public var alpha: Double

    /// Creates a color.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    package init(_ color: X11Color) {
        func component(_ value: UInt16) -> Double { Double(value) / Double(UInt16.max) }
        self.init(
            red: component(color.red), green: component(color.green), blue: component(color.blue),
            alpha: component(color.alpha))
    }

    package var x11: X11Color {
        func component(_ value: Double) -> UInt16 {
            // NaN is written as 0.
            UInt16((max(0, min(1, value.isNaN ? 0 : value)) * Double(UInt16.max)).rounded())
        }
        return X11Color(
            red: component(red), green: component(green), blue: component(blue), alpha: component(alpha))
    }
}

/// The conversion of values of a kind to the representations of an item, and back.
struct Codec<Value: Sendable>: Sendable {
    /// The TYPEs to request, in the order of preference.
    let types: [String]
    let item: @Sendable (Value) throws -> PasteboardItem
    /// Makes a value from the bytes of a type; nil if they are not a value of this kind.
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
        // The bytes are a list. Its later lines are further files or a title, and lines that begin with # are comments.
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
    /// Requested by its X11 name, a color is converted to four numbers, regardless of the representation that its owner
    /// offers.
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
                    code: .invalidValue, message: "the contents of type \(type) are not a value of \(Value.self)")
            }
            return value
        }
    }
}

extension Codec where Value: Codable & Sendable {
    /// Returns a codec for JSON (RFC 8259), as `JSONEncoder` writes it.
    static func json(_ type: String) -> Codec {
        Codec(types: [type]) { value in
            do {
                return PasteboardItem(try JSONEncoder().encode(value), type: type)
            } catch {
                throw PasteboardError(
                    code: .invalidValue, message: "the \(Value.self) cannot be written as JSON: \(error)")
            }
        } value: { data, type in
            try decoded(data, type)
        }
    }

    /// Decodes a value from JSON, or from a property list.
    static func decoded(_ data: Data, _ type: String) throws(PasteboardError) -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: data)
        } catch {
            if PropertyList.isDecodable(data), let value = try? PropertyListDecoder().decode(Value.self, from: data) {
                return value
            }
            // A single string, number or date, and bytes, are written without a wrapper.
            if let kind = Value.self as? any PropertyListValue.Type,
                let value = kind.init(propertyList: PropertyList(data, type: type)) as? Value
            {
                return value
            }
            throw PasteboardError(
                code: .invalidValue, message: "the contents of type \(type) are not JSON of \(Value.self): \(error)")
        }
    }
}

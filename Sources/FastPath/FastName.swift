/// The names of pasteboards and types that are what they look like. They need no escape in JSON.
enum FastName {
    /// The one spelling of a pasteboard's name.
    static func pasteboard(_ name: [UInt8]) -> [UInt8]? {
        if name.isText("general") || name.isText("clipboard") { return Array("general".utf8) }
        if name.isText("find") || name.isText("primary") { return Array("find".utf8) }
        // An app's own. Managers' selections have an underscore, or no dot.
        return isReverseDNS(name) ? name : nil
    }

    /// A TYPE to ask for, of any kind but an extension.
    static func isWantedType(_ name: [UInt8]) -> Bool {
        !name.isEmpty && name.count <= 255 && name.first != UInt8(ascii: ".") && name.allSatisfy(isPlain)
    }

    /// A TYPE that bytes can have: a MIME type, an identifier, or the commonest classes of text.
    static func isSourceType(_ name: [UInt8]) -> Bool {
        isReverseDNS(name) || isMIMEType(name) || name.isText("text") || name.isText("html")
    }

    /// Whether each is a character that is seen, and that stands for itself in JSON.
    static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// `com.example.scratch`: parts of letters, digits and hyphens, a dot between them.
    private static func isReverseDNS(_ name: [UInt8]) -> Bool {
        guard name.count <= 255, name.contains(UInt8(ascii: ".")) else { return false }
        var length = 0
        for byte in name {
            if byte == UInt8(ascii: "."), length > 0 {
                length = 0
            } else if isLetterOrDigit(byte) || byte == UInt8(ascii: "-") {
                length += 1
            } else {
                return false
            }
        }
        return length > 0
    }

    /// `text/html`, without a parameter.
    private static func isMIMEType(_ name: [UInt8]) -> Bool {
        guard name.count <= 255, let mark = name.firstIndex(of: UInt8(ascii: "/")), mark > 0, mark < name.count - 1
        else {
            return false
        }
        return name[..<mark].allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
            && name[(mark + 1)...].allSatisfy {
                isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: ".")
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}

extension Collection<UInt8> {
    func isText(_ text: String) -> Bool { elementsEqual(text.utf8) }
}

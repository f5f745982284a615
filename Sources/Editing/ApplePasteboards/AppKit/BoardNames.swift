#if !canImport(Darwin)

/// The names of the library's pasteboards for the names of NSPasteboard, which can be any string.
enum BoardNames {
    /// The beginning of the names that stand for strings that cannot be the name of a pasteboard.
    private static let prefix = "org.xpb.nspasteboard."

    static func name(of name: NSPasteboard.Name) -> String {
        switch name {
        case .general: "general"
        case .find: "find"
        default: isReverseDNS(name.rawValue) ? name.rawValue : prefix + escaped(name.rawValue)
        }
    }

    private static func isReverseDNS(_ name: String) -> Bool {
        name.contains(".") && !name.hasPrefix(".") && !name.hasSuffix(".") && !name.contains("..")
            && name.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") }
    }

    /// Returns the name with each byte that is no letter, digit or hyphen as an underscore and two hexadecimal digits.
    private static func escaped(_ name: String) -> String {
        if name.isEmpty { return "_" }
        return name.utf8.reduce(into: "") { result, byte in
            if isPlain(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += (byte < 16 ? "_0" : "_") + String(byte, radix: 16)
            }
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

#endif

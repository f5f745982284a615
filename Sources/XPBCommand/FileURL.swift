import LinuxSystem
import SystemPackage

/// File URLs, RFC 8089.
enum FileURL {
    /// The URL of a file that is there, links in its path kept.
    static func string(forPath path: String) throws(Failure) -> String {
        do {
            // A link that leads nowhere is a file, too.
            _ = try Stat(FilePath(path), followTargetSymlink: false)
            let absolute = path.hasPrefix("/") ? path : "\(try ThisProcess.workingFolder())/\(path)"
            return string(forAbsolutePath: absolute)
        } catch {
            throw .usage("\(path) cannot be copied: \(error)")
        }
    }

    /// - Parameter path: It begins with a slash. Empty parts and `.` are left out; `..` stays, as a link before it leads
    ///   elsewhere than to the folder around it.
    static func string(forAbsolutePath path: String) -> String {
        let parts = path.split(separator: "/").filter { $0 != "." }
        return "file:///" + parts.map(escaped).joined(separator: "/")
    }

    /// RFC 3986, section 2.3: what is not reserved stays, all else is percent-escaped byte by byte.
    private static func escaped(_ part: Substring) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in part.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

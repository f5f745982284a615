import LinuxSystem
package import PasteboardWire
import SystemPackage

/// The folder with the sockets of links: `link` in the folder of the bridges' sockets.
///
/// On the machine that a link leads to, each socket in this folder leads to the bridge of the machine that made the
/// link. sshd makes the socket and never removes it, so each connection has its own name: `MACHINE~NUMBER.sock`.
package struct LinkFolder: Sendable {
    package let path: String

    /// Creates the folder if it does not exist, and checks it.
    package init(in runtimeDirectory: RuntimeDirectory) throws(RuntimeDirectoryError) {
        path = try runtimeDirectory.privateFolder(Self.name)
    }

    /// Creates the folder if it does not exist, and removes what ended links have left in it.
    ///
    /// - Throws: ``BridgeClientError`` with code `unavailable` if there is no folder for the sockets.
    package static func opened(environment: [String: String]) throws(BridgeClientError) -> LinkFolder {
        do {
            let folder = try LinkFolder(in: try RuntimeDirectory(environment: environment))
            folder.removeDead()
            return folder
        } catch {
            throw BridgeClientError(code: .unavailable, message: "\(error)")
        }
    }

    private static let name = "link"
    private static let suffix = ".sock"
    /// The maximum length of a machine's name in a socket's name. The path of a socket must be short.
    private static let maxNameLength = 24

    /// Returns true for the path of a socket of a link.
    package static func isLink(_ path: String) -> Bool { Folder.name(of: Folder.containing(path)) == name }

    /// Returns a machine's name in the form used in file names.
    package static func fileName(of machine: String) -> String {
        let plain = machine.utf8.prefix(maxNameLength).map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                byte
            default: UInt8(ascii: "_")
            }
        }
        return plain.first == UInt8(ascii: ".") || plain.isEmpty ? "_" : String(decoding: plain, as: UTF8.self)
    }

    /// Returns the path of a new file for a machine, with a suffix.
    package func newPath(for machine: String, suffix: String = ".sock") -> String {
        let number = String(UInt32.random(in: .min ... .max), radix: 36)
        return "\(path)/\(Self.fileName(of: machine))~\(number)\(suffix)"
    }

    /// Returns the latest link socket of each machine that made a link to this one, by the machine's name. Older
    /// sockets may belong to connections whose end sshd has not noticed.
    package func latest() -> [String: String] {
        var latest: [String: (path: String, time: Int)] = [:]
        for name in (try? Folder.names(in: path)) ?? [] where name.hasSuffix(Self.suffix) {
            guard let end = name.lastIndex(of: "~"),
                let status = try? FileStatus(ofPath: "\(path)/\(name)", followsSymlink: false)
            else { continue }
            let machine = String(name[..<end])
            if status.changeTime >= latest[machine]?.time ?? .min {
                latest[machine] = ("\(path)/\(name)", status.changeTime)
            }
        }
        return latest.mapValues(\.path)
    }

    /// Removes the sockets on which no process listens, and links that lead nowhere.
    package func removeDead() {
        for name in (try? Folder.names(in: path)) ?? [] where name.contains("~") {
            do throws(Errno) {
                _ = try UnixSocket.connect(to: "\(path)/\(name)")
            } catch .connectionRefused, .noSuchFileOrDirectory {
                Folder.removeFile("\(path)/\(name)")
            } catch {
                continue
            }
        }
    }
}

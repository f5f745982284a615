import LinuxSystem
import SystemPackage

/// The file in which a user keeps the cookies of X displays, as Xau(3) reads it.
struct XAuthority {
    struct Entry: Equatable {
        let family: Int
        let address: [UInt8]
        let number: String
        let name: String
        let data: [UInt8]
    }

    static let cookie = "MIT-MAGIC-COOKIE-1"

    let path: String
    /// Nil where the file cannot be read; why is ``problem``.
    var entries: [Entry]?
    let problem: Errno?

    /// That of XAUTHORITY, else `.Xauthority` in HOME; nil where neither is set.
    init?(environment: [String: String]) {
        let named = environment["XAUTHORITY"].flatMap { $0.isEmpty ? nil : $0 }
        guard let path = named ?? environment["HOME"].map({ "\($0)/.Xauthority" }) else { return nil }
        self.path = path
        do throws(Errno) {
            entries = Self.entries(in: try Self.read(path))
            problem = nil
        } catch {
            entries = nil
            problem = error
        }
    }

    /// The cookie for a display of this machine.
    func entry(forLocal number: Int, host: String) -> Entry? {
        entries?.first { entry in
            let isHere = entry.family == 65_535 || entry.family == 256 && entry.address == Array(host.utf8)
            return isHere && (entry.number.isEmpty || entry.number == String(number)) && entry.name == Self.cookie
        }
    }

    /// The cookie for a display that is reached at an address; one that is this machine's own goes by its name.
    ///
    /// - Parameter address: Nil where it is not known: then the number has to do.
    func entry(forRemote number: Int, at address: TCPSocket.Address?, host: String) -> Entry? {
        let local = address?.isLoopback ?? true ? entry(forLocal: number, host: host) : nil
        return local
            ?? entries?.first { entry in
                let isThere = entry.family == 65_535 || address.map { $0.bytes == entry.address } ?? true
                return isThere && (entry.number.isEmpty || entry.number == String(number)) && entry.name == Self.cookie
            }
    }

    /// Up to one that is cut off.
    static func entries(in bytes: [UInt8]) -> [Entry] {
        var rest = bytes[...]
        var entries: [Entry] = []
        func number() -> Int? {
            guard rest.count >= 2 else { return nil }
            defer { rest = rest.dropFirst(2) }
            return Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
        }
        func counted() -> [UInt8]? {
            guard let length = number(), rest.count >= length else { return nil }
            defer { rest = rest.dropFirst(length) }
            return Array(rest.prefix(length))
        }
        while let family = number(), let address = counted(), let display = counted(), let name = counted(),
            let data = counted()
        {
            entries.append(
                Entry(
                    family: family, address: address, number: String(decoding: display, as: UTF8.self),
                    name: String(decoding: name, as: UTF8.self), data: data))
        }
        return entries
    }

    private static func read(_ path: String) throws(Errno) -> [UInt8] {
        let file = try rethrowingErrno {
            try FileDescriptor.open(FilePath(lossless: path), .readOnly, options: [.closeOnExec, .nonBlocking])
        }
        let descriptor = Descriptor(adopting: file)
        var bytes: [UInt8] = []
        // A user has a few hundred at most.
        while bytes.count < 1 << 20 {
            let piece = try descriptor.fileDescriptor.readBytes(atMost: 1 << 16)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }
}

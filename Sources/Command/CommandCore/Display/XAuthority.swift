package import LinuxSystem
package import SystemPackage

/// The file with the cookies of a user's X displays, read like Xau(3).
package struct XAuthority {
    package struct Entry: Equatable {
        package let family: Int
        package let address: [UInt8]
        package let number: String
        package let name: String
        package let data: [UInt8]

        package init(family: Int, address: [UInt8], number: String, name: String, data: [UInt8]) {
            self.family = family
            self.address = address
            self.number = number
            self.name = name
            self.data = data
        }
    }

    package static let cookie = "MIT-MAGIC-COOKIE-1"

    package let path: String
    /// The entries; nil if the file cannot be read, for the reason in ``problem``.
    package var entries: [Entry]?
    package let problem: Errno?

    /// Reads the file that XAUTHORITY names, else `.Xauthority` in HOME; nil if neither is set.
    package init?(environment: [String: String]) {
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

    /// Returns the cookie for a display of this machine.
    package func entry(forLocal number: Int, host: String) -> Entry? {
        entries?.first { entry in
            let isHere = entry.family == 65_535 || entry.family == 256 && entry.address == Array(host.utf8)
            return isHere && (entry.number.isEmpty || entry.number == String(number)) && entry.name == Self.cookie
        }
    }

    /// Returns the cookie for a display at an address. A loopback address has the cookie of this machine's name.
    ///
    /// - Parameter address: The address; nil if it is not known: then the number alone decides.
    package func entry(forRemote number: Int, at address: TCPSocket.Address?, host: String) -> Entry? {
        let local = address?.isLoopback ?? true ? entry(forLocal: number, host: host) : nil
        return local
            ?? entries?.first { entry in
                let isThere = entry.family == 65_535 || address.map { $0.bytes == entry.address } ?? true
                return isThere && (entry.number.isEmpty || entry.number == String(number)) && entry.name == Self.cookie
            }
    }

    /// Parses entries, up to the first that is cut off.
    package static func entries(in bytes: [UInt8]) -> [Entry] {
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
        let file = try Descriptor.open(FilePath(lossless: path), options: .nonBlocking)
        // A user has a few hundred entries at most.
        return try file.fileDescriptor.readToEnd(atMost: 1 << 20)
    }
}

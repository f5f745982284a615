import Glibc
import LinuxSystem
import PasteboardModel
import SystemPackage

/// Finds contents that are equal: the same items with the same representations, by type, target and bytes.
///
/// The digest is of a little of them only. Those with the same one are compared byte by byte before they are taken for
/// equal.
struct Fingerprint: Equatable {
    /// So many bytes at the beginning and at the end of a representation are in the digest.
    private static let sample = 4 << 10

    let digest: Int
    /// Of the representations, in bytes.
    let length: Int

    init(_ contents: Contents, _ files: [MemoryFile]) throws(Errno) {
        var hash = FNV1a()
        hash.add(ItemArchive(contents, record: nil).header)
        var length = 0
        for representation in contents.items.lazy.flatMap(\.representations) {
            guard let range = representation.range else { continue }
            length += range.count
            let file = files[representation.source]
            hash.add(try file.bytes(in: range.prefix(Self.sample)))
            if range.count > Self.sample { hash.add(try file.bytes(in: range.suffix(Self.sample))) }
        }
        digest = Int(truncatingIfNeeded: hash.value)
        self.length = length
    }

    /// Whether the bytes and types of contents with the same fingerprint are the same.
    static func areEqual(
        _ left: Contents, _ leftFiles: [MemoryFile], _ right: Contents, _ rightFiles: [MemoryFile]
    ) throws -> Bool {
        guard ItemArchive(left, record: nil).header == ItemArchive(right, record: nil).header else { return false }
        let pairs = zip(left.items.lazy.flatMap(\.representations), right.items.lazy.flatMap(\.representations))
        return try pairs.allSatisfy { left, right in
            guard let leftRange = left.range, let rightRange = right.range else { return false }
            return try leftFiles[left.source].withBytes(in: leftRange) { leftBytes in
                try rightFiles[right.source].withBytes(in: rightRange) { rightBytes in
                    unsafe leftBytes.withUnsafeBytes { left in
                        unsafe rightBytes.withUnsafeBytes { right in
                            guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else {
                                return left.count == right.count
                            }
                            return unsafe left.count == right.count
                                && memcmp(leftStart, rightStart, left.count) == 0
                        }
                    }
                }
            }
        }
    }
}

/// The hash of Fowler, Noll and Vo with 64 bits.
private struct FNV1a {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
}

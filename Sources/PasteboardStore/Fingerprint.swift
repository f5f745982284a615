import Glibc
import LinuxSystem
import PasteboardModel
import SystemPackage
import UniformTypes

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
        var length = 0
        for item in contents.items {
            hash.add(item.representations.count)
            for representation in item.representations {
                representation.addNames(to: &hash)
                guard let range = representation.range else { continue }
                length += range.count
                let file = files[representation.source]
                hash.add(range.count)
                hash.add(try file.bytes(in: range.prefix(Self.sample)))
                if range.count > Self.sample { hash.add(try file.bytes(in: range.suffix(Self.sample))) }
            }
        }
        digest = Int(truncatingIfNeeded: hash.value)
        self.length = length
    }

    /// Whether contents have the same items, with representations of the same types and lengths.
    static func areAlike(_ left: Contents, _ right: Contents) -> Bool {
        left.items.map(\.representations.count) == right.items.map(\.representations.count)
            && pairs(left, right).allSatisfy { $0.isNamed(like: $1) && $0.range?.count == $1.range?.count }
    }

    private static func pairs(_ left: Contents, _ right: Contents) -> some Sequence<(Representation, Representation)> {
        zip(left.items.lazy.flatMap(\.representations), right.items.lazy.flatMap(\.representations))
    }

    /// Whether the bytes and types of contents with the same fingerprint are the same.
    static func areEqual(
        _ left: Contents, _ leftFiles: [MemoryFile], _ right: Contents, _ rightFiles: [MemoryFile]
    ) throws -> Bool {
        guard areAlike(left, right) else { return false }
        return try pairs(left, right).allSatisfy { left, right in
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

extension Representation {
    /// Type and target, byte by byte: two that Unicode holds to be equal are two.
    fileprivate func isNamed(like other: Representation) -> Bool {
        exact == other.exact && (target == nil) == (other.target == nil)
            && type.identifier.utf8.elementsEqual(other.type.identifier.utf8)
            && (target ?? "").utf8.elementsEqual((other.target ?? "").utf8)
    }

    fileprivate func addNames(to hash: inout FNV1a) {
        hash.add(type.identifier.utf8)
        hash.add(exact ? 1 : 0)
        hash.add(target.map(\.utf8.count) ?? -1)
        if let target { hash.add(target.utf8) }
    }
}

/// The hash of Fowler, Noll and Vo with 64 bits.
private struct FNV1a {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    mutating func add(_ number: Int) {
        for shift in stride(from: 0, to: 64, by: 8) {
            add(CollectionOfOne(UInt8(truncatingIfNeeded: UInt64(bitPattern: Int64(number)) >> shift)))
        }
    }
}

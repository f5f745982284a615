import Glibc
package import LinuxSystem
package import PasteboardModel
package import SystemPackage
import UniformTypes

/// A fingerprint for finding equal contents, which have the same items with the same representations, by type, target
/// and bytes.
///
/// The digest covers only a part of the bytes, so contents with equal fingerprints are compared byte by byte before
/// they are taken for equal.
package struct Fingerprint: Equatable {
    /// The number of bytes at the beginning and at the end of each representation that the digest covers.
    private static let sample = 4 << 10

    let digest: Int
    /// The sum of the lengths of the representations, in bytes.
    package let length: Int

    package init(_ contents: Contents, _ files: [MemoryFile]) throws(Errno) {
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

    /// Returns true if both contents have the same items, with representations of the same types and lengths.
    static func areAlike(_ left: Contents, _ right: Contents) -> Bool {
        left.items.map(\.representations.count) == right.items.map(\.representations.count)
            && pairs(left, right).allSatisfy { $0.isNamed(like: $1) && $0.range?.count == $1.range?.count }
    }

    private static func pairs(_ left: Contents, _ right: Contents) -> some Sequence<(Representation, Representation)> {
        zip(left.items.lazy.flatMap(\.representations), right.items.lazy.flatMap(\.representations))
    }

    /// Returns true if both contents have the same items, types and bytes.
    package static func areEqual(
        _ left: Contents, _ leftFiles: [MemoryFile], _ right: Contents, _ rightFiles: [MemoryFile]
    ) throws -> Bool {
        guard areAlike(left, right) else { return false }
        return try pairs(left, right).allSatisfy { left, right in
            guard let leftRange = left.range, let rightRange = right.range else { return false }
            return try leftFiles[left.source].withBytes(in: leftRange) { leftBytes in
                try rightFiles[right.source].withBytes(in: rightRange) { areEqual(leftBytes, $0) }
            }
        }
    }

    private static func areEqual(_ left: RawSpan, _ right: RawSpan) -> Bool {
        guard left.byteCount == right.byteCount else { return false }
        return unsafe left.withUnsafeBytes { left in
            unsafe right.withUnsafeBytes { right in
                // Empty buffers have no address.
                guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return true }
                return unsafe memcmp(leftStart, rightStart, left.count) == 0
            }
        }
    }
}

extension Representation {
    /// Compares type and target by their bytes, not by canonical equivalence as `String` does.
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

/// The FNV-1a hash with 64 bits (Fowler, Noll and Vo).
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

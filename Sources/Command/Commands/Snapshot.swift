package import BridgeClient
package import LinuxSystem
package import PasteboardWire
import UniformTypes

/// Contents to be written again unchanged.
package struct Snapshot {
    package let items: [WireNewItem]
    private let blobs: [ImmutableBytes]

    /// The limit on files that are passed one by one: a message carries a limited number of descriptors.
    private static let maxFiles = 32

    /// Creates a snapshot of fetched contents, without the missing representations.
    package init(_ contents: FetchedContents) throws {
        var blobs: [ImmutableBytes] = []
        // There may be thousands of representations.
        var indices: [ObjectIdentifier: Int] = [:]
        var places: [WireBytes?] = []
        for representation in contents.representations {
            guard case .range(let held, let range) = representation.bytes else {
                places.append(nil)
                continue
            }
            let index = indices[held.identity] ?? blobs.count
            if index == blobs.count {
                indices[held.identity] = index
                blobs.append(held)
            }
            places.append(WireBytes(descriptor: index, offset: range.lowerBound, length: range.count))
        }
        if blobs.count > Self.maxFiles {
            (blobs, places) = try Self.packed(blobs, places)
        }
        var rest = places[...]
        items = contents.items.compactMap { item in
            let kept = item.compactMap { representation in
                rest.removeFirst().map {
                    WireNewRepresentation.again(
                        type: representation.type, target: representation.target, exact: representation.exact, $0)
                }
            }
            return kept.isEmpty ? nil : WireNewItem(representations: kept)
        }
        self.blobs = blobs
    }

    /// Returns descriptors for one call: a pipe with a secret can be read only once.
    package func descriptors() throws -> [Descriptor] {
        try blobs.map { try $0.passed(0..<$0.length).descriptor }
    }

    /// Copies all blobs into one, which is a secret if any of them is.
    private static func packed(
        _ blobs: [ImmutableBytes], _ places: [WireBytes?]
    ) throws -> ([ImmutableBytes], [WireBytes?]) {
        if blobs.contains(where: { $0.secret != nil }) {
            let writer = try SecretMemoryWriter()
            let packed = try packed(blobs, places) { bytes in
                let offset = writer.length
                try writer.append(bytes)
                return offset
            }
            return ([.secret(writer.seal())], packed)
        }
        let writer = try MemoryFileWriter()
        let packed = try packed(blobs, places) { bytes in
            let offset = writer.length
            try writer.append(bytes)
            return offset
        }
        return ([.file(try writer.seal())], packed)
    }

    private static func packed(
        _ blobs: [ImmutableBytes], _ places: [WireBytes?], _ append: (RawSpan) throws -> Int
    ) throws -> [WireBytes?] {
        try places.map { place in
            guard let place, let index = place.descriptor else { return nil }
            let range = place.offset..<place.offset + place.length
            return WireBytes(
                descriptor: 0, offset: try blobs[index].withBytes(in: range, append), length: place.length)
        }
    }
}

extension WireNewRepresentation {
    /// Returns the representation for another write: named by its target if that determines the type, else by its type.
    package static func again(type: String, target: String?, exact: Bool, _ bytes: WireBytes) -> WireNewRepresentation {
        // When written, a target such as "text" would name a different type.
        let name = target.flatMap { target in
            SourceType.concrete(named: target)?.target.map { $0.utf8.elementsEqual(target.utf8) } == true ? target : nil
        }
        return WireNewRepresentation(type: name ?? type, exact: exact ? true : nil, bytes: bytes)
    }
}

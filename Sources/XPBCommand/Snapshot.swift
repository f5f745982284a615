import BridgeClient
import LinuxSystem
import PasteboardWire
import UniformTypes

/// Contents that are to be written as they were.
struct Snapshot {
    let items: [WireNewItem]
    private let blobs: [HeldBytes]

    /// The most files that are passed each by itself: a message carries so many descriptors.
    private static let maxFiles = 32

    /// All that was fetched; what is missing is left out.
    init(_ contents: FetchedContents) throws {
        var blobs: [HeldBytes] = []
        // There may be thousands.
        var indices: [ObjectIdentifier: Int] = [:]
        var places: [WireBytes?] = []
        for form in contents.forms {
            guard case .range(let held, let range) = form.bytes else {
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
        var items: [(number: Int, item: WireNewItem)] = []
        for (form, place) in zip(contents.forms, places) {
            guard let place else { continue }
            if items.last?.number != form.item { items.append((form.item, WireNewItem(representations: []))) }
            items[items.count - 1].item.representations.append(
                .again(type: form.type, target: form.target, exact: form.exact, place))
        }
        self.items = items.map(\.item)
        self.blobs = blobs
    }

    /// What goes with one call that writes them: a pipe with a secret is read once.
    func descriptors() throws -> [Descriptor] {
        try blobs.map { try $0.passed(0..<$0.length).descriptor }
    }

    /// All in one, which is a secret if any is.
    private static func packed(
        _ blobs: [HeldBytes], _ places: [WireBytes?]
    ) throws -> ([HeldBytes], [WireBytes?]) {
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
        _ blobs: [HeldBytes], _ places: [WireBytes?], _ append: (RawSpan) throws -> Int
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
    /// As it was written before: by its target, from which the type follows, where that can name one.
    static func again(type: String, target: String?, exact: Bool, _ bytes: WireBytes) -> WireNewRepresentation {
        // A target such as "text" names something else when it is written.
        let name = target.flatMap { target in
            SourceType.concrete(named: target)?.target.map { $0.utf8.elementsEqual(target.utf8) } == true ? target : nil
        }
        return WireNewRepresentation(type: name ?? type, exact: exact ? true : nil, bytes: bytes)
    }
}

import LinuxSystem
import Pasteboard
import PasteboardWire
import UniformTypes

/// Contents that are to be written as they were.
struct Snapshot {
    let items: [WireNewItem]
    let descriptors: [Descriptor]

    /// The most files that are passed each by itself: a message carries so many descriptors.
    private static let mostFiles = 32

    /// All that was fetched; what is missing is left out.
    init(_ contents: FetchedContents) throws {
        var files: [MemoryFile] = []
        // There may be thousands.
        var indices: [ObjectIdentifier: Int] = [:]
        var places: [WireBytes?] = []
        for form in contents.forms {
            guard case .range(let file, let range) = form.bytes else {
                places.append(nil)
                continue
            }
            let index = indices[ObjectIdentifier(file)] ?? files.count
            if index == files.count {
                indices[ObjectIdentifier(file)] = index
                files.append(file)
            }
            places.append(WireBytes(descriptor: index, offset: range.lowerBound, length: range.count))
        }
        if files.count > Self.mostFiles {
            (files, places) = try Self.packed(files, places)
        }
        var items: [(number: Int, item: WireNewItem)] = []
        for (form, place) in zip(contents.forms, places) {
            guard let place else { continue }
            if items.last?.number != form.item { items.append((form.item, WireNewItem(representations: []))) }
            items[items.count - 1].item.representations.append(
                .again(type: form.type, target: form.target, exact: form.exact, place))
        }
        self.items = items.map(\.item)
        descriptors = files.map(\.descriptor)
    }

    /// All in one file.
    private static func packed(
        _ files: [MemoryFile], _ places: [WireBytes?]
    ) throws -> ([MemoryFile], [WireBytes?]) {
        let writer = try MemoryFileWriter()
        let packed = try places.map { place -> WireBytes? in
            guard let place, let index = place.descriptor else { return nil }
            let offset = writer.length
            try files[index].withBytes(in: place.offset..<place.offset + place.length) { try writer.append($0) }
            return WireBytes(descriptor: 0, offset: offset, length: place.length)
        }
        return ([try writer.seal()], packed)
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

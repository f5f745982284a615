import LinuxSystem
import PasteboardModel
import PasteboardWire
import SystemPackage

/// Contents of thousands of small files: each would cost a descriptor for as long as the contents stay.
extension Draft {
    /// Longer files, in bytes, stay as they are.
    private static let longest = 64 << 10
    /// So many small ones may there be.
    private static let most = 64

    /// Copies the small files into one, where there are many of them.
    mutating func gather() throws(BridgeError) {
        let small = backings.map { backing in
            if case .file(let file) = backing, file.length <= Self.longest { file } else { nil as MemoryFile? }
        }
        guard small.lazy.compactMap(\.self).count > Self.most else { return }
        var gathered = backings.indices.filter { small[$0] == nil }.map { backings[$0] }
        // Where each backing is from now on, and where in it it begins.
        var places: [(source: Int, offset: Int)] = []
        do throws(Errno) {
            let writer = try MemoryFileWriter()
            var others = 0
            for file in small {
                if let file {
                    places.append((gathered.count, writer.length))
                    try writer.append(file)
                } else {
                    places.append((others, 0))
                    others += 1
                }
            }
            gathered.append(.file(try writer.seal()))
        } catch {
            throw .noRoom(error, for: "the contents")
        }
        var moved = contents
        for item in moved.items.indices {
            for index in moved.items[item].representations.indices {
                let (source, offset) = places[moved.items[item].representations[index].source]
                let range = moved.items[item].representations[index].range
                moved.items[item].representations[index].source = source
                moved.items[item].representations[index].range = range.map {
                    $0.lowerBound + offset..<$0.upperBound + offset
                }
            }
        }
        replaceBackings(gathered, for: moved)
    }
}

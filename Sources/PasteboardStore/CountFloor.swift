import Glibc
import LinuxSystem
import PasteboardModel
import Synchronization
import SystemPackage

/// The bound that no count ever told is above, in a file of its own, `counts`: a process that is killed leaves it
/// behind, whatever becomes of the database.
///
/// The file has its full length from the beginning and is overwritten in place, so that a full disk stops nobody. It has
/// two places, written by turns; the higher one that is whole holds. The bound goes up in blocks, and half a block before
/// it is reached: what a power cut loses of it is made up for by that, since the file is written to the disk meanwhile.
///
/// It is best made after ``Store``, which restores a file that was lost with what the database knows.
package final class CountFloor: Sendable {
    /// So many counts are reserved at once.
    static let block = 1_024
    private static let name = "counts"

    private struct State {
        var floor: Int
        var next: Int
    }

    private let file: Descriptor
    private let state: Mutex<State>

    /// Opens the file or makes it. One that is damaged or missing begins with what the contents' files tell, and a
    /// block more.
    package convenience init(at folder: String) throws(StoreFailure) {
        try self.init(
            at: folder,
            lost: {
                let blobs = BlobFolder(in: folder)
                let counts = (0..<BlobFolder.shards).flatMap { blobs.entries(inShard: $0) }.map { id in
                    ((try? blobs.file(id)).flatMap(\.self)).flatMap(BlobContents.init)?.record.count ?? 0
                }
                return counts.max() ?? 0
            })
    }

    /// - Parameter lost: The highest count that is known, asked for where the file does not tell; 0 for none.
    init(at folder: String, lost: () -> Int) throws(StoreFailure) {
        try BlobFolder.make(folder)
        let path = "\(folder)/\(Self.name)"
        do throws(Errno) {
            file = try rethrowingErrno {
                Descriptor(
                    adopting: try FileDescriptor.open(
                        FilePath(path), .readWrite, options: [.create, .closeOnExec, .noFollow],
                        permissions: .ownerReadWrite))
            }
            let places = try Self.places(file)
            if let floor = places.compactMap(\.self).max() {
                state = Mutex(State(floor: floor, next: places[0] == floor ? 1 : 0))
            } else {
                let highest = lost()
                let floor = highest == 0 ? 0 : highest + Self.block
                state = Mutex(State(floor: floor, next: 0))
                for place in 0...1 { try Self.write(floor, to: place, of: file) }
            }
        } catch {
            throw StoreFailure(error, path)
        }
    }

    /// Where counts start after a process was killed: none that was told is higher.
    package var floor: Int { state.withLock(\.floor) }

    /// To be called before a count is told. It writes once for a block of counts, and does not wait for the disk.
    package func reserve(_ count: Int) {
        state.withLock { state in
            guard count > state.floor - Self.block / 2 else { return }
            state.floor = count + Self.block
            // The place is there: nothing but a failing disk stops this, and then nothing else helps.
            try? Self.write(state.floor, to: state.next, of: file)
            state.next = 1 - state.next
        }
    }

    /// Sees that it is on the disk.
    static func sync(in folder: String) { BlobFolder.sync("\(folder)/\(name)") }

    // MARK: The file

    /// Of one place, in bytes. Two of them are in one block of any disk.
    private static let placeLength = 64

    private static func places(_ file: Descriptor) throws(Errno) -> [Int?] {
        try rethrowingErrno {
            try [0, 1].map { place in
                var bytes = [UInt8](repeating: 0, count: placeLength)
                let count = try unsafe bytes.withUnsafeMutableBytes {
                    try unsafe file.fileDescriptor.read(fromAbsoluteOffset: Int64(place * placeLength), into: $0)
                }
                let text = String(decoding: bytes[..<count], as: UTF8.self)
                let words = text.split(separator: " ", omittingEmptySubsequences: true)
                guard words.count >= 2, let floor = Int(words[1]), line(floor) == text else { return nil }
                return floor
            }
        }
    }

    private static func write(_ floor: Int, to place: Int, of file: Descriptor) throws(Errno) {
        try rethrowingErrno {
            _ = try file.fileDescriptor.writeAll(
                toAbsoluteOffset: Int64(place * placeLength), line(floor).utf8)
        }
    }

    /// A text of fixed length, with the number again in another form, so that half of one is not taken for whole.
    private static func line(_ floor: Int) -> String {
        let check = String(~UInt64(bitPattern: Int64(floor)), radix: 16)
        let text = "xpb-counts \(floor) \(check)"
        return text + String(repeating: " ", count: placeLength - 1 - text.utf8.count) + "\n"
    }
}

import Glibc
import LinuxSystem
import PasteboardModel
import Synchronization
import SystemPackage

/// An upper bound on all change counts that were ever reported, in its own file, `counts`. After a crash, counts
/// continue from this bound, whatever happened to the database.
///
/// The file has its full length from the beginning and is overwritten in place, so a full disk cannot stop the write.
/// The file has two slots, which are written in turn; the higher valid slot counts. The bound is raised by blocks, half
/// a block before it is reached: if a power cut loses the latest write, the previous bound is still higher than the
/// counts, unless half a block was used before maintenance wrote the file to the disk.
///
/// Open the file after ``Store``, which restores a lost file from the database.
package final class CountFloor: Sendable {
    /// The number of counts that one write reserves.
    package static let block = 1_024
    private static let name = "counts"

    private struct State {
        var floor: Int
        var next: Int
    }

    private let file: Descriptor
    private let state: Mutex<State>

    /// Opens the file, or creates it. If the file is damaged or missing, the bound is one block above the highest count
    /// in the blobs.
    package convenience init(at folder: String) throws(StoreFailure) {
        try self.init(
            at: folder,
            lost: {
                let blobs = BlobFolder(in: folder)
                let counts = blobs.entries.map { id in
                    ((try? blobs.file(id)).flatMap(\.self)).flatMap(BlobContents.init)?.record.count ?? 0
                }
                return counts.max() ?? 0
            })
    }

    /// - Parameter lost: Returns the highest count that is known otherwise, or 0 if no count is known. Called if the
    ///   file is damaged or missing.
    init(at folder: String, lost: () -> Int) throws(StoreFailure) {
        try BlobFolder.make(folder)
        let path = "\(folder)/\(Self.name)"
        do throws(Errno) {
            file = try Descriptor.open(
                FilePath(path), .readWrite, options: [.create, .noFollow], permissions: .ownerReadWrite)
            let slots = try Self.slots(file)
            if let floor = slots.compactMap(\.self).max() {
                state = Mutex(State(floor: floor, next: slots[0] == floor ? 1 : 0))
            } else {
                let highest = lost()
                let floor = highest == 0 ? 0 : highest + Self.block
                state = Mutex(State(floor: floor, next: 0))
                for slot in 0...1 { try Self.write(floor, to: slot, of: file) }
            }
        } catch {
            throw StoreFailure(error, path)
        }
    }

    /// The bound: no reported count is higher.
    package var floor: Int { state.withLock(\.floor) }

    /// Raises the bound if necessary. Call this before a count is reported. One write serves a block of counts, and
    /// this does not wait for the disk.
    package func reserve(_ count: Int) {
        state.withLock { state in
            guard count > state.floor - Self.block / 2 else { return }
            state.floor = count + Self.block
            // The slot exists already, so this fails only if the disk does, and there is no remedy for that.
            try? Self.write(state.floor, to: state.next, of: file)
            state.next = 1 - state.next
        }
    }

    /// Writes the file to the disk, and waits for it.
    static func sync(in folder: String) { BlobFolder.sync("\(folder)/\(name)") }

    // MARK: The file

    /// The length of a slot in bytes. Both slots are in one block of any disk.
    private static let slotLength = 64

    /// Returns the bounds in both slots; nil for an invalid slot.
    private static func slots(_ file: Descriptor) throws(Errno) -> [Int?] {
        try rethrowingErrno {
            try [0, 1].map { slot in
                var bytes = [UInt8](repeating: 0, count: slotLength)
                let count = try unsafe bytes.withUnsafeMutableBytes {
                    try unsafe file.fileDescriptor.read(fromAbsoluteOffset: Int64(slot * slotLength), into: $0)
                }
                let text = String(decoding: bytes[..<count], as: UTF8.self)
                let words = text.split(separator: " ", omittingEmptySubsequences: true)
                guard words.count >= 2, let floor = Int(words[1]), line(floor) == text else { return nil }
                return floor
            }
        }
    }

    private static func write(_ floor: Int, to slot: Int, of file: Descriptor) throws(Errno) {
        try rethrowingErrno {
            _ = try file.fileDescriptor.writeAll(
                toAbsoluteOffset: Int64(slot * slotLength), line(floor).utf8)
        }
    }

    /// Returns the text of a slot: the number, and its complement in hexadecimal digits, so that a partial write is not
    /// taken for valid.
    private static func line(_ floor: Int) -> String {
        let check = String(~UInt64(bitPattern: Int64(floor)), radix: 16)
        let text = "xpb-counts \(floor) \(check)"
        return text + String(repeating: " ", count: slotLength - 1 - text.utf8.count) + "\n"
    }
}

import LinuxSystem
import PasteboardModel
import SystemPackage

/// A file with the archives of entries, one after another, as the call `ImportHistory` takes them.
struct EntryFile {
    private let writer: MemoryFileWriter
    private let now = UnixTime.now
    private(set) var count = 0

    init() throws(TransferFault) {
        do throws(Errno) {
            writer = try MemoryFileWriter()
        } catch {
            throw Self.noMemory
        }
    }

    mutating func append(_ entry: TransferredEntry) throws(TransferFault) {
        let header = entry.header(now: now)
        guard !header.isTooLong else { throw TransferFault("the names of its types are too long") }
        do throws(Errno) {
            try writer.append(header.header)
            for part in entry.items.joined() { try writer.append(part.bytes) }
        } catch {
            throw Self.noMemory
        }
        count += 1
    }

    func seal() throws(TransferFault) -> MemoryFile {
        do throws(Errno) {
            return try writer.seal()
        } catch {
            throw Self.noMemory
        }
    }

    private static let noMemory = TransferFault("there is not enough memory")
}

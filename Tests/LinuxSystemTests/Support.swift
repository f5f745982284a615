import Foundation
import LinuxSystem
import SystemPackage
import TestRandom

/// A temporary folder for one test, which is removed with its contents.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "xpb-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Creates a file with the given contents and opens it at its start.
    func make(_ name: String, _ bytes: [UInt8] = [], options: FileDescriptor.OpenOptions = []) throws -> Descriptor {
        let descriptor = Descriptor(
            adopting: try FileDescriptor.open(
                FilePath(file(name)), .readWrite, options: options.union([.create, .closeOnExec]),
                permissions: .ownerReadWrite))
        try descriptor.fileDescriptor.writeAll(bytes)
        try descriptor.fileDescriptor.seek(offset: 0, from: .start)
        return descriptor
    }
}

/// Opens a file without close-on-exec, so that started programs inherit the descriptor.
func opened(_ path: String, _ mode: FileDescriptor.AccessMode) throws -> Descriptor {
    Descriptor(adopting: try FileDescriptor.open(FilePath(path), mode))
}

struct Pipe {
    let reading: Descriptor
    let writing: Descriptor

    init() throws {
        let ends = try FileDescriptor.pipe(options: .closeOnExec)
        reading = Descriptor(adopting: ends.readEnd)
        writing = Descriptor(adopting: ends.writeEnd)
    }
}

/// Waits until the other end of a pipe or socket is open nowhere. A process that another test is starting has copies
/// of all descriptors until it runs its program.
func awaitHangup(_ end: FileDescriptor) throws {
    var set = PollSet()
    set.append(end, [])
    _ = try set.wait(until: nil)
}

/// The block of bytes that ``pattern(_:)`` repeats.
private let patternBlock = (0..<1 << 16).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

/// Returns test bytes that include NUL and differ from one position to the next.
func pattern(_ count: Int) -> [UInt8] { repeating(patternBlock, count: count) }

/// Returns bytes that repeat a block.
func repeating(_ block: [UInt8], count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += block.prefix(count - bytes.count) }
    return bytes
}

/// Returns all bytes up to the end of the source.
func readAll(_ source: FileDescriptor) throws -> [UInt8] {
    let writer = try MemoryFileWriter()
    _ = try writer.append(from: source, limit: .max)
    let file = try writer.seal()
    return try file.bytes(in: 0..<file.length)
}

extension SeededGenerator {
    /// Returns at most `length` bytes. Half of the results consist mostly of bytes that are not ASCII.
    mutating func bytes(atMost length: Int) -> [UInt8] {
        let range: ClosedRange<UInt8> = Bool.random(using: &self) ? 0...255 : 0x7E...0xF4
        return (0..<Int.random(in: 0...length, using: &self)).map { _ in UInt8.random(in: range, using: &self) }
    }
}

import CTestLinux
import FoundationEssentials
import Glibc
import SystemPackage

/// A search for every trace of some text, in all encodings that may have been left behind.
package struct Search {
    private let patterns: [[UInt8]]

    /// - Parameter text: Random text that is long enough to be unique.
    package init(for text: String) {
        let plain = Array(text.utf8)
        let wide = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        // In base64 the first and last bytes of the text may share a character with their neighbors.
        let encoded = (0..<3).map { shift in
            let bytes = Data([UInt8](repeating: 0, count: shift) + plain).base64EncodedString()
            return Array(Array(bytes.utf8).dropFirst(4).dropLast(4))
        }
        patterns = [plain, wide, Array(wide.dropFirst())] + encoded
    }

    /// Returns the files in a folder and its subfolders that contain the text.
    package func files(in folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return names.map { "\(folder)/\($0)" }.filter { path in
            guard let type = try? Stat(FilePath(path), followTargetSymlink: false).type, type == .regular else {
                return false
            }
            return (try? Data(contentsOf: URL(filePath: path))).map { contains(in: Array($0)) } ?? false
        }
    }

    /// Returns the mappings in a process's memory that contain the text, as lines of `/proc/PID/maps`. The process
    /// keeps running.
    package func mappings(of process: Int32) throws -> [String] {
        let memory = try FileDescriptor.open(FilePath("/proc/\(process)/mem"), .readOnly, options: .closeOnExec)
        defer { try? memory.close() }
        let maps = String(decoding: try Self.contents("/proc/\(process)/maps"), as: UTF8.self)
        return maps.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ", maxSplits: 5)
            let bounds = fields[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            // Mappings that no process can write cannot contain the text.
            guard bounds.count == 2, fields[1].hasPrefix("rw") else { return nil }
            return contains(in: Self.read(memory, bounds[0]..<bounds[1])) ? String(line) : nil
        }
    }

    private func contains(in bytes: [UInt8]) -> Bool {
        patterns.contains { pattern in
            unsafe memmem(bytes, bytes.count, pattern, pattern.count) != nil
        }
    }

    /// Reads a mapping up to the first page that no longer exists.
    private static func read(_ memory: FileDescriptor, _ range: Range<Int>) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
            let room = UnsafeMutableRawBufferPointer(buffer)
            while count < range.count,
                let read = try? unsafe memory.read(
                    fromAbsoluteOffset: Int64(range.lowerBound + count),
                    into: UnsafeMutableRawBufferPointer(rebasing: room[count...])), read > 0
            { count += read }
        }
    }

    private static func contents(_ path: String) throws -> [UInt8] {
        let file = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
        defer { try? file.close() }
        var bytes: [UInt8] = []
        while true {
            let piece = try unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                unsafe count = try file.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            if piece.isEmpty { return bytes }
            bytes += piece
        }
    }
}

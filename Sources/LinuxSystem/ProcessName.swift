import SystemPackage

/// The name of a process, `firefox`, as proc(5) has it in `comm`: at most 15 bytes.
package enum ProcessName {
    /// Nil where there is no such process any more, or it is not to be seen.
    package static func of(_ process: Int32) -> String? {
        guard process > 0,
            let file = try? FileDescriptor.open(FilePath("/proc/\(process)/comm"), .readOnly, options: .closeOnExec)
        else { return nil }
        let descriptor = Descriptor(adopting: file)
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = try? unsafe bytes.withUnsafeMutableBytes { unsafe try descriptor.fileDescriptor.read(into: $0) }
        let name = String(decoding: bytes.prefix(count ?? 0).prefix { $0 != 0x0A }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }
}

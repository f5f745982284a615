package import BridgeClient
package import LinuxSystem
package import SystemPackage

/// The file that `-o` names.
package enum FileOutput {
    package static func write(_ bytes: ImmutableBytes, _ range: Range<Int>, _ suffix: String, to path: String)
        throws(Failure)
    {
        try write(to: path) { destination throws(Errno) in
            try Transfer.copy(from: bytes, range: range, to: destination)
            if !suffix.isEmpty { try destination.writeBytes(Array(suffix.utf8)) }
        }
    }

    /// Writes bytes as they arrive, and returns their number.
    package static func write(_ stream: RepresentationStream, to path: String) throws(Failure) -> Int {
        var count = 0
        try write(to: path) { count = try stream.write(to: $0) }
        return count
    }

    /// Writes a regular file next to its destination and moves it there when complete; writes to a device or pipe
    /// directly.
    package static func write(to path: String, _ body: (FileDescriptor) throws -> Void) throws(Failure) {
        let place = try opening(path) { try FilePlace.find(path) }
        do {
            guard place.status?.isRegular ?? true else {
                let device = try opening(path) { try place.openForWriting() }
                return try body(device.fileDescriptor)
            }
            let replacement = try opening(path) { try ReplacementFile(replacing: place) }
            try body(replacement.fileDescriptor)
            try replacement.commit()
        } catch let error where error is Failure || error is BridgeClientError {
            throw Failure(reporting: error)
        } catch {
            throw Failure(.broken, "\(path) cannot be written: \(error)")
        }
    }

    private static func opening<Result>(_ path: String, _ body: () throws -> Result) throws(Failure) -> Result {
        do {
            return try body()
        } catch {
            throw .usage("\(path) cannot be written: \(error); name another file with -o")
        }
    }
}

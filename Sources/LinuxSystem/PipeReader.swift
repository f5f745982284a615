import CLinux
import Glibc
package import SystemPackage

/// The reading end of a pipe whose bytes go on to another descriptor, inside the kernel where possible.
package struct PipeReader {
    package let pipe: Descriptor
    /// False once the destination turned out not to support splice(2), as terminals and files opened for appending do.
    private var splices = true

    /// The limit on the bytes of one call.
    private static let maxSplice = 1 << 20
    private static let maxRead = 1 << 18

    package init(_ pipe: Descriptor) { self.pipe = pipe }

    /// Moves the bytes that the pipe contains, up to a limit of one call, and waits for bytes and for room.
    ///
    /// - Returns: The number of bytes moved; 0 at the end of the pipe.
    /// - Throws: The errors of write(2); `brokenPipe` comes with a SIGPIPE unless that signal is ignored.
    package mutating func move(to destination: FileDescriptor) throws(Errno) -> Int {
        while splices {
            do throws(Errno) {
                return try systemCall {
                    splice(pipe.fileDescriptor.rawValue, nil, destination.rawValue, nil, Self.maxSplice, 0)
                }
            } catch .wouldBlock {
                _ = try waitReadable(pipe.fileDescriptor, until: nil)
                _ = try waitWritable(destination, until: nil)
            } catch .invalidArgument {
                splices = false
            }
        }
        let bytes = try pipe.fileDescriptor.readBytes(atMost: Self.maxRead)
        try destination.writeBytes(bytes)
        return bytes.count
    }
}

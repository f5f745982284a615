import CLinux
import Glibc
package import SystemPackage

extension UnixSocket {
    /// What one recvmsg(2) gave.
    package struct Received {
        /// Empty at the end of the stream.
        package var bytes: [UInt8]
        /// Close-on-exec.
        package var descriptors: [Descriptor]
    }

    /// Sends bytes, with descriptors beside the first of them (SCM_RIGHTS). Raises no SIGPIPE.
    ///
    /// - Parameter waits: Whether to wait for room. If not, and there is none, nothing is sent.
    /// - Returns: How many bytes were taken; with the first byte all descriptors were. 0 for `waits: false` and no
    ///   room.
    /// - Throws: `brokenPipe` when the peer is gone; `invalidArgument` for over 253 descriptors.
    package static func send(
        _ bytes: ArraySlice<UInt8>, descriptors: [Descriptor] = [], to socket: FileDescriptor, waits: Bool
    ) throws(Errno) -> Int {
        let numbers = descriptors.map(\.fileDescriptor.rawValue)
        let flags = waits ? 0 : Int32(MSG_DONTWAIT)
        do throws(Errno) {
            return try rethrowingErrno {
                try unsafe bytes.withUnsafeBytes { bytes in
                    try systemCall {
                        unsafe linux_send(
                            socket.rawValue, bytes.baseAddress, bytes.count, numbers, numbers.count, flags)
                    }
                }
            }
        } catch .wouldBlock where !waits {
            return 0
        }
    }

    /// Receives at most `limit` bytes, and the descriptors that were sent beside the first of them. The kernel
    /// gives the descriptors of one message at a time; a call ends before the next.
    ///
    /// - Parameter waits: Whether to wait for the first byte.
    /// - Returns: nil if nothing is there and the call does not wait.
    /// - Throws: `tooManyOpenFiles` if this process could not take all descriptors: those it got are closed, and
    ///   the stream is of no use any more.
    package static func receive(
        from socket: FileDescriptor, limit: Int = 65_536, waits: Bool
    ) throws(Errno) -> Received? {
        var descriptors: [Descriptor] = []
        var isTruncated: Int32 = 0
        let flags = waits ? 0 : Int32(MSG_DONTWAIT)
        let bytes: [UInt8]
        do {
            bytes = try unsafe withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { buffer in
                var numbers = InlineArray<253, Int32>(repeating: -1)
                var count = 0
                let received = try systemCall {
                    var span = numbers.mutableSpan
                    return unsafe span.withUnsafeMutableBufferPointer { numbers in
                        unsafe linux_receive(
                            socket.rawValue, buffer.baseAddress, limit, numbers.baseAddress, &count, &isTruncated,
                            flags)
                    }
                }
                for index in 0..<count {
                    descriptors.append(Descriptor(adopting: FileDescriptor(rawValue: numbers[index])))
                }
                return unsafe [UInt8](buffer[..<received])
            }
        } catch Errno.wouldBlock where !waits {
            return nil
        } catch let error as Errno {
            throw error
        } catch {
            throw .ioError
        }
        guard isTruncated == 0 else { throw .tooManyOpenFiles }
        return Received(bytes: bytes, descriptors: descriptors)
    }
}
